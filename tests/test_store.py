"""The run folder: what is written, what is redone, what is refused."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import gincore
from gincore.api import Run, open_run
from gincore.errors import RunError, UsageError
from gincore.runs.claim import claim
from gincore.runs.parts import GAME_SCHEMA, HAND_SCHEMA, from_table, to_batch
from gincore.runs.plan import make_plan
from gincore.runs.result import read_hands
from gincore.runs.store import Folder
from gincore.schema import FORMAT_VERSION, GAME_DTYPE, HAND_DTYPE, NULLABLE, Result

DEALS, CHUNK = 2_500, 1_000


def play(out: Path | None, **changes: Any) -> Run:
    chosen: dict[str, Any] = {"deals": DEALS, "seed": 7, "chunk": CHUNK, "workers": 2, "progress": False} | changes
    return gincore.simulate("classic", ("simple", "simple"), out=out, **chosen)


@pytest.fixture(scope="module")
def straight() -> Run:
    """The same run in memory."""
    return play(None)


def names(folder: Path) -> list[str]:
    """Paths of all files of a folder, relative to it."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def same(run: Run, other: Run) -> bool:
    return (
        run.result.rows().tobytes() == other.result.rows().tobytes()
        and np.array_equal(run.moments.second, other.moments.second)
        and np.array_equal(run.cells, other.cells)
    )


def random_rows(dtype: np.dtype[Any], length: int, seed: int) -> np.ndarray:
    """Rows with the smallest, the largest and random values of every column."""
    random = np.random.default_rng(seed)
    rows = np.zeros(length, dtype)
    for name in dtype.names or ():
        info = np.iinfo(dtype[name])
        low = -1 if name in NULLABLE else info.min
        rows[name] = random.integers(low, info.max, length, endpoint=True, dtype=dtype[name])
    if "result" in (dtype.names or ()):
        rows["result"] = random.integers(0, len(Result), length)
    return rows


@pytest.mark.parametrize(("dtype", "schema"), [(HAND_DTYPE, HAND_SCHEMA), (GAME_DTYPE, GAME_SCHEMA)])
@pytest.mark.parametrize("length", [0, 1, 1_000])
def test_rows_come_back_byte_for_byte(dtype: np.dtype[Any], schema: pa.Schema, length: int) -> None:
    rows = random_rows(dtype, length, 3)
    table = pa.Table.from_batches([to_batch(rows, schema)], schema=schema)
    assert from_table(table, dtype).tobytes() == rows.tobytes()


@given(arrays(np.int8, st.integers(0, 30), elements=st.integers(-1, 1)))
def test_no_value_is_a_null(winners: np.ndarray) -> None:
    rows = np.zeros(len(winners), HAND_DTYPE)
    rows["winner"] = winners
    column = to_batch(rows, HAND_SCHEMA).column("winner")
    assert column.null_count == int((winners == -1).sum())


def test_a_stored_run_equals_one_in_memory(tmp_path: Path, straight: Run) -> None:
    run = play(tmp_path / "my runs" / "é 1")
    assert run.folder == tmp_path / "my runs" / "é 1"
    assert names(run.folder) == [".lock", *(f"hands/part-{n:05d}.parquet" for n in range(3)), "manifest.json"]
    assert same(run, straight)
    pd.testing.assert_frame_equal(run.hands, straight.hands)
    again = open_run(run.folder)
    assert same(again, straight)
    assert again.manifest == run.manifest
    pd.testing.assert_frame_equal(read_hands(run.folder), straight.hands)


def test_a_stored_run_is_small(tmp_path: Path) -> None:
    run = play(tmp_path, deals=65_536, chunk=None)
    size = sum(path.stat().st_size for path in tmp_path.glob("hands/*.parquet"))
    assert size / len(run.hands) < 10


def test_statistics_come_back_exactly(tmp_path: Path, straight: Run) -> None:
    run = play(tmp_path, keep="stats")
    assert names(tmp_path) == [".lock", "manifest.json", *(f"stats/part-{n:05d}.npz" for n in range(3))]
    for each in (run, open_run(tmp_path)):
        assert np.array_equal(each.moments.first, straight.moments.first)
        assert np.array_equal(each.moments.second, straight.moments.second)
        assert np.array_equal(each.cells, straight.cells)
        assert each.moments.units == DEALS
        with pytest.raises(UsageError, match="keep='rows'"):
            _ = each.hands
    part = tmp_path / "stats" / "part-00001.npz"
    part.write_bytes(part.read_bytes()[:300])
    assert np.array_equal(play(tmp_path, keep="stats", resume=True).moments.second, straight.moments.second)


