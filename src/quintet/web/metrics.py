"""What a server process counts for its operator, in Prometheus' format."""

import os
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.metrics_core import Metric


class ProcessRegistry(CollectorRegistry):
    """Says with every value which process it is of: several share one address, and any of them may answer."""

    def collect(self) -> Iterable[Metric]:
        """All metrics with their values now."""
        for metric in super().collect():
            metric.samples = [
                one._replace(labels={**one.labels, "process": str(os.getpid())})
                for one in metric.samples
                if not one.name.endswith("_created")  # The start of the process says enough.
            ]
            yield metric


Values = dict[tuple[str, str], float]
"""Values by the name of the metric and its label; the label is empty if it has none."""

REGISTRY = ProcessRegistry()
"""The metrics below, and those of the process: its memory, its processor time and its open files."""
PROCESS = ProcessCollector(registry=REGISTRY)

REFUSED = Counter(
    "quintet_refused", "Requests, sockets and connections refused as invalid.", ["reason"], registry=REGISTRY
)
LIMITED = Counter(
    "quintet_limited", "Requests, sockets and messages beyond a rate limit.", ["limit"], registry=REGISTRY
)
FAULTS = Counter(
    "quintet_faults", "Faults of the database, the engines and the worker processes.", ["part"], registry=REGISTRY
)
STALE = Counter(
    "quintet_stale", "Changes tried again because another process had changed the match.", registry=REGISTRY
)
SLOW = Counter(
    "quintet_slow",
    "Slow writes to the database and slow clients.",
    ["what"],
    registry=REGISTRY,
)
TABLES = Gauge("quintet_tables", "Tables in memory.", registry=REGISTRY)
SOCKETS = Gauge("quintet_sockets", "Open WebSockets.", registry=REGISTRY)
WAITING = Gauge("quintet_waiting", "Work that waits for a worker process.", ["kind"], registry=REGISTRY)
BUSY = Gauge("quintet_workers_busy", "Worker processes that are working.", registry=REGISTRY)
OLDEST_WRITE = Gauge("quintet_oldest_write_seconds", "Seconds that the oldest write has taken.", registry=REGISTRY)
WRITES = Histogram(
    "quintet_write_seconds",
    "Seconds per transaction of the writer.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60),
    registry=REGISTRY,
)


def read_values() -> Values:
    """All values now."""
    # Not those of `REGISTRY.collect`, so that the label of a value is its own.
    found = (one for metric in CollectorRegistry.collect(REGISTRY) for one in metric.samples)
    return {(one.name, next(iter(one.labels.values()), "")): one.value for one in found}
