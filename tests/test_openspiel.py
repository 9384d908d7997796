"""The OpenSpiel games: its own tests with serialisation, the naive rules, and its algorithms beside our search."""

import json
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts, minimax
from open_spiel.python.algorithms.get_all_states import get_all_states
from open_spiel.python.observation import make_observation

import quintet.envs.openspiel  # noqa: F401 - registers the games
from boards import every_game
from quintet.board import value_list
from quintet.errors import QuintetError
from quintet.games import GAMES
from quintet.options import InvalidOptions, start
from quintet.rules import Game
from quintet.solve.solver import Solver
from quintet.solve.verify import verify
from recorded import planes, recorded, result


def load(game: Game, parameters: str = "") -> Any:
    """A game as users load it."""
    return pyspiel.load_game(f"quintet_{game.name.replace('-', '_')}{parameters}")


@every_game
@pytest.mark.parametrize("parameters", ["", "(rows=3,cols=4)", "(rows=3,cols=3,holes=A1 B2)"])
def test_openspiels_own_test(game: Game, parameters: str, capfd: pytest.CaptureFixture[str]) -> None:
    pyspiel.random_sim_test(load(game, parameters), num_sims=10, serialize=True, verbose=False)
    capfd.readouterr()


@every_game
def test_it_plays_by_the_rule_books(game: Game) -> None:
    spiel, board = load(game), start(game).board
    observation = make_observation(spiel)
    for record in recorded(game.name):
        state = spiel.new_initial_state()
        for turn, action in enumerate(record.actions):
            assert state.current_player() == turn % 2 and not state.is_terminal()
            assert state.legal_actions() == record.legal[turn]
            for player in (0, 1):
                observation.set_from(state, player)
                seen = observation.tensor.reshape(-1, board.cells)
                assert seen[:2].T.tolist() == planes(record.owners[turn], player + 1)
                assert not board.target or seen[2].tolist() == value_list(board)
            state.apply_action(action)
        assert state.is_terminal() and state.current_player() == pyspiel.PlayerId.TERMINAL
        assert state.returns() == [result(record.winner, player) for player in (1, 2)]


@every_game
def test_moves_are_written_as_in_the_rule_book(game: Game) -> None:
    state, position = load(game).new_initial_state(), start(game)
    for action in state.legal_actions():
        label = position.label(1 << action)
        assert state.action_to_string(action) == label and state.string_to_action(label) == action


def test_a_hole_is_never_legal() -> None:
    game = load(GAMES["adjacent-claim"], "(rows=2,cols=3,holes=A2)")
    state = game.new_initial_state()
    assert state.legal_actions() == [0, 2, 3, 4, 5] and game.num_distinct_actions() == 7
    assert game.max_game_length() == 10 and game.start == start("adjacent-claim", "2x3-A2")
    for action in (3, 0):
        state.apply_action(action)
    state.apply_action(4)
    assert state.legal_actions() == [6] and state.legal_actions_mask() == [0] * 6 + [1]


def test_a_forced_pass_is_an_action() -> None:
    state = load(GAMES["adjacent-claim"], "(rows=1,cols=4)").new_initial_state()
    for action in (1, 0):
        state.apply_action(action)
    state.apply_action(2)
    assert state.legal_actions() == [4] and state.action_to_string(4) == "pass"
    assert state.legal_actions_mask() == [0, 0, 0, 0, 1]


@every_game
def test_states_are_copied_and_kept(game: Game) -> None:
    spiel = load(game, "(rows=3,cols=3)")
    state = spiel.new_initial_state()
    state.apply_action(4)
    copy, kept = state.clone(), pickle.loads(pickle.dumps(state))
    assert str(copy) == str(kept) == str(state) and str(pickle.loads(pickle.dumps(spiel))) == str(spiel)
    copy.apply_action(copy.legal_actions()[0])
    assert str(copy) != str(state) and state.history() == kept.history() == [4]
    assert (
        np.reshape(state.observation_tensor(0), (-1, 9))[:2].tolist()
        == np.array([np.reshape(state.observation_tensor(1), (-1, 9))[i] for i in (1, 0)]).tolist()
    )


def test_a_state_starts_where_it_is_told() -> None:
    spiel = load(GAMES["gridlock"], "(rows=3,cols=3)")
    state = spiel.new_initial_state("gridlock X../.../... O")
    state.apply_action(8)
    copies = state, state.clone(), pickle.loads(pickle.dumps(state)), spiel.deserialize_state(state.serialize())
    assert {str(copy) for copy in copies} == {"gridlock X../.../..O X"} and state.current_player() == 0
    for text in ("gridlock ../.. X", "isolation .../.../... X", "nonsense"):
        with pytest.raises(QuintetError):
            spiel.new_initial_state(text)


