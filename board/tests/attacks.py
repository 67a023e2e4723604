"""A gateway that means harm, and what becomes of the node.

    attacks.py TALON FOLDER [EMULATOR...]

Each attack gets a node of its own, in a folder of its own, and runs beside the others. Before and after it the node answers a
command; during it the node's memory may not grow by more than it has set aside, and it may not end. Under an emulator memory is
not judged, for the code that it has translated is in it; nor are signals sent, some of which it keeps for itself.
"""

import concurrent.futures
import json
import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peers"))
from websocket_server import BINARY, CLOSE, PING, PONG, TEXT, Client, Gone, fragments, frame  # noqa: E402

MEBIBYTE = 1 << 20
# What the node may take above what it had when it was new: the pages of buffers that stood ready, touched now.
MOST_KEPT = 256 * 1024
MOST_AT_ONCE = 768 * 1024
# Seconds until the node is back: the longest that it believes a link without messages, and its pause.
BACK = 90

CONFIG = """[gateway]
url = ws://127.0.0.1:{port}
token = attacks-shared-token
[node]
name = Attacked
state_directory = {folder}/state
runtime_directory = {folder}/run
[camera]
driver = none
"""


class NotSo(Exception):
    """The node did what it must not, or not what it must."""


class Node:
    """A node, and the harmful gateway's end of its connection."""

    def __init__(self, program, folder):
        """`program`: its command line, or that of an emulator with it."""
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(BACK)
        os.makedirs(folder)
        self.folder = folder
        config = os.path.join(folder, "talon.conf")
        with open(config, "w") as file:
            file.write(CONFIG.format(port=self.listener.getsockname()[1], folder=folder))
        self.log = open(os.path.join(folder, "talon.log"), "wb")
        self.process = subprocess.Popen(program + ["run", "--config", config], stderr=self.log)
        self.count = 0
        self.answered = set()
        self.client = None

    def connect(self):
        """Accepts the node as a gateway of today would. Attempts that it gave up meanwhile are in the queue before it."""
        while True:
            try:
                return self.accept()
            except (Gone, ConnectionError):
                pass

    def accept(self):
        link, _ = self.listener.accept()
        self.client = Client(link)
        self.event("connect.challenge", {"nonce": "n", "ts": int(time.time() * 1000)})
        request = self.request()
        if request["method"] != "connect":
            raise NotSo("its first request is " + request["method"])
        self.node_id = request["params"]["device"]["id"]
        self.answer(request, {
            "type": "hello-ok", "protocol": 4, "server": {"version": "2026.8.1", "connId": "c"},
            "features": {"methods": [], "events": []}, "snapshot": {},
            "policy": {"maxPayload": 25 * MEBIBYTE, "maxBufferedBytes": 50 * MEBIBYTE, "tickIntervalMs": 30000},
            "auth": {"deviceToken": "attacks-device-token", "role": "node", "scopes": []}})

    def message(self, value):
        return frame(TEXT, json.dumps(value).encode())

    def event(self, name, payload):
        self.client.send(self.message({"type": "event", "event": name, "payload": payload}))

    def answer(self, request, payload):
        self.client.send(self.message({"type": "res", "id": request["id"], "ok": True, "payload": payload}))

    def request(self):
        """The node's next request; its pings are answered."""
        while True:
            opcode, payload = self.client.event()
            if opcode == PING:
                self.client.send(frame(PONG, payload))
            if opcode == CLOSE:
                raise Gone
            if opcode == TEXT:
                return json.loads(payload)

    def invoke(self, command="device.info", params="{}"):
        self.count += 1
        name = "i%d" % self.count
        return name, self.message({"type": "event", "event": "node.invoke.request", "payload": {
            "id": name, "nodeId": self.node_id, "command": command, "paramsJSON": params, "timeoutMs": 20000}})

    def results(self, names):
        """Waits until each of these is answered; fails when one is answered twice."""
        missing = set(names)
        while missing:
            request = self.request()
            self.answer(request, {"ok": True})
            if request["method"] != "node.invoke.result":
                continue
            name = request["params"]["id"]
            if name in self.answered:
                raise NotSo("the invoke %s was answered twice" % name[:40])
            self.answered.add(name)
            missing.discard(name)

    def serves(self):
        """It answers a command, on this connection or, if it left, on its next."""
        for _ in range(3):
            try:
                name, message = self.invoke()
                self.client.send(message)
                return self.results([name])
            except (Gone, OSError):
                self.connect()
        raise NotSo("it connects, but answers no command")

    def memory(self):
        """Bytes of its own now, and the most that it ever had in memory."""
        own = 0
        with open("/proc/%d/smaps_rollup" % self.process.pid) as file:
            for line in file:
                if line.startswith(("Private_Dirty:", "Swap:")):
                    own += int(line.split()[1]) * 1024
        with open("/proc/%d/status" % self.process.pid) as file:
            most = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmHWM:"))
        return own, most

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.listener.close()
        try:
            if self.process.wait(15) != 0:
                raise NotSo("it ended with %d" % self.process.returncode)
        finally:
            self.process.kill()
            self.log.close()


