"""The notebooks: what is committed, and that each runs in a fresh kernel, from another folder, without a network."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from browser import browse, wait_for

import gincore

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
SCRIPT = ROOT / "scripts" / "notebooks.py"
LIMIT = 600
"""Seconds for a notebook of reduced size, kernels that compile and a busy machine included."""

NO_NETWORK = """
import socket
def _no_network(*arguments, **options):
    raise OSError("there is no network")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = _no_network
"""


class Case(NamedTuple):
    """Reduced parameters of a notebook, and the key numbers that it came to, as a Python expression."""

    parameters: dict[str, Any]
    found: str


CASES = {
    "01": Case(
        {"DEALS": 2000},
        "dict(hands=len(run.hands), net=net.estimate, low=net.low, high=net.high, same=same)",
    ),
    "02": Case(
        {"DEALS": 1500, "FORK_DEALS": 2000, "LEARN_DEALS": 3000},
        "dict(points=int(best['net_points_per_hand'].limit), hands=int(best['won_0_share'].limit), gain=gain.low,"
        " settled=learned.settled, cells=forks.cells().set_index(['deadwood', 'turn'])"
        "['value_of_knocking_points'].loc[[(10, 0), (1, 16)]].to_list())",
    ),
    "03": Case(
        {"DEALS": 2000},
        "{name: overview.loc[(name, 'undercut_share'), 'estimate'] for name in ('simple', 'gin-only')}",
    ),
    "04": Case(
        {"DEALS": 400, "GAMES": 60},
        "dict(variants=setup.names, rows=len(mine), label=house.label,"
        " limit=int(found.limits[found.limits.variant == 'house'].limit.max()))",
    ),
    "05": Case(
        {"DEALS": 2000, "CHECK_DEALS": 5, "GAMES": 60},
        "dict(net=first.estimate, low=first.low, passed=len(passed), names=arena.names,"
        " same=sweep.loc[10, 'estimate'])",
    ),
    "06": Case(
        {"DEALS": 300, "QUESTION": "D11"},
        "dict(question=answer.entry.id, card=str(card), groups=len(answer.entry.groups),"
        " net=bonuses['estimate'].to_dict())",
    ),
    "07": Case(
        {"DEALS": 5000, "GAMES": 400},
        "dict(worth=worth, won=won.estimate, low=won.low, high=won.high, needed=needed, evenings=evenings)",
    ),
    "08": Case(
        {"DEALS": 300},
        "dict(choice=explorer.choice.limit, net=float(explorer.frame.set_index('metric')"
        ".loc['net_points_per_hand', 'estimate']), metrics=list(explorer.frame['metric']))",
    ),
}


def read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text(encoding="utf-8")))


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def output_text(cell: dict[str, Any]) -> str:
    """All that a cell shows, as text."""
    parts = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        parts += [
            "".join(output.get("text", "")),
            *("".join(data.get(kind, "")) for kind in ("text/plain", "text/html")),
        ]
    return "\n".join(parts)


def test_all_notebooks_are_tried() -> None:
    assert [path.name[:2] for path in NOTEBOOKS] == list(CASES)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
class TestCommitted:
    def test_outputs_are_those_of_the_code_and_in_order(self, path: Path) -> None:
        sys.path.insert(0, str(SCRIPT.parent))
        try:
            notebooks = pytest.importorskip("notebooks")
        finally:
            sys.path.remove(str(SCRIPT.parent))
        notebook = notebooks.nbformat.read(path, as_version=4)
        again = "run 'make notebooks-run'"
        assert notebook.metadata.gincore.outputs_of == notebooks.digest(notebook), again
        cells = notebooks.code_cells(notebook)
        assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1)), again
        assert all(output.output_type != "error" for cell in cells for output in cell.outputs)
        assert not [output for cell in cells for output in cell.outputs if output.get("name") == "stderr"]

    def test_the_first_code_cell_holds_the_parameters(self, path: Path) -> None:
        cells = code_cells(read(path))
        assert [cell["metadata"].get("tags", []) for cell in cells] == [["parameters"], *([[]] * (len(cells) - 1))]
        names = set(re.findall(r"^(\w+)\b.* = ", source(cells[0]), re.MULTILINE))
        assert set(CASES[path.name[:2]].parameters) <= names

    def test_texts_state_no_number(self, path: Path) -> None:
        """Numbers belong to the run: what a text says of them would go stale."""
        for cell in read(path)["cells"]:
            if cell["cell_type"] == "markdown":
                assert not re.search(r"\d", re.sub(r"`[^`]*`", "", source(cell))), source(cell)

    def test_outputs_name_no_folder_and_hold_what_can_be_shown_anywhere(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        assert len(text) < 1_500_000
        assert "widget-view" not in text
        for cell in code_cells(read(path)):
            assert not re.search(r"/(tmp|home|root|Users)/|0x[0-9a-f]{6}", output_text(cell)), output_text(cell)


def test_the_committed_outputs_are_of_full_size() -> None:
    first = code_cells(read(NOTEBOOKS[0]))
    deals = int(re.search(r"DEALS = ([\d_]+)", source(first[0]))[1])  # type: ignore[index]
    assert any(f"{2 * deals:,} hands\n" in output_text(cell) for cell in first)


def environment(folder: Path) -> dict[str, str]:
    """Jupyter's own files go to a folder of the test."""
    places = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "RUNTIME")}
    return {**os.environ, **places, "PYTHONPATH": str(ROOT)}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_notebook_runs_in_a_fresh_kernel(name: str, tmp_path: Path) -> None:
    pytest.importorskip("nbclient")
    case = CASES[name]
    settings = [f"--set={key} = {value!r}" for key, value in case.parameters.items()]
    more = f"import json\nprint('FOUND', json.dumps({case.found}))"
    command = [sys.executable, str(SCRIPT), name, *settings, f"--set={NO_NETWORK}", f"--more={more}"]
    command += ["--out", str(tmp_path / "out"), "--folder", str(tmp_path), "--limit", str(LIMIT)]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = (tmp_path / "out").glob("*.ipynb")
    cells = code_cells(read(made))
    shown = output_text(cells[-1])
    check(name, json.loads(shown[shown.index("FOUND") + 6 :]), case.parameters)
    assert not [output for cell in cells for output in cell["outputs"] if output.get("name") == "stderr"]


