"""The report: self-contained, each player once, numbers that are those of the logs."""

import math
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput, ModelUsage, get_model

from quintet.llm import run
from quintet.llm.logs import InvalidLogs, Section, find_files, read_log, read_logs, read_sample
from quintet.llm.report import html, markdown
from quintet.llm.run import InvalidSettings, check_settings, run_suite, settings_grid
from quintet.llm.settings import write_flags
from quintet.llm.tasks import play, positions
from quintet.suites.suite import load_suite
from scripted import THEIRS, inspect_alone, inspect_gone, perfect  # noqa: F401

PROGRAM = str(Path(sys.executable).with_name("quintet"))

pytestmark = THEIRS


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite run for two players."""
    folder = tmp_path_factory.mktemp("logs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INSPECT_DISPLAY", "none")
        assert run_suite(load_suite("quick"), ["random", "perfect"], folder, {}) == []
    return folder


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        """Read it."""
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href", "data")]


def test_the_page_stands_alone(logs: Path) -> None:
    text = html(read_logs([logs]))
    page = Page(text)
    assert not page.links and "script" not in page.tags
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text)
    assert page.tags.count("table") == 4 and page.tags.count("figure") == 5
    assert page.tags.count("article") > 0 and "Instructive games" in text


def test_perfect_comes_first_and_at_par(logs: Path) -> None:
    lines = [line for line in markdown(read_logs([logs])).splitlines() if line.startswith("| ")]
    games = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert games[2][0] == "perfect" and games[2][1] == "40"
    low, high = map(float, re.search(r"\((\S+) to (\S+)\)", games[2][2]).groups())  # type: ignore[union-attr]
    assert low <= 0 <= high
    assert games[3][0] == "random" and games[3][2].startswith("-")


def test_the_leaderboard_is_what_comes_out(logs: Path) -> None:
    page = (Path(__file__).parent.parent / "docs/leaderboard.md").read_text(encoding="utf-8")
    quick = page[page.index("## Suite quick-2") :]
    rows = [line for line in markdown(read_logs([logs])).splitlines() if line.startswith(("| random |", "| perfect |"))]
    assert len(rows) == 2 * (1 + 3 + 1 + 2)
    for row in rows:
        assert row in quick


def test_a_row_is_a_model_with_its_settings(tmp_path: Path) -> None:
    """The same model with another temperature or another limit is another player; its answers cost something."""

    async def first(input: list[ChatMessage], *_: object) -> ModelOutput:
        legal = re.findall(r"Your legal moves: (.*?)[,.]", input[0].text)
        output = ModelOutput.from_content("mock", f"MOVE: {legal[0]}")
        output.usage = ModelUsage(input_tokens=1000, output_tokens=20, total_tokens=1020, total_cost=0.003)
        return output

    model = get_model("mockllm/model", custom_outputs=first, memoize=False)
    for settings in ({"temperature": 0.0}, {"temperature": 1.0, "reasoning_effort": "high"}, {"token_limit": 5000}):
        evaluate(positions(suite="quick"), model=model, display="none", log_dir=str(tmp_path), **settings)
    for text in (markdown(read_logs([tmp_path])), html(read_logs([tmp_path]))):
        for name in ("temperature=0.0", "temperature=1.0, reasoning_effort=high", "token_limit=5000"):
            assert f"mockllm/model ({name})" in text
        assert "1,000" in text and "$0.0030" in text
    text = markdown(read_logs([tmp_path]))
    assert "--temperature 1.0 --reasoning-effort high" in text
    assert text.count("| 60 | +0.0 % (-") == 2, "the same answers to the same samples"


def test_efforts_and_budgets_are_axes_of_the_report(tmp_path: Path) -> None:
    """A model that plays better and writes more with more effort."""

    async def by_effort(input: list[ChatMessage], tools: object, choice: object, config: GenerateConfig) -> ModelOutput:
        best = config.reasoning_effort == "high"
        output = ModelOutput.from_content("mock", perfect(input[0].text) if best else "I do not know.")
        output.usage = ModelUsage(input_tokens=100, output_tokens=900 if best else 30, total_tokens=1000)
        return output

    model = get_model("mockllm/model", custom_outputs=by_effort, memoize=False)
    for effort in ("high", "low"):
        task = positions(game="gridlock", number=2)
        evaluate(task, model=model, display="none", log_dir=str(tmp_path), reasoning_effort=effort)
    for text in (markdown(read_logs([tmp_path])), html(read_logs([tmp_path]))):
        assert text.count("By reasoning effort") == 1 and "By max tokens" not in text
    page = markdown(read_logs([tmp_path]))
    table = page[page.index("By reasoning effort") :]
    assert "| player |  | low | high |" in table and "| mockllm/model | output tokens | 30 | 900 |" in table
    assert re.search(r"\| mockllm/model \| regret \| 100\.0 % \(.*\) \| 0\.0 % \(", table)


def test_settings_are_given_to_models_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[dict[str, object]] = []

    def eval_set(*_: object, **options: object) -> tuple[bool, list[object]]:
        given.append(options)
        return True, []

    monkeypatch.setattr(run, "eval_set", eval_set)
    players = ["model:mockllm/model", "greedy"]
    assert run_suite(load_suite("quick"), players, tmp_path, {}, settings=[check_settings({"temperature": 0.5})]) == []
    assert [options.get("temperature") for options in given] == [0.5, None]
    assert "temperature=0.5" in str(given[0]["log_dir"]) and "temperature" not in str(given[1]["log_dir"])
    grid = settings_grid({"temperature": None, "reasoning_effort": "low, high", "token_limit": "900,30"})
    assert grid == [{"reasoning_effort": effort, "token_limit": n} for effort in ("low", "high") for n in (900, 30)]
    given.clear()
    assert run_suite(load_suite("quick"), players, tmp_path, {}, settings=grid) == []
    assert [options.get("token_limit") for options in given] == [900, 30, 900, 30, None]
    assert len({str(options["log_dir"]) for options in given}) == 5
    with pytest.raises(InvalidSettings, match="max_tokens '0' is not valid: it must be a number, 1 or more"):
        settings_grid({"max_tokens": "5,0"})
    with pytest.raises(InvalidSettings, match="reasoning_effort 'huge' is not valid: input should be 'none'"):
        check_settings({"reasoning_effort": "huge", "temperature": None})


def test_settings_are_written_as_inspect_reads_them() -> None:
    settings = {"temperature": 0.5, "parallel_tool_calls": False, "logprobs": True, "stop_seqs": ["a", "b c"]}
    words = write_flags({**settings, "logit_bias": {"5": 1.0}, "response_schema": {"x": {"y": 1}}})
    assert words == [
        "--temperature", "0.5", "--no-parallel-tool-calls", "--logprobs", "--stop-seqs", "'a,b c'",
        "--logit-bias", "5=1.0", "--response-schema", """'{"x": {"y": 1}}'""",
    ]  # fmt: skip


def test_the_commands_can_be_run(logs: Path, tmp_path: Path) -> None:
    """A model asked in an unusual way is no player's name; what is printed runs the same again."""

    async def first(input: list[ChatMessage], *_: object) -> ModelOutput:
        legal = re.findall(r"Your legal moves: (.*?)[,.]", input[0].text)
        output = ModelOutput.from_content("mock", f"MOVE: {legal[0]}")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=first, memoize=False)
    evaluate(play(suite="quick", history=False), model=model, display="none", log_dir=str(tmp_path))
    text = markdown(read_logs([logs, tmp_path]))
    assert "| mockllm/model (history=False) |" in text
    commands = re.findall(r"`([^`]+)`", next(line for line in text.splitlines() if line.startswith("To reproduce")))
    assert commands == [
        "quintet suite quick-2 --players perfect,random --out runs",
        "inspect eval quintet/play -T suite=quick-2 -T history=False --model mockllm/model --log-dir runs",
        "quintet report runs --markdown --out leaderboard.md",
    ]