def test_other_readers_see_one_table_of_equal_types(tmp_path: Path) -> None:
    play(tmp_path)
    files = sorted(tmp_path.glob("hands/part-*.parquet"))
    dead = np.zeros(4, HAND_DTYPE)
    dead["result"] = Result.dead
    for name in NULLABLE:
        dead[name] = -1
    with pq.ParquetWriter(tmp_path / "dead.parquet", HAND_SCHEMA) as writer:
        writer.write_batch(to_batch(dead, HAND_SCHEMA))
    schemas = [pq.read_schema(path) for path in [*files, tmp_path / "dead.parquet"]]
    assert all(schema.equals(schemas[0]) for schema in schemas)
    table = pq.read_table([*files, tmp_path / "dead.parquet"])
    assert len(table) == 2 * DEALS + 4
    assert table.column("winner").null_count >= 4
    assert set(table.column("result").to_pylist()) <= {result.name for result in Result}


def damage_empty(path: Path) -> None:
    path.write_bytes(b"")


def damage_cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x10
    path.write_bytes(content)


def damage_short(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.slice(0, len(table) - 2), path)


def damage_other_chunk(path: Path) -> None:
    path.write_bytes(path.with_name("part-00000.parquet").read_bytes())


def damage_other_columns(path: Path) -> None:
    pq.write_table(pq.read_table(path).drop_columns(["turns"]), path)


def damage_other_run(path: Path) -> None:
    """The same deals, played with another seed."""
    play(path.parents[2] / "other", seed=8)
    path.write_bytes((path.parents[2] / "other" / "hands" / path.name).read_bytes())


def damage_other_version(path: Path) -> None:
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({"gincore_format": "0"}), path)


