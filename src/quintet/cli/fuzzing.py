"""The command that fuzzes the program: `bench fuzz`."""

from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.benchmarks import read_names
from quintet.cli.common import Unfinished, Usage
from quintet.cli.progress import progress_bar


def bench_fuzz(
    inputs: Annotated[int, typer.Option(min=0, metavar="N", help="Number of inputs.")] = 10_000,
    files: Annotated[int, typer.Option(min=0, metavar="N", help="Number of damaged files.")] = 0,
    only: Annotated[str, typer.Option(metavar="NAME,...", help="Fuzz only these, such as records,requests.")] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for the inputs.")] = 0,
    corpus: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Try the inputs in this file or folder first.")
    ] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Append findings to FILE, which is a corpus too.")] = Path(
        "findings.jsonl"
    ),
) -> None:
    """Fuzz every parser and server with unlikely inputs. Whatever is neither answered nor refused is a finding."""
    from contextlib import ExitStack
    from tempfile import TemporaryDirectory

    from quintet.bench.fuzz import Finding, fuzz, read_corpus
    from quintet.bench.fuzz_files import damaged_files
    from quintet.bench.fuzz_targets import make_targets, target_names
    from quintet.bench.tables import print_table
    from quintet.safe_text import escape

    try:
        known = read_corpus(corpus) if corpus else []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Usage(f"cannot read the corpus {corpus}: {error}") from None
    findings = 0

    def save(found: Finding) -> None:
        nonlocal findings
        findings += 1
        print(f"{found.target}: {escape(found.error)}")
        with out.open("a", encoding="utf-8") as file:
            file.write(found.line())

    with TemporaryDirectory() as folder, ExitStack() as stack:
        names = read_names(only, target_names(Path(folder)), "target")
        targets = make_targets(Path(folder), stack, names)
        with progress_bar() as progress:
            for found in fuzz(targets, inputs, seed, progress, known):
                save(found)
    rows = [(target.name, f"{target.tried:,}", f"{len(target.lines):,}") for target in targets]
    print_table([("target", "inputs", "lines"), *rows])
    with TemporaryDirectory() as folder, progress_bar() as progress:
        if files:
            for found in damaged_files(Path(folder), files, seed, run_here, progress):
                save(found)
            print(f"{files:,} damaged files")
    if findings:
        raise Unfinished(f"{findings} findings; {out} has them")
    print("No findings.")


def run_here(words: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Run a command in this process, for somebody who types a move and leaves; gives its status and its errors."""
    import logging
    import os
    import sys
    import traceback
    from io import StringIO
    from tempfile import TemporaryFile
    from unittest.mock import patch

    from quintet.cli import main

    with TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
        typed = StringIO("1 1\nquit\n")
        streams = patch.multiple(sys, argv=["quintet", *words], stdin=typed, stdout=output, stderr=errors)
        status: object = 0
        # What other targets have loaded may have set up a log of its own.
        with patch.dict(os.environ, environment), streams, patch.object(logging.getLogger(), "handlers", []):
            try:
                main()
            except SystemExit as exit:
                status = exit.code
            except Exception:
                traceback.print_exc()
                status = 1
        errors.seek(0)
        return status if isinstance(status, int) else 0, errors.read()
