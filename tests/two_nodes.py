"""Two Ray nodes on this machine, one CPU each, in a process of their own: `python two_nodes.py FOLDER`.

It prints the address of the cluster and the port for `ray://`. Then it reads what to do, and says it when it is done:
`lose` kills the second node, `add` starts another. The cluster ends with its input.
"""

import socket
import sys
import tempfile
from pathlib import Path


def main() -> None:
    from ray.cluster_utils import Cluster

    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    lean = {"num_cpus": 1, "include_log_monitor": False}
    head = {"include_dashboard": False, "no_monitor": True, "ray_client_server_port": port, "temp_dir": sys.argv[1]}
    Path(tempfile.gettempdir(), "ray").mkdir(
        exist_ok=True
    )  # Ray notes the address there and takes the folder for granted.
    cluster = Cluster(initialize_head=True, head_node_args=lean | head)
    node = cluster.add_node(**lean)
    print(cluster.address, port, flush=True)
    for line in sys.stdin:
        if line == "lose\n":
            cluster.remove_node(node, allow_graceful=False)
        else:
            node = cluster.add_node(**lean)
        print(line, end="", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
