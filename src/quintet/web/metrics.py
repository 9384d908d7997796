"""What a server process counts for its operator, in Prometheus' format."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
"""The metrics below, and nothing else."""

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
    "quintet_slow", "Writes, reads and sends that took longer than they should.", ["what"], registry=REGISTRY
)
TABLES = Gauge("quintet_tables", "Tables in memory.", registry=REGISTRY)
SOCKETS = Gauge("quintet_sockets", "Open WebSockets.", registry=REGISTRY)
WAITING = Gauge("quintet_waiting", "Work that waits for a worker process.", ["kind"], registry=REGISTRY)
WRITES = Histogram(
    "quintet_write_seconds",
    "Seconds per transaction of the writer.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
    registry=REGISTRY,
)
