#!/usr/bin/env python3
"""A canvas host of other code than talon-gateway's, on a port in front of it: what is asked for below /__openclaw__/ it answers
itself, everything else it carries to the gateway.

  canvas_host.py FOLDER GATEWAY_PORT [--deaf]    on 127.0.0.1, at a free port, which it writes to FOLDER/port

Files are those of FOLDER/hosted. What clients ask for goes to FOLDER/asked, a line each; what stands in FOLDER/say, a name of the
table below, is done to all who listen, once. --deaf: nobody may listen.
"""
import os
import socket
import sys
import threading
import time
import types

import websocket_server as ws

TYPES = {"png": "image/png", "html": "text/html"}
folder, gateway = sys.argv[1], int(sys.argv[2])
is_deaf = "--deaf" in sys.argv
listeners = []

# What may be said.
WORDS = {
    "reload": lambda client: client.send(ws.frame(ws.TEXT, b"reload")),
    "burst": lambda client: client.send(ws.frame(ws.TEXT, b"reload") * 200),
    "pieces": lambda client: client.send(ws.fragments(ws.TEXT, b"reload", 1), chop=1),
    "others": lambda client: client.send(
        ws.frame(ws.TEXT, b"reloads") + ws.frame(ws.TEXT, b"reloa") + ws.frame(ws.BINARY, b"reload") + ws.frame(ws.TEXT, b"")
        + ws.frame(ws.TEXT, b'{"type":"event","event":"connect.challenge"}') + ws.frame(ws.PING, b"reload")
        + ws.fragments(ws.TEXT, b"x" * 3_000_000, 70_000)),
    "close": lambda client: client.send(ws.frame(ws.CLOSE, ws.closing(1012))),
    "cut": lambda client: client.link.shutdown(socket.SHUT_RDWR),
}


def note(line):
    with open(os.path.join(folder, "asked"), "a") as file:
        file.write(line + "\n")


def carry(source, target):
    try:
        while data := source.recv(1 << 16):
            target.sendall(data)
    except OSError:
        pass
    for link in source, target:
        try:
            link.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def listen(link, head):
    # The client's own bytes, read again by who upgrades it.
    peer = types.SimpleNamespace(
        recv=lambda count: peer.first.pop() if peer.first else link.recv(count), first=[head], sendall=link.sendall,
        settimeout=lambda _: link.settimeout(None), setsockopt=link.setsockopt, shutdown=link.shutdown)
    client = ws.Client(peer)
    note("listens")
    listeners.append(client)
    try:
        while True:
            opcode, payload = client.event()
            if opcode == ws.PONG:
                note("pong " + payload.decode())
            elif opcode == ws.CLOSE:
                client.send(ws.frame(ws.CLOSE, payload))
                break
            else:
                note("unexpected")
    except ws.Gone:
        pass
    except ws.Violation as error:
        note(f"violation: {error}")
    listeners.remove(client)
    note("left")
    link.close()


def serve(link, path):
    name = path.rsplit("/", 1)[-1]
    try:
        with open(os.path.join(folder, "hosted", name), "rb") as file:
            body, status = file.read(), "200 OK"
    except OSError:
        body, status = b"Not Found", "404 Not Found"
    kind = TYPES.get(name.rsplit(".", 1)[-1], "text/plain")
    link.sendall(
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    link.close()


def accept(link):
    head = b""
    while b"\r\n\r\n" not in head:
        more = link.recv(1 << 16)
        if not more:
            return
        head += more
    path = head.split(b" ", 2)[1].decode()
    if "/__openclaw__/" not in path:
        other = socket.create_connection(("127.0.0.1", gateway))
        other.sendall(head)
        threading.Thread(target=carry, args=(other, link), daemon=True).start()
        return carry(link, other)
    # The capability is not written down.
    parts = path.split("/")
    note("GET " + "/".join("TOKEN" if before == "cap" else part for before, part in zip([""] + parts, parts)))
    if path.endswith("/__openclaw__/ws") and not is_deaf:
        return listen(link, head)
    serve(link, path)


def speak():
    path = os.path.join(folder, "say")
    while True:
        time.sleep(0.05)
        try:
            with open(path) as file:
                word = file.read().strip()
            os.unlink(path)
        except OSError:
            continue
        for client in list(listeners):
            WORDS[word](client)


server = socket.create_server(("127.0.0.1", 0))
with open(os.path.join(folder, "port"), "w") as file:
    file.write(str(server.getsockname()[1]))
threading.Thread(target=speak, daemon=True).start()
while True:
    threading.Thread(target=accept, args=(server.accept()[0],), daemon=True).start()
