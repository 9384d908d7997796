"""Kernels for graphics cards: a function of many games at once that reads and writes each game once."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import jax
from jax.sharding import Mesh, PartitionSpec

from quintet.envs.space import InvalidSetting

SCAN, KERNEL = "scan", "kernel"
BLOCK = 256
"""Games per block of a kernel."""
GAMES_AXIS = "games"
"""The axis of a mesh of devices."""

Given = TypeVar("Given")
Made = TypeVar("Made")


def uses_kernel(games: int, method: str | None, mesh: Mesh | None) -> bool:
    """Whether the kernel is used: if it was chosen, or by default on a GPU if the games fill its blocks."""
    blocks = BLOCK * (mesh.size if mesh else 1)
    if method == KERNEL and games % blocks:
        raise InvalidSetting(f"the kernel takes games in blocks of {blocks}, not {games}")
    return method == KERNEL or (method is None and games % blocks == 0 and jax.default_backend() == "gpu")


def last_axis(array: jax.Array) -> PartitionSpec:
    """An array's last axis over all devices."""
    axes: tuple[str | None, ...] = (*[None] * (array.ndim - 1), GAMES_AXIS)
    return PartitionSpec(*axes)


def read(references: Given) -> Given:
    """What a kernel was given, in registers."""
    values: Given = jax.tree.map(lambda reference: reference[...], references)
    return values


def write(references: Made, values: Made) -> None:
    """Write what a kernel has made."""
    for reference, value in zip(jax.tree.leaves(references), jax.tree.leaves(values), strict=True):
        reference[...] = value


def run_kernel(
    play: Callable[[Given, Made], None], given: Given, like: Made, warps: int, mesh: Mesh | None = None
) -> Made:
    """Run a kernel on every block of games: it reads `given`, and overwrites the arrays of `like`.

    The arrays of `like` must be the first of `given`. The games are the last axis of every array. Every device of
    the mesh runs it on its own games. Without a GPU the kernel is interpreted, step by step.
    """
    if mesh:
        places, made_places = jax.tree.map(last_axis, given), jax.tree.map(last_axis, like)
        run_alone = partial(run_kernel, play, warps=warps)
        spread = jax.shard_map(
            run_alone, mesh=mesh, in_specs=(places, made_places), out_specs=made_places, check_vma=False
        )
        result: Made = spread(given, like)
        return result
    from jax.experimental import pallas
    from jax.experimental.pallas import triton

    def block(array: jax.Array) -> pallas.BlockSpec:
        before = array.shape[:-1]
        return pallas.BlockSpec((*before, BLOCK), lambda i: (*(0 for _ in before), i))

    inputs, outputs = jax.tree.leaves(given), jax.tree.leaves(like)

    def run(*references: jax.Array) -> None:
        ins, outs = references[: len(inputs)], references[len(inputs) :]
        play(jax.tree.unflatten(jax.tree.structure(given), ins), jax.tree.unflatten(jax.tree.structure(like), outs))

    parts = pallas.pallas_call(
        run,
        jax.eval_shape(lambda: outputs),
        grid=(outputs[0].shape[-1] // BLOCK,),
        in_specs=[block(part) for part in inputs],
        out_specs=[block(part) for part in outputs],
        input_output_aliases={place: place for place in range(len(outputs))},
        compiler_params=triton.CompilerParams(num_warps=warps),
        interpret=jax.default_backend() != "gpu",
    )(*inputs)
    made: Made = jax.tree.unflatten(jax.tree.structure(like), parts)
    return made