def check(name: str, found: Any, given: dict[str, Any]) -> None:
    """Assert the key numbers of a notebook."""
    globals()[f"check_{name}"](found, given)


def net_points(rules: str, players: tuple[Any, Any], deals: int) -> Any:
    run = gincore.simulate(rules, players, deals=deals, seed=7, progress=False)
    return run.summary().set_index("metric").loc["net_points_per_hand"]


def check_01(found: Any, given: dict[str, Any]) -> None:
    net = net_points("classic", ("simple", "gin-only"), given["DEALS"])
    assert (found["net"], found["low"], found["high"]) == (net.estimate, net.low, net.high)
    assert found["high"] < 0, "waiting for gin scores more than knocking at once"
    assert found["hands"] == 2 * given["DEALS"]
    assert found["same"]


def check_02(found: Any, given: dict[str, Any]) -> None:
    assert found["points"] <= 2, "against one who knocks at once, waiting scores most"
    assert found["hands"] == 10, "and knocking at once wins most hands"
    assert found["settled"]
    assert found["gain"] > 1, "the table that answers itself beats knocking at once"
    early, late = found["cells"]
    assert late < 0 < early, "knock with much early, not with little late"


def check_03(found: Any, given: dict[str, Any]) -> None:
    summary = gincore.simulate("classic", ("simple", "simple"), deals=given["DEALS"], seed=7, progress=False).summary()
    share = summary.set_index("metric").loc["undercut_share_of_knocks_0", "estimate"]
    assert found["simple"] == pytest.approx(share, rel=1e-12)
    assert found["gin-only"] > 2 * found["simple"], "a defender who waits undercuts more"


def check_04(found: Any, given: dict[str, Any]) -> None:
    assert found["variants"] == ["classic", "oklahoma", "pagat", "house"]
    assert found["label"] == "house"
    assert found["limit"] == 5, "limits above the rule's are not swept"
    assert found["rows"] == 10


def check_05(found: Any, given: dict[str, Any]) -> None:
    same = gincore.Strategy("same", base="threshold", params={"late_turn": 8, "late_limit": 3})
    assert found["net"] == net_points("classic", (same, "simple"), given["DEALS"]).estimate
    assert found["low"] > 0.5
    assert found["same"] == 0, "with a late limit of ten it plays as simple does"
    assert found["passed"] == 9
    assert found["names"] == ["mine", "simple", "gin-only", "lookahead"]


