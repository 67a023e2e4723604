#!/usr/bin/env python3
"""Sends a break on a serial line of a virtual machine: break.py QMP NAME, the machine's control socket and the line."""
import json
import socket
import sys

control = socket.socket(socket.AF_UNIX)
control.settimeout(10)
control.connect(sys.argv[1])
words = control.makefile("rw")


def ask(request):
    words.write(json.dumps(request) + "\n")
    words.flush()
    while True:
        answer = json.loads(words.readline())
        if "return" in answer:
            return
        if "error" in answer:
            sys.exit(answer["error"]["desc"])


words.readline()
ask({"execute": "qmp_capabilities"})
ask({"execute": "chardev-send-break", "arguments": {"id": sys.argv[2]}})
