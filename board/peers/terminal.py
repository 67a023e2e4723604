#!/usr/bin/env python3
"""A person's terminal program: connects the terminal it runs on with a serial line.

  terminal.py LINE LOG REQUESTS

LINE is a unix socket, LOG gets a line "MILLISECONDS BYTES" for all that came together, REQUESTS is a pipe of requests:
"send FILE" sends what is in it as it is, "count" does nothing. Ends with the line.
"""
import os
import select
import socket
import sys
import termios
import time
import tty


def main(path, log, requests):
    line = socket.socket(socket.AF_UNIX)
    line.connect(path)
    # Opened for both, so that it never ends.
    orders = os.open(requests, os.O_RDWR | os.O_NONBLOCK)
    saved = termios.tcgetattr(0)
    tty.setraw(0)
    outgoing = b""
    try:
        with open(log, "w", buffering=1) as record:
            while True:
                ready, writable, _ = select.select([0, line, orders], [line] if outgoing else [], [])
                if line in ready:
                    data = line.recv(65536)
                    if not data:
                        return
                    os.write(1, data)
                    record.write(f"{time.monotonic_ns() // 1000000} {len(data)}\n")
                if 0 in ready:
                    outgoing += os.read(0, 4096)
                if orders in ready:
                    for order in os.read(orders, 4096).decode().splitlines():
                        word, _, name = order.partition(" ")
                        if word == "send":
                            with open(name, "rb") as file:
                                outgoing += file.read()
                if line in writable:
                    outgoing = outgoing[line.send(outgoing[:65536]):]
                    if not outgoing:
                        record.write(f"{time.monotonic_ns() // 1000000} sent\n")
    finally:
        termios.tcsetattr(0, termios.TCSANOW, saved)


main(*sys.argv[1:])