def check_06(found: Any, given: dict[str, Any]) -> None:
    assert found["question"] == given["QUESTION"]
    assert found["card"].startswith("Hollywood favours the stronger player.\n\n")
    assert "; seed 7." in found["card"]
    assert found["groups"] == 3
    net = net_points("classic", ("gin-only", "simple"), given["DEALS"]).estimate
    assert found["net"]["25"] == pytest.approx(net)
    assert found["net"]["0"] < found["net"]["25"] < found["net"]["40"], "who waits is not undercut, and undercuts"


def check_07(found: Any, given: dict[str, Any]) -> None:
    assert 1 < found["worth"] < 4, "a mirrored pair cancels a part of the luck"
    assert found["low"] < found["won"] < found["high"]
    assert found["won"] > 0.5
    assert found["needed"] > 50
    assert found["evenings"] == given["GAMES"] // 10


def check_08(found: Any, given: dict[str, Any]) -> None:
    assert found["choice"] == 10
    player = gincore.strategies.get("threshold,limit=10,late_limit=4,late_turn=8")
    assert found["net"] == net_points("classic", (player, "simple"), given["DEALS"]).estimate
    assert found["metrics"][0] == "net_points_per_hand"


@pytest.mark.slow
def test_notebooks_are_plain_python_programs_too(tmp_path: Path) -> None:
    """All but the explorer, without IPython and without ipywidgets, in one plain interpreter."""
    names = [name for name in CASES if name != "08"]
    lines = ["import runpy, sys", "sys.modules.update(IPython=None, ipywidgets=None)"]
    for path in NOTEBOOKS:
        if path.name[:2] in names:
            cells = [source(cell) for cell in code_cells(read(path))]
            settings = [f"{key} = {value!r}" for key, value in CASES[path.name[:2]].parameters.items()]
            program = tmp_path / f"{path.stem}.py"
            program.write_text("\n\n".join([cells[0], *settings, *cells[1:]]) + "\n", encoding="utf-8")
            lines += [f"runpy.run_path({str(program)!r}, run_name='__main__')", f"print('DONE', {path.name[:2]!r})"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^DONE (\d\d)$", done.stdout, re.MULTILINE) == names


IMAGE = "document.querySelector('img.jupyter-widgets, .widget-image img, img.widget-image')"
SAID = "document.querySelector('.widget-html-content, .jupyter-widgets.widget-html div')"
STATE = f"""(() => {{
    const image = {IMAGE}, said = {SAID};
    if (!image || !said || !image.complete || !image.naturalWidth) return null;
    const place = image.getBoundingClientRect();
    return [image.src, said.textContent, [place.x, place.y, place.width, place.height].join(" ")];
}})()"""


@pytest.mark.slow
def test_the_explorer_in_a_browser(tmp_path: Path) -> None:
    """Voila serves the notebook at full size; a slider is moved by keys, and the chart changes and stays in place."""
    pytest.importorskip("voila")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "voila", str(NOTEBOOKS[-1]), "--no-browser", f"--port={port}"]
    command += ["--Voila.ip=127.0.0.1", "--Voila.log_level=ERROR"]
    with (tmp_path / "voila.log").open("w") as log:
        server = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=log, stderr=log)
    try:
        wait_for("the server", lambda: server.poll() is not None or _answers(port), 120)
        assert server.poll() is None, (tmp_path / "voila.log").read_text()
        with browse(f"http://127.0.0.1:{port}/", tmp_path / "browser") as page:
            before = wait_for("the chart", lambda: page.evaluate(STATE), LIMIT, pause=1)
            assert before[1].startswith("classic, against simple: +")
            page.evaluate("document.querySelector('.noUi-handle').focus()")
            began = time.monotonic()
            page.press("ArrowLeft")

            def changed() -> Any:
                now = page.evaluate(STATE)
                assert now is None or now[2] == before[2], "the chart has moved"
                return now if now and now[1] != before[1] and now[0] != before[0] else None

            after = wait_for("another chart", changed, 30, pause=0.05)
            print(f"answered within {time.monotonic() - began:.2f} s: {after[1]}")
            page.screenshot(tmp_path / "explorer.png")
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(30)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(2)
        return probe.connect_ex(("127.0.0.1", port)) == 0
