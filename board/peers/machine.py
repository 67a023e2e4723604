#!/usr/bin/env python3
"""What is asked of a virtual machine through its control socket (QMP, qemu's "QEMU Machine Protocol").

  machine.py break QMP LINE    sends a break on a serial line
  machine.py save QMP FILE     writes the machine's whole state to a file; from then on it stands still
"""
import json
import shlex
import socket
import sys
import time

SECONDS_MAX = 120


def connect(path):
    """A function that asks for a command and returns the answer."""
    control = socket.socket(socket.AF_UNIX)
    control.settimeout(10)
    control.connect(path)
    words = control.makefile("rw")

    def ask(command, **arguments):
        words.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        words.flush()
        while True:
            answer = json.loads(words.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                sys.exit(f"{command}: {answer['error']['desc']}")

    words.readline()
    ask("qmp_capabilities")
    return ask


def save(ask, file):
    ask("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
    ask("migrate", uri=f"exec:cat > {shlex.quote(file)}")
    for _ in range(SECONDS_MAX * 10):
        status = ask("query-migrate")["status"]
        if status == "completed":
            return
        if status in ("failed", "cancelled"):
            break
        time.sleep(0.1)
    sys.exit(f"the machine's state was not written to {file}: {status}")


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("break", "save"):
        sys.exit(__doc__)
    ask = connect(sys.argv[2])
    if sys.argv[1] == "break":
        ask("chardev-send-break", id=sys.argv[3])
    else:
        save(ask, sys.argv[3])


if __name__ == "__main__":
    main()