# The attacks: functions of a node that is connected. They may leave the connection as they like.

def one_large_message(node):
    """A message of 25 MiB in one frame, on a connection that stays."""
    head, tail = b'{"type":"event","event":"x","payload":{"text":"', b'"}}'
    node.client.send(frame(TEXT, head + b"a" * (25 * MEBIBYTE - len(head) - len(tail)) + tail))
    name, message = node.invoke()
    node.client.send(message)
    node.results([name])


def large_parameters(node):
    """An invoke whose parameters are larger than any command's."""
    _, message = node.invoke("device.info", json.dumps({"text": "a" * (20 * MEBIBYTE)}))
    node.client.send(message)


def endless_fragments(node):
    """A message that never ends, in frames of all sizes."""
    node.client.send(frame(TEXT, b'{"type":"event","payload":"', fin=False))
    for round_ in range(4000):
        node.client.send(frame(0, b"a" * (1 << round_ % 15), fin=False))
        node.client.send(frame(0, b"", fin=False))


def large_message_in_small_frames(node):
    text = b'{"type":"event","event":"x","payload":"' + b"b" * (2 * MEBIBYTE) + b'"}'
    node.client.send(fragments(TEXT, text, 7))


def flood_of_events(node):
    """Two hundred thousand events, known and unknown, and pings."""
    some = b"".join(
        [node.message({"type": "event", "event": name, "payload": {"ts": 1}})
         for name in ("tick", "chat", "health", "presence", "voicewake.changed", "node.invoke.cancel", "x")]
        + [frame(PING, b"p")])
    for _ in range(250):
        node.client.send(some * 100)
        node.client.link.setblocking(False)
        try:
            while node.client.link.recv(MEBIBYTE):
                pass
        except BlockingIOError:
            pass
        node.client.link.settimeout(BACK)
    node.client.link.close()


def thousand_invokes(node):
    """All at once, and each is answered once."""
    invokes = [node.invoke("device.status") for _ in range(1000)]
    node.client.send(b"".join(message for _, message in invokes))
    node.results(name for name, _ in invokes)


def same_invoke_thousand_times(node):
    """The same id over and over, as from a gateway that lost its mind."""
    name, message = node.invoke()
    node.client.send(message * 1000)
    time.sleep(2)
    node.client.link.close()


def nothing_is_read(node):
    """Invokes, and nobody who takes their answers."""
    node.client.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deadline = time.monotonic() + 50
    node.client.link.settimeout(1)
    while time.monotonic() < deadline:
        try:
            node.client.link.sendall(node.invoke("device.health")[1] * 20)
        except TimeoutError:
            pass
        except OSError:
            break
        time.sleep(0.2)
    node.client.link.close()


def nothing_is_answered(node):
    """Its own requests are read, and get no answer; the link is otherwise fine."""
    deadline = time.monotonic() + 40
    node.client.link.settimeout(1)
    while time.monotonic() < deadline:
        try:
            node.request()
        except TimeoutError:
            node.event("tick", {"ts": 1})


def dribble(node):
    """A message of which a byte comes every half second."""
    node.client.send(frame(TEXT, b"a" * 1000)[:4])
    deadline = time.monotonic() + 75
    while time.monotonic() < deadline:
        try:
            node.client.link.sendall(b"a")
        except OSError:
            return
        time.sleep(0.5)
    raise NotSo("it waited for a message that did not come")


def slow_upgrade(node):
    """The next connection's upgrade is answered a byte a second."""
    node.client.link.close()
    link, _ = node.listener.accept()
    try:
        for byte in b"HTTP/1.1 101 Switching Protocols\r\nX-Padding: " + b"a" * 60:
            link.sendall(bytes([byte]))
            time.sleep(1)
    except OSError:
        link.close()
        return node.connect()
    raise NotSo("it waited for an upgrade that did not come")


