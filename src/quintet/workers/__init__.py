"""Many workers behind one interface: this process, processes on this machine, or a Ray cluster.

A `Work` says what is done, a `Task` is one piece of it, and `Workers`, read from `--workers`, have it done.
"""

from quintet.workers.interface import Pool, Signals, Work, WorkerDied, Workers
from quintet.workers.reading import read_workers

__all__ = ["Pool", "Signals", "Work", "WorkerDied", "Workers", "read_workers"]