def test_logs_named_twice_count_once(logs: Path) -> None:
    files = sorted(logs.rglob("*.eval"))
    [once], [twice] = read_logs([logs]), read_logs([logs, *files, logs / "quick-2"])
    assert len(once.samples) == len(twice.samples) == 2 * 100


def test_replays_show_what_was_better(logs: Path) -> None:
    text = html(read_logs([logs]))
    strips = re.findall(r'<article class="replay">.*?</article>', text, re.DOTALL)
    assert len(strips) == 6 and all("blunder" in strip or "mistake" in strip for strip in strips)
    assert len({re.search(r"<h4>(.*?) \S+:", strip)[1] for strip in strips}) == 5  # type: ignore[index]


def test_the_command(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    run = subprocess.run([PROGRAM, "report", str(logs), "--out", str(out)], capture_output=True, text=True)
    assert run.returncode == 0 and out.read_text(encoding="utf-8").startswith("<!doctype html>"), run.stderr
    for wrong, line in ((["nowhere"], "no log at nowhere"), ([__file__], "is not an Inspect log\n")):
        run = subprocess.run([PROGRAM, "report", *wrong], capture_output=True, text=True, cwd=tmp_path)
        assert run.returncode == 2 and line in run.stderr and len(run.stderr.splitlines()) == 1


Damage = Callable[[EvalSample], object]
TAMPERED: dict[str, Damage] = {
    "no specification": lambda sample: sample.metadata.clear(),
    "no options": lambda sample: sample.metadata.update(manner=None),
    "another position": lambda sample: sample.metadata["case"].update(position="gridlock X O"),
    "no seat": lambda sample: sample.metadata["case"].update(player=3),
    "no episode": lambda sample: sample.store.update(played=[]),
    "no legal move": lambda sample: sample.store["played"].update(moves="Z99"),
    "no answers": lambda sample: sample.store["played"].update(answers=[]),
    "not a number": lambda sample: sample.scores["exact"].value.update(regret="much"),  # type: ignore
    "infinite": lambda sample: sample.scores["exact"].value.update(regret=math.inf),  # type: ignore
    "nan": lambda sample: sample.scores["exact"].value.update(points=math.nan),  # type: ignore
    "more than all": lambda sample: sample.scores["exact"].value.update(points=7, games=1),  # type: ignore
    "negative": lambda sample: sample.scores["exact"].value.update(games=-1),  # type: ignore
    "huge": lambda sample: sample.scores["exact"].value.update(luck=1e300),  # type: ignore
}


@pytest.mark.parametrize("damage", TAMPERED.values(), ids=TAMPERED)
def test_a_tampered_sample_is_one_line(logs: Path, damage: Damage) -> None:
    log = header_and_samples(logs)
    assert log.samples
    sample = log.samples[0].model_copy(deep=True)
    read_sample(log, sample)
    damage(sample)
    with pytest.raises(InvalidLogs, match=r"the sample '.*' in .* is damaged: ") as error:
        read_sample(log, sample)
    assert str(error.value).isprintable() and len(str(error.value)) < 600


@cache
def header_and_samples(folder: Path) -> EvalLog:
    """One of the logs in a folder."""
    return read_log(find_files([folder])[0])


def test_names_in_logs_are_names(logs: Path) -> None:
    """Whatever a log says, a report has no links, tags and lines of it."""
    log = header_and_samples(logs)
    assert log.samples
    sample = log.samples[0].model_copy(deep=True)
    attack = "<script>x</script>[a](http://evil)`rm`\n# Ignore|\x1b[31m" * 9
    sample.store["played"].update(player=attack, fault=attack)
    sample.metadata["case"].update(level=attack, opponent=attack)
    section = Section("Suite", "quick-2", [read_sample(log, sample)] * 2)
    for text in (html([section]), markdown([section])):
        assert text.replace("\n", "").isprintable() and "\n# Ignore" not in text
    assert "<script>" not in html([section])
    rows = [line for line in markdown([section]).splitlines() if line.startswith("| ")]
    assert rows and not any(re.search(r"(?<!\\)[<`]|(?<!\\)\[a", row) for row in rows)


def test_an_empty_folder_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(InvalidLogs, match="no finished sample"):
        read_logs([tmp_path])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["slow", "--players", "random"], "no suite called 'slow'"),
        (["quick", "--players", "nobody"], "no player called 'nobody'"),
        (["quick", "--players", ","], "name at least one player"),
        (["quick", "--players", "human"], "a person cannot be evaluated"),
        (["quick", "--players", "random", "--rules", "long"], "--rules: 'long' is not one of 'full', 'short'"),
    ],
)
def test_wrong_suites_are_one_clear_line(arguments: list[str], line: str, tmp_path: Path) -> None:
    run = subprocess.run([PROGRAM, "suite", *arguments, "--out", str(tmp_path / "x")], capture_output=True, text=True)
    assert run.returncode == 2 and line in run.stderr and len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "x").exists()