def endless_upgrade(node):
    """The next connection's upgrade is answered by header lines without end."""
    node.client.link.close()
    link, _ = node.listener.accept()
    try:
        link.sendall(b"HTTP/1.1 101 Switching Protocols\r\n")
        for _ in range(100000):
            link.sendall(b"X-Padding: " + b"a" * 1000 + b"\r\n")
    except OSError:
        link.close()
        return node.connect()
    raise NotSo("it took 100 MB of header lines")


def nonsense(node):
    """What is no JSON, too deep, of wrong types, in wrong order, with numbers that no machine holds."""
    deep = b'{"type":"event","event":"x","payload":' + b"[" * 100000
    texts = [
        b"", b"null", b"[]", b"7", b'"', deep, b'{"type":7}', b'{"type":"res"}', b'{"type":"res","id":"q0","ok":7}',
        b'{"type":"event","event":"node.invoke.request"}', b'{"type":"event","event":"node.invoke.request","payload":7}',
        b'{"type":"event","event":"node.invoke.request","payload":{"id":"one","command":7,"paramsJSON":[]}}',
        b'{"type":"event","event":"node.invoke.request","payload":{"id":"' + b"x" * 70000 + b'","command":"device.info"}}',
        b'{"type":"event","event":"tick","payload":{"ts":1e999999999}}', b'{"type":"event","event":"\\ud800"}',
        b'{"type":"event","event":"node.invoke.cancel","payload":{"invokeId":"no such"}}',
    ]
    for text in texts:
        for opcode, name in ((TEXT, b"one"), (BINARY, b"two")):
            node.client.send(frame(opcode, text.replace(b"one", name)))
            node.serves()


def local_clients(node):
    """More clients than the local socket has places, some with the beginning of a request, and one more that asks."""
    path = os.path.join(node.folder, "run", "control")
    clients = []
    for index in range(40):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(BACK)
        client.connect(path)
        clients.append(client)
        try:
            if index % 2:
                client.sendall(b"{")
        except OSError:
            pass  # Another got its place.
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(BACK)
            asking.connect(path)
            asking.sendall(b'{"id":7,"op":"status"}\n')
            answer = b""
            while not answer.endswith(b"\n"):
                piece = asking.recv(65536)
                if not piece:
                    raise NotSo("local clients lock others out")
                answer += piece
    except OSError as problem:
        raise NotSo("local clients lock others out: %s" % problem)
    finally:
        for client in clients:
            client.close()
    if json.loads(answer).get("id") != 7:
        raise NotSo("the local socket answers " + answer[:80].decode())


def signals(node):
    """Every signal that would end a program by default, but those that ask it to end and those of faults."""
    for number in [10, 12, 13, 14, 16, 24, 25, 26, 27, 29, 30] + list(range(34, 65)):
        os.kill(node.process.pid, number)
    node.serves()


ATTACKS = [
    dribble, nothing_is_read, nothing_is_answered, slow_upgrade, one_large_message, large_parameters, endless_fragments,
    large_message_in_small_frames, flood_of_events, thousand_invokes, same_invoke_thousand_times, endless_upgrade, nonsense,
    local_clients, signals,
]


def run(program, folder, attack):
    """None, or what is not so; and what the attack cost in memory."""
    node = Node(program, os.path.join(folder, attack.__name__))
    cost = ""
    try:
        node.connect()
        node.serves()
        own, most = node.memory()
        try:
            attack(node)
        except (Gone, OSError):
            pass  # It may leave.
        node.serves()
        own_after, most_after = node.memory()
        cost = "%+4d KiB, at most %+5d KiB" % ((own_after - own) // 1024, (most_after - most) // 1024)
        is_judged = len(program) == 1
        if is_judged and (own_after - own > MOST_KEPT or most_after - most > MOST_AT_ONCE):
            raise NotSo("its memory grew")
        node.end()
        return cost, None
    except (NotSo, Gone, OSError) as problem:
        return cost, "%s %s" % (type(problem).__name__, problem)
    finally:
        node.process.kill()
        node.process.wait()


def main():
    talon, folder, *emulator = sys.argv[1:]
    program = emulator + [talon]
    attacks = [attack for attack in ATTACKS if not emulator or attack is not signals]
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        runs = [(attack, pool.submit(run, program, folder, attack)) for attack in attacks]
        failed = 0
        for attack, future in runs:
            cost, problem = future.result()
            print("%-30s %s %s" % (attack.__name__.replace("_", " "), cost, problem or "survived"))
            failed += problem is not None
    sys.exit(1 if failed else 0)


main()
