#!/usr/bin/env python3
"""Asks for one canvas command over Talon's socket, as another node at the board does.

door.py SOCKET COMMAND PARAMETERS    prints the payload; ends with 1 and prints the error when it is refused
"""
import json
import os
import socket
import stat
import sys

path, command, parameters = sys.argv[1:4]
mode = os.stat(path).st_mode
assert stat.S_ISSOCK(mode) and mode & 0o077 == 0, "not a socket of its owner alone"
with open("/proc/net/unix") as table:
    assert any(line.split()[-1] == path for line in table), "nobody listens there"
with socket.socket(socket.AF_UNIX) as connection:
    connection.settimeout(30)
    connection.connect(path)
    request = {"id": "7", "command": command, "paramsJSON": parameters}
    connection.sendall(json.dumps(request).encode() + b"\n")
    answer = json.loads(connection.makefile("rb").readline())
assert answer["id"] == "7"
if "error" in answer:
    print(answer["error"]["code"], answer["error"]["message"])
    sys.exit(1)
assert answer["ok"] is True
print(json.dumps(json.loads(answer["payloadJSON"])))