DAMAGES = [
    damage_empty,
    damage_cut,
    damage_flipped,
    damage_short,
    damage_other_chunk,
    damage_other_columns,
    damage_other_run,
    damage_other_version,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_named_set_aside_and_redone(
    tmp_path: Path, straight: Run, damage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path = tmp_path / "run"
    play(tmp_path)
    part = tmp_path / "hands" / "part-00001.parquet"
    whole = part.read_bytes()
    damage(part)
    damaged = part.read_bytes()
    with pytest.raises(RunError, match=r"part-00001\.parquet cannot be read \(.*\); run it again with resume"):
        _ = open_run(tmp_path).moments
    run = play(tmp_path, resume=True)
    assert "part-00001.parquet cannot be used" in caplog.text
    assert part.with_name("_broken-part-00001.parquet").read_bytes() == damaged
    assert len(pd.read_parquet(tmp_path / "hands")) == 2 * DEALS, "what was set aside is no part of the rows"
    assert part.read_bytes() == whole
    assert same(run, straight)


def test_a_missing_part_is_redone(tmp_path: Path, straight: Run) -> None:
    play(tmp_path)
    (tmp_path / "hands" / "part-00002.parquet").unlink()
    with pytest.raises(RunError, match="is not finished: 1 of 3 parts are missing"):
        open_run(tmp_path)
    untouched = (tmp_path / "hands" / "part-00000.parquet").stat().st_mtime_ns
    assert same(play(tmp_path, resume=True), straight)
    assert (tmp_path / "hands" / "part-00000.parquet").stat().st_mtime_ns == untouched


def test_foreign_files_are_left_alone(tmp_path: Path, straight: Run) -> None:
    (tmp_path / ".hidden").write_text("mine")
    play(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "hands" / ".tmp-1.parquet").write_bytes(b"x")
    (tmp_path / "hands" / "part-x.parquet").write_bytes(b"x")
    (tmp_path / "hands" / ".part-00001.parquet.tmp").write_bytes(b"left by a process that was killed")
    assert same(play(tmp_path, resume=True), straight)
    assert same(open_run(tmp_path), straight)
    assert {"notes.txt", ".hidden", "hands/.tmp-1.parquet", "hands/part-x.parquet"} < set(names(tmp_path))
    assert "hands/.part-00001.parquet.tmp" not in names(tmp_path)


def test_one_line_of_pandas_reads_a_run(tmp_path: Path, straight: Run) -> None:
    play(tmp_path / "hands")
    frame = pd.read_parquet(tmp_path / "hands" / "hands")
    assert frame["deal"].tolist() == straight.hands["deal"].tolist()
    assert frame["points_0"].sum() == straight.hands["points_0"].sum()
    run = gincore.simulate_games(
        "classic", ("simple", "simple"), games=30, seed=1, chunk=7, out=tmp_path / "games", progress=False
    )
    frames = {name: pd.read_parquet(tmp_path / "games" / name) for name in ("hands", "games")}
    assert frames["games"]["margin"].tolist() == run.games["margin"].tolist()
    assert frames["hands"]["deal"].tolist() == run.hands["deal"].tolist()


def test_a_run_without_a_part_is_begun_anew(tmp_path: Path, straight: Run) -> None:
    """As after a strategy that failed at once: neither the folder nor another plan stands in the way."""
    with pytest.raises(RunError, match="it answered 99"):
        gincore.simulate("classic", (failing(), "simple"), deals=DEALS, seed=7, out=tmp_path, progress=False)
    assert names(tmp_path) == [".lock", "manifest.json"]
    assert same(play(tmp_path), straight)
    with pytest.raises(UsageError, match="it already holds a run"):
        play(tmp_path)


def failing() -> gincore.Strategy:
    @gincore.decision
    def discard(view: Any, params: Any) -> Any:
        return 99

    return gincore.Strategy("failing", discard=discard)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"notes.txt": "mine"}, "it is not empty and holds no run, but notes.txt; choose a new folder"),
        (dict.fromkeys("abcde", ""), "but a, b, c and 2 more; choose"),
        ({"manifest.json": '{"report": "knock-threshold"}'}, "it holds a knock-threshold report; choose another"),
        ({"manifest.json": '{"name": "an extension"}'}, "it holds the manifest.json of something else; choose"),
    ],
)
def test_a_folder_of_something_else_is_refused_and_left_as_it_was(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    for resume in (False, True):
        with pytest.raises(UsageError) as refused:
            play(tmp_path, resume=resume)
        assert words in str(refused.value)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


def test_an_empty_text_is_no_folder() -> None:
    with pytest.raises(UsageError, match="an empty text names no folder"):
        gincore.simulate("classic", ("simple", "simple"), deals=1, seed=1, out="")
    with pytest.raises(UsageError, match="empty text"):
        open_run("")


def test_a_folder_of_the_old_format_is_named(tmp_path: Path) -> None:
    play(tmp_path)
    (tmp_path / "hands" / "part-00000.parquet").rename(tmp_path / "part-00000.parquet")
    with pytest.raises(RunError, match="as an older gincore wrote them"):
        open_run(tmp_path)
    with pytest.raises(RunError, match="as an older gincore wrote them"):
        play(tmp_path, resume=True)


def test_a_path_that_is_not_utf8(tmp_path: Path, straight: Run) -> None:
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    assert same(play(out), straight)
    assert same(open_run(out), straight)
    (out / "hands" / "part-00000.parquet").unlink()
    assert same(play(out, resume=True), straight)


@pytest.mark.parametrize(
    ("changes", "differences"),
    [
        (
            {"seed": 8, "mirror": False},
            ["seed (--seed): 7 in the folder, 8 asked for", "mirror (--mirror, --no-mirror): True in the folder, F"],
        ),
        ({"deals": 9}, ["deals (--deals): 2500 in the folder, 9 asked for"]),
        ({"chunk": 65_536}, ["chunk (--chunk): 1000 in the folder, 65536 asked for"]),
        ({"keep": "stats"}, ["keep (--keep): 'rows' in the folder, 'stats' asked for"]),
    ],
)
def test_resume_with_another_plan_names_each_difference(
    tmp_path: Path, changes: dict[str, Any], differences: list[str]
) -> None:
    play(tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    with pytest.raises(UsageError, match="holds another run, choose another folder") as refused:
        play(tmp_path, resume=True, **changes)
    assert all(line in str(refused.value) for line in differences)
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before


def test_resume_takes_the_chunk_size_of_the_folder(tmp_path: Path, straight: Run) -> None:
    play(tmp_path)
    (tmp_path / "hands" / "part-00000.parquet").unlink()
    assert same(play(tmp_path, resume=True, chunk=None), straight)
    assert len(list(tmp_path.glob("hands/part-*.parquet"))) == 3


def test_resume_of_nothing_starts(tmp_path: Path, straight: Run) -> None:
    assert same(play(tmp_path / "new", resume=True), straight)


def test_a_folder_that_holds_a_run_is_refused_without_resume(tmp_path: Path) -> None:
    play(tmp_path)
    with pytest.raises(UsageError, match="it already holds a run; go on with it"):
        play(tmp_path)


def test_wrong_folders_are_refused_before_the_first_hand(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(UsageError, match="it is a file, not a folder"):
        play(file, deals=10**9, chunk=None)
    with pytest.raises(RunError, match=r"cannot (read|write) .*file/below: Not a directory \(ENOTDIR\)"):
        play(file / "below", deals=10**9, chunk=None)
    parts = tmp_path / "parts"
    (parts / "hands").mkdir(parents=True)
    (parts / "hands" / "part-00000.parquet").write_bytes(b"x")
    with pytest.raises(UsageError, match="it is not empty and holds no run, but hands"):
        play(parts, deals=10**9, chunk=None)
    with pytest.raises(UsageError, match=r"^--resume \(resume=True\) needs --out FOLDER \(out=FOLDER\)"):
        play(None, resume=True)


def test_a_read_only_folder_fails_with_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(RunError, match=r"^cannot write .*: Permission denied \(EACCES\)$"):
        play(tmp_path)


def test_open_run_refuses_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such folder"):
        open_run(tmp_path / "absent")
    with pytest.raises(UsageError, match=r"it holds no run \(manifest\.json is missing\)"):
        open_run(tmp_path)
    manifest = tmp_path / "manifest.json"
    for text, message in [
        ("{", "is not JSON"),
        ("[]", "is not a manifest"),
        ('{"format": 0}', "its format is 0, this gincore reads [0-9]+"),
        (f'{{"format": {FORMAT_VERSION}}}', "'kind' is missing or wrong"),
    ]:
        manifest.write_text(text)
        with pytest.raises(RunError, match=message):
            open_run(tmp_path)


def test_home_and_relative_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert play(Path("~/runs/one"), deals=10).folder == tmp_path / "runs" / "one"
    monkeypatch.chdir(tmp_path)
    run = play(Path("two"), deals=10)
    monkeypatch.chdir("/")
    assert len(run.hands) == 20


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let every write beyond this size fail, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_failed_write_leaves_no_half_file_and_can_be_resumed(tmp_path: Path, straight: Run) -> None:
    with largest_file(8_000), pytest.raises(RunError) as failed:
        play(tmp_path)
    assert str(failed.value).startswith(f"cannot write {tmp_path}/hands/part-")
    assert "File too large (EFBIG)" in str(failed.value)
    assert "\n" not in str(failed.value)
    assert not [name for name in names(tmp_path) if name.endswith(".tmp")]
    assert same(play(tmp_path, resume=True), straight)


def _second_process(path: Path, answers: Any) -> None:
    try:
        play(path, resume=True, workers=1)
    except RunError as error:
        answers.put(str(error))
    else:
        answers.put("played")


def test_two_processes_cannot_write_one_folder(tmp_path: Path) -> None:
    plan = make_plan("hands", "classic", ("simple", "simple"), seed=7, count=DEALS, chunk=CHUNK)
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    with claim(plan, tmp_path, resume=False) as (folder, _):
        assert isinstance(folder, Folder)
        with pytest.raises(RunError, match=rf"is being written by process {os.getpid()} on "):
            play(tmp_path, resume=True)
        other = context.Process(target=_second_process, args=(tmp_path, answers))
        other.start()
        assert f"is being written by process {os.getpid()} on " in answers.get(timeout=120)
        other.join()
    assert same(play(tmp_path, resume=True), play(None))


def test_the_manifest_is_plain_json(tmp_path: Path) -> None:
    play(tmp_path, seed=2**64 - 1, deals=10)
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["seed"] == 2**64 - 1
    assert "created" in manifest
