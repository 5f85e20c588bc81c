"""How the engine calls a decision: through its address, in a record that costs nothing to hand around.

numba's own first-class functions are structures of three pointers, and an array of parameters carries a counted
reference: handing six of each down to every call costs as much as playing. So the six decisions of two players and
their parameters stand as addresses in one record, and :func:`ask` calls number ``3 * player + kind``. An exception
inside a decision propagates as from any compiled call, and the record keeps the number of the decision that raised it.
Without compilation the players are a list of closures.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload
from numba.np import arrayobj

from gincore.schema import VIEW_DTYPE, field_offset

VIEW_TYPE = from_dtype(VIEW_DTYPE)
PARAMS_TYPE = types.float64[::1]
SIGNATURE = types.int64(VIEW_TYPE, PARAMS_TYPE)
"""What a decision is compiled for: ``decide(view, params) -> int64``."""

PLAYERS_DTYPE = np.dtype(
    (
        np.record,
        [
            ("decision", np.int64, (6,)),  # addresses of draw, discard and knock of player 0 and player 1
            ("params", np.int64, (6,)),  # addresses of their parameters
            ("length", np.int64, (6,)),  # number of their parameters
            ("raised", np.int64),  # number of the decision that raised an exception, -1: none
        ],
    ),
    align=True,
)
"""The decisions of two players, as addresses."""

DRAW, DISCARD, KNOCK = 0, 1, 2
_I64 = ir.IntType(64)
_AT = {name: field_offset(PLAYERS_DTYPE, name) for name in PLAYERS_DTYPE.names or ()}


def _entry(builder: Any, record: Any, field: str, number: Any) -> Any:
    """Load an entry of a field of the players' record."""
    place = builder.add(builder.mul(number, ir.Constant(_I64, 8)), ir.Constant(_I64, _AT[field]))
    pointer = builder.inttoptr(builder.add(builder.ptrtoint(record, _I64), place), _I64.as_pointer())
    return builder.load(pointer)


@intrinsic
def _call(_typing: Any, players: Any, _number: Any, view: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, number, mine = arguments
        array = arrayobj.make_array(PARAMS_TYPE)(context, builder)
        size = _entry(builder, record, "length", number)
        data = builder.inttoptr(_entry(builder, record, "params", number), array.data.type)
        arrayobj.populate_array(array, data, [size], [ir.Constant(_I64, 8)], ir.Constant(_I64, 8), meminfo=None)
        kinds = (VIEW_TYPE, PARAMS_TYPE)
        kind = context.call_conv.get_function_type(types.int64, kinds)
        function = builder.inttoptr(_entry(builder, record, "decision", number), kind.as_pointer())
        status, answer = context.call_conv.call_function(
            builder, function, types.int64, kinds, [mine, array._getvalue()]
        )
        with cgutils.if_unlikely(builder, status.is_error):
            place = builder.add(builder.ptrtoint(record, _I64), ir.Constant(_I64, _AT["raised"]))
            builder.store(number, builder.inttoptr(place, _I64.as_pointer()))
            context.call_conv.return_status_propagate(builder, status)
        return answer

    return types.int64(players, types.int64, view), generate


def ask(players, number, view):
    """The answer of decision ``number`` to a view."""
    return players[number](view)


@overload(ask)
def _ask(players, number, view):
    return lambda players, number, view: _call(players, number, view)


def seat_pairs(pairs: Any) -> tuple[Any, Any]:
    """The players of each pair as :func:`ask` takes them, and what must be kept alive while they play.

    Parameters
    ----------
    pairs : sequence of pairs of Strategy
        Each strategy has ``functions()``, the three compiled decisions, and ``values()``, the parameters of each.
    """
    if config.DISABLE_JIT:
        return [_closures(strategies) for strategies in pairs], None
    records = np.zeros(len(pairs), PLAYERS_DTYPE)
    records["raised"] = -1
    alive = [_seat(record, strategies) for record, strategies in zip(records, pairs, strict=True)]
    return records, alive


def seat_players(strategies: Any) -> tuple[Any, Any]:
    """The same for one pair."""
    pairs, alive = seat_pairs([strategies])
    return pairs[0], (pairs, alive)


def _decisions(strategies: Any) -> list[Any]:
    """Function and parameters of each decision of a pair, in the order of their numbers."""
    functions = [function for strategy in strategies for function in strategy.functions()]
    values = [params for strategy in strategies for params in strategy.values()]
    return list(zip(functions, values, strict=True))


class _Closures(list[Any]):
    """The decisions of two players where nothing is compiled."""

    raised = -1

    def add(self, number: int, function: Any, params: Any) -> None:
        """Add the decision of that number."""

        def decide(view: Any) -> Any:
            try:
                return function(view, params)
            except (Exception, SystemExit):
                self.raised = number
                raise

        self.append(decide)


def _closures(strategies: Any) -> _Closures:
    players = _Closures()
    for number, (function, params) in enumerate(_decisions(strategies)):
        players.add(number, function, params)
    return players


def _seat(players: Any, strategies: Any) -> list[Any]:
    decisions = _decisions(strategies)
    for number, (function, params) in enumerate(decisions):
        result = function.get_compile_result(SIGNATURE)
        players.decision[number] = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        players.params[number] = params.ctypes.data
        players.length[number] = params.size
    return decisions
