"""The runs of `study.py`, at three scales."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One training, of one network or of several that differ only in their seeds."""

    experiment: str
    game: str
    size: str
    width: int
    seeds: tuple[int, ...]
    length: int
    """Updates, or rounds of self-play."""
    layers: int
    batch: int
    frames: int = 1
    """Positions that the network sees: the last one, or the last two."""

    @property
    def name(self):
        """What its files are called."""
        seeds = f"{self.seeds[0]}-{self.seeds[-1]}"
        return f"{self.experiment}-{self.game}-{self.size}-width{self.width}-frames{self.frames}-seeds{seeds}"


SCALES = {
    "toy": {
        "boards": [("isolation", "7")],
        "widths": (8, 32),
        "seeds": (0, 1),
        "updates": 800,
        "frames": (2,),
        "walls": [("isolation", "7")],
        "wall": {"width": 16, "length": 10},
        "books": [("isolation", "7")],
        "book": {"seeds": (0, 1), "width": 32, "length": 800, "layers": 1, "batch": 64},
        "layers": 1,
        "batch": 64,
    },
    "small": {
        "boards": [
            *[("isolation", size) for size in ("9", "13", "17")],
            *[("gridlock", size) for size in ("3x3", "3x4", "4x4")],
            *[("grid-conquest", size) for size in ("3x4", "4x4", "5x5")],
            *[("point-capture", size) for size in ("3x4", "4x4", "5x5")],
            *[("adjacent-claim", size) for size in ("3x3", "3x4", "4x4")],
        ],
        "widths": (8, 16, 32, 64),
        "seeds": (0, 1, 2, 3, 4),
        "updates": 3_200,
        "frames": (1, 2),
        "walls": [(game, size) for game in ("isolation", "gridlock") for size in ("9", "13", "4x4")],
        "wall": {"width": 64, "length": 60},
        "books": [("isolation", "13"), ("gridlock", "4x4"), ("point-capture", "5x5"), ("grid-conquest", "5x5")],
        "book": {"seeds": (0, 1, 2), "width": 128, "length": 6_400, "layers": 3, "batch": 256},
        "layers": 2,
        "batch": 256,
    },
    "full": {
        "boards": [
            *[("isolation", size) for size in ("9", "13", "17")],
            *[("gridlock", size) for size in ("3x3", "3x4", "4x4")],
            *[("grid-conquest", size) for size in ("3x3", "4x4", "5x5")],
            *[("point-capture", size) for size in ("3x4", "4x4", "5x5")],
            *[("adjacent-claim", size) for size in ("3x3", "3x4", "4x4")],
        ],
        "widths": (16, 32, 64, 128, 256, 512, 1024),
        "seeds": (0, 1, 2),
        "updates": 12_800,
        "frames": (1, 2),
        "walls": [
            *[("isolation", size) for size in ("13", "17", "4x4")],
            *[("gridlock", size) for size in ("3x4", "4x4")],
        ],
        "wall": {"width": 256, "length": 60},
        "books": [
            *[("isolation", "13"), ("gridlock", "4x4"), ("grid-conquest", "5x5"), ("point-capture", "5x5")],
            ("adjacent-claim", "5x5"),
        ],
        "book": {"seeds": (0, 1, 2), "width": 1024, "length": 12_800, "layers": 4, "batch": 2048},
        "layers": 3,
        "batch": 2048,
    },
}
"""For tests; for two cores and an hour; for a GPU."""


def plan(experiment, scale):
    """The runs of an experiment."""
    chosen = SCALES[scale]
    shape, seeds = {"layers": chosen["layers"], "batch": chosen["batch"]}, chosen["seeds"]
    if experiment == "scaling":
        return [
            Run("scaling", game, size, width=width, seeds=seeds, length=chosen["updates"], **shape)
            for game, size in chosen["boards"]
            for width in chosen["widths"]
        ]
    if experiment == "book":
        return [Run("book", game, size, **chosen["book"]) for game, size in chosen["books"]]
    return [
        Run("wall", game, size, seeds=(seed,), frames=frames, **chosen["wall"], **shape)
        for game, size in chosen["walls"]
        for frames in chosen["frames"]
        for seed in seeds
    ]