@every_game
def test_structs(game: Game) -> None:
    """As OpenSpiel's own Python games have them, and states are read back from them."""
    spiel = load(game, "(rows=3,cols=4)")
    state = spiel.new_initial_state()
    while True:
        struct = state.to_struct()
        told = json.loads(struct.to_json())
        assert (
            told
            == struct.to_dict()
            == json.loads(state.to_json())
            == json.loads(state.to_observation_struct(0).to_json())
        )
        assert told["position"] == str(state) and "".join(told["board"]) == str(state).split()[1].replace("/", "")
        for given in (struct, struct.to_dict()):
            copy = spiel.new_initial_state(given)
            assert (str(copy), copy.returns(), copy.legal_actions()) == (
                str(state),
                state.returns(),
                state.legal_actions(),
            )
        if state.is_terminal():
            break
        assert told["current_player"] == "XO"[state.current_player()]
        action = state.legal_actions()[-1]
        move = state.action_to_struct(state.current_player(), action)
        assert move.to_dict() == {"move": state.action_to_string(action)} and state.struct_to_actions(move) == [action]
        state.apply_action_struct(move)
        assert state.history()[-1] == action
    assert told["current_player"] == "Terminal"
    with pytest.raises(QuintetError):
        spiel.new_initial_state({"board": []})


@every_game
def test_actions_are_undone(game: Game) -> None:
    spiel = load(game, "(rows=3,cols=3)")
    state, straight = spiel.new_initial_state(), spiel.new_initial_state()
    for action in [4, *range(3)]:
        before = str(state), state.legal_actions()
        for wrong in [action for action in state.legal_actions() if action != 4][:2]:
            player = state.current_player()
            state.apply_action(wrong)
            with pytest.raises(QuintetError, match="not the last action"):
                state.undo_action(1 - player, wrong)
            state.undo_action(player, wrong)
            assert (str(state), state.legal_actions()) == before
        chosen = action if action in state.legal_actions() else state.legal_actions()[0]
        state.apply_action(chosen)
        straight.apply_action(chosen)
        for copy in (state, state.clone(), pickle.loads(pickle.dumps(state))):
            assert copy.history() == straight.history() and copy.move_number() == straight.move_number()
            assert copy.history_str() == straight.history_str()
            assert copy.information_state_string(0) == straight.information_state_string(0)
            assert str(copy) == str(straight) and not copy.is_initial_state()
        if state.is_terminal():
            break
    fresh = spiel.new_initial_state()
    with pytest.raises(QuintetError, match="not the last action"):
        fresh.undo_action(0, 0)


@every_game
def test_alpha_beta_finds_the_value_our_search_finds(game: Game) -> None:
    for rows, cols in ((1, 5), (2, 3)):
        empty = start(game, f"{rows}x{cols}")
        number = Solver(game, empty.board).number(empty)
        value, _ = minimax.alpha_beta_search(load(game, f"(rows={rows},cols={cols})"))
        assert value == np.sign(number)


def test_its_states_are_those_of_a_proof() -> None:
    states = get_all_states(load(GAMES["adjacent-claim"], "(rows=2,cols=3)"), include_terminals=True, to_string=str)
    # A proof sees a position as the player to move does, whoever that is.
    seen = {tuple(state.observation_tensor(mover(state))) for state in states.values()}
    assert len(seen) == verify(start(GAMES["adjacent-claim"], "2x3")).positions


def mover(state: Any) -> int:
    """Who is to move, also where nobody can any more."""
    return " XO".index(str(state).split()[2]) - 1


def test_monte_carlo_search_runs_on_it() -> None:
    spiel = load(GAMES["gridlock"], "(rows=3,cols=3)")
    bot = mcts.MCTSBot(
        spiel,
        uct_c=2,
        max_simulations=400,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        solve=True,
        random_state=np.random.RandomState(1),
    )
    state = spiel.new_initial_state()
    root = bot.mcts_search(state)
    assert root.best_child().action in (0, 2, 4, 6, 8), "the moves that win"


def test_parameters() -> None:
    spiel = load(GAMES["point-capture"], "(rows=2,cols=2,target=7,values=1 2 3 4)")
    assert str(spiel.new_initial_state()) == "point-capture ../.. X target=7 values=1,2,3,4"
    assert str(pyspiel.load_game(str(spiel)).new_initial_state()) == str(spiel.new_initial_state())
    pyspiel.random_sim_test(spiel, num_sims=3, serialize=True, verbose=False)
    shuffled = start(GAMES["point-capture"], "3x3", shuffle=5)
    dealt = load(GAMES["point-capture"], "(rows=3,cols=3,shuffle=5)").new_initial_state()
    assert str(dealt).endswith(",".join(map(str, value_list(shuffled.board))))
    with pytest.raises(InvalidOptions, match="boards can be 1x1"):
        load(GAMES["gridlock"], "(rows=0)")
    with pytest.raises(pyspiel.SpielError, match="target"):
        load(GAMES["gridlock"], "(target=3)")


def test_a_program_that_uses_it_ends_well() -> None:
    program = "import pyspiel, quintet.envs.openspiel as o; print(pyspiel.load_game('quintet_gridlock'))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "") and run.stdout == "quintet_gridlock(cols=4,holes=,rows=4)\n"
