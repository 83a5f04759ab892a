"""The external bot that `exec:` starts. It passes requests on to the warm server.

Its argument is the number of simulations, 0 for the network alone. Without an argument it thinks until the time limit.
"""

import json
import os
import socket
import sys
from pathlib import Path

from address import address  # address.py in this folder


def main() -> None:
    """Pass on the requests of one game."""
    sims = int(sys.argv[1]) if sys.argv[1:] else None
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(address(Path(os.environ["YARDSTICK"]))))
        with connection.makefile("rwb") as stream:
            stream.write(json.dumps({"sims": sims}).encode() + b"\n")
            for line in sys.stdin.buffer:
                stream.write(line)
                stream.flush()
                print(stream.readline().decode().strip(), flush=True)


if __name__ == "__main__":
    main()
