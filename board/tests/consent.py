#!/usr/bin/env python3
"""A gateway that asks for photos, clips, the place and the microphone all day, and the person at the board.

    consent.py PORT VM REQUESTS SEED

The gateway's side of the protocol is its own, and strict about what the board sends. The person looks at what the virtual
machine's display shows, finds the question there by its frame, and touches an answer with the tablet; kills the agent, holds
the board and takes grants back at its console. What each request may have is known from these touches alone: a request that
gets its photo, its clip or its fix without one, that is answered twice, late or never, ends the run with exit code 1. In the
end a line of figures is printed, as JSON.
"""
import json
import os
import random
import select
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../peers"))
from screen import Machine, question, report  # noqa: E402
from websocket_server import CLOSE, PING, PONG, TEXT, Client, Gone, frame  # noqa: E402

# What each command needs, and its parameters.
COMMANDS = [
    ("camera.snap", {"camera"}, {"delayMs": 0, "maxWidth": 160, "purpose": "to see who is there"}),
    ("camera.snap", {"camera"}, {"delayMs": 0, "maxWidth": 160}),
    ("camera.clip", {"camera"}, {"durationMs": 300, "includeAudio": False}),
    ("camera.clip", {"camera", "microphone"}, {"durationMs": 300}),
    ("talk.ptt.once", {"microphone"}, {}),
    ("location.get", {"location"}, {"maxAgeMs": 60000, "timeoutMs": 1500}),
    ("screen.record", {"screen"}, {"durationMs": 300, "includeAudio": False}),
    ("device.info", set(), {}),
]
# The words of a question, the longer ones first.
WORDS = [
    ("take a photo", {"camera"}), ("film with sound", {"camera", "microphone"}), ("film", {"camera"}),
    ("listen", {"microphone"}), ("know where this board is", {"location"}), ("record this screen", {"screen"}),
]
FRAMES = {
    "req": ({"type", "id", "method", "params"}, set()),
    "node.invoke.result": ({"id", "nodeId", "ok"}, {"payload", "payloadJSON", "error"}),
    "error": ({"code", "message"}, set()),
}
# How a person answers, and how often of each they do. The first answers are these, so that each run has them.
ANSWERS = {"once": 8, "60s": 3, "session": 1, "today": 1, "no": 3, "ignored": 3}
FIRST_ANSWERS = ["once", "no", "60s"]
# Seconds by which a touch may be later than it was sent, and an end noticed later.
SLACK = 1.5


class Wrong(Exception):
    """The board did what it must not do."""


def check(kind, value):
    needed, possible = FRAMES[kind]
    keys = set(value)
    if not needed <= keys or not keys <= needed | possible:
        raise Wrong(f"a {kind} with the members {sorted(keys)}")


class Person:
    """Sees the display and touches it."""

    def __init__(self, vm, dice):
        self.folder, self.dice = vm, dice
        self.machine = Machine(vm)
        self.shot = os.path.join(vm, "consent.ppm")
        self.last = None

    def question(self):
        """The frame of a question on the display: left, top, right and bottom; None without one."""
        self.machine.run("screendump", filename=self.shot)
        return question(self.shot)

    def touch(self, frame_, answer):
        """Touches an answer: where it is follows from the sizes of the theme at 800 by 600."""
        left, _, right, bottom, width, height = frame_
        padding, button, gap = 18, 55, 10
        half = (right - left - 2 * padding - gap) // 4
        center = (left + right) // 2
        row = {"no": 0, "session": 1, "today": 1, "once": 2, "60s": 2}[answer]
        y = bottom - padding - button // 2 - row * (button + gap)
        x = {"no": center, "once": center - half, "session": center - half}.get(answer, center + half)
        for event in (f"place:{x * 32768 // width},{y * 32768 // height}", "press:left", "release:left"):
            self.machine.run("input-send-event", events=report(event))
            time.sleep(0.05)

    def asked(self):
        """What the question is about, by its words at the console, less what is granted already; and the seconds that are
        left of it at least, for a busy machine takes some to say that."""
        began = time.monotonic()
        lines = self.guest("talon grants --config /etc/talon/talon.conf").splitlines()
        words = next((line for line in lines if " wants to " in line), "")
        seconds = next((int(line.split()[2]) for line in lines if line.startswith("Answer within ")), 0)
        needs = next((needs for text, needs in WORDS if text in words), set())
        granted = {line.split()[0].split(".")[0] for line in lines if " granted for " in line}
        return needs - granted, seconds - (time.monotonic() - began)

    def guest(self, command):
        tool = os.path.join(HERE, "../vm")
        return subprocess.run([tool, "run", self.folder, command], capture_output=True, text=True).stdout


class Day:
    def __init__(self, port, vm, count, seed):
        self.dice = random.Random(seed)
        self.person = Person(vm, self.dice)
        self.count, self.sent = count, 0
        self.open, self.done = {}, set()
        # What was granted: once for each, and until when.
        self.once, self.until = {}, {}
        # What open requests may have begun with when the grants were ended, which they go on with to their end.
        self.begun = {}
        self.figures = dict.fromkeys(
            ["requests", "served", "refused", "lost", "questions", "ignored", "once", "60s", "session", "today", "no",
             "kills", "panics", "ends"], 0)
        self.seen = None
        self.first_answers = list(FIRST_ANSWERS)
        self.client = None
        self.server = socket.create_server(("0.0.0.0", port))
        self.server.settimeout(120)

    # The connection

    def connect(self):
        link, _ = self.server.accept()
        self.client = Client(link)
        self.send({"type": "event", "event": "connect.challenge", "payload": {"nonce": "nonce", "ts": 1}})
        while True:
            message = self.receive()
            if message.get("method") == "connect":
                break
        self.node = message["params"]["device"]["id"]
        self.send({"type": "res", "id": message["id"], "ok": True, "payload": {
            "type": "hello-ok", "protocol": message["params"]["maxProtocol"],
            "policy": {"tickIntervalMs": 15000, "maxPayload": 26214400, "maxBufferedBytes": 52428800}}})
        self.last_tick = time.monotonic()

    def send(self, value):
        self.client.send(frame(TEXT, json.dumps(value).encode()))

    def receive(self):
        while True:
            opcode, payload = self.client.event()
            if opcode == PING:
                self.client.send(frame(PONG, payload))
            elif opcode == CLOSE:
                raise Gone
            elif opcode == TEXT:
                value = json.loads(payload)
                if value.get("type") != "req":
                    raise Wrong(f"a frame of type {value.get('type')}")
                check("req", value)
                return value

    def reconnect(self):
        """The connection is gone, and with it what was open and what was granted for a session or a use."""
        self.figures["lost"] += len(self.open)
        self.open.clear()
        self.begun.clear()
        self.once.clear()
        self.until = {name: end for name, end in self.until.items() if end != "session"}
        self.connect()

    # Requests

    def request(self):
        name, needs, params = self.dice.choice(COMMANDS)
        self.sent += 1
        number = f"request-{self.sent}"
        timeout = self.dice.choice([8000, 15000, 30000])
        self.open[number] = (name, needs, time.monotonic(), timeout / 1000)
        self.figures["requests"] += 1
        self.send({"type": "event", "event": "node.invoke.request", "payload": {
            "id": number, "nodeId": self.node, "command": name, "paramsJSON": json.dumps(params),
            "timeoutMs": timeout, "sessionKey": "agent:main:main"}})

    def result(self, params):
        check("node.invoke.result", params)
        number = params["id"]
        if number in self.done:
            raise Wrong(f"{number} was answered twice")
        if number not in self.open:
            raise Wrong(f"{number} was answered, which is not open")
        self.done.add(number)
        name, needs, sent, timeout = self.open.pop(number)
        now = time.monotonic()
        if now - sent > timeout:
            raise Wrong(f"{name} was answered after {now - sent:.1f} s of {timeout} s")
        if params["ok"]:
            self.figures["served"] += 1
            return self.judge(name, needs - self.begun.pop(number, set()), sent)
        check("error", params["error"])
        self.figures["refused"] += 1

    def judge(self, name, needs, sent):
        """It was served: each of its needs was granted at some time while it was open."""
        for need in needs:
            end = self.until.get(need)
            if end == "session" or isinstance(end, float) and sent < end + SLACK:
                continue
            if self.once.get(need, 0) > 0:
                self.once[need] -= 1
                continue
            raise Wrong(f"{name} was served without leave to use the {need}")

    # The person

    def look(self):
        frame_ = self.person.question()
        if frame_ is None:
            self.seen = None
            return
        if self.seen is None:
            self.figures["questions"] += 1
            self.answer = self.first_answers[0] if self.first_answers else self.dice.choices(
                list(ANSWERS), list(ANSWERS.values()))[0]
            self.seen = time.monotonic()
        if self.answer == "ignored" or time.monotonic() - self.seen < 0.8:
            if self.answer == "ignored" and time.monotonic() - self.seen > 60:
                self.figures["ignored"] += 1
                self.seen = None
            return
        needs, seconds = self.person.asked()
        if not needs or seconds < 2:
            return
        self.allow(self.answer, needs)
        self.person.touch(frame_, self.answer)
        self.figures[self.answer] += 1
        self.first_answers = self.first_answers[1:]
        self.seen = None

    def allow(self, answer, needs):
        now = time.monotonic()
        for need in needs:
            if answer == "once":
                self.once[need] = self.once.get(need, 0) + 1
            elif answer == "60s":
                self.extend(need, now + 60)
            elif answer == "today":
                self.extend(need, now + 86400)
            elif answer == "session":
                self.until[need] = "session"

    def extend(self, need, end):
        old = self.until.get(need)
        if old != "session":
            self.until[need] = max(old or 0.0, end)

    def incident(self):
        what = self.dice.choice(["kill", "panic", "end", "end"])
        if what == "kill":
            self.figures["kills"] += 1
            self.person.guest("kill -KILL $(pidof talon)")
            self.drain()
            self.person.guest("talon run --config /etc/talon/talon.conf >> /tmp/talon.log 2>&1 &")
            self.reconnect()
        elif what == "panic":
            self.figures["panics"] += 1
            self.person.guest("talon panic --config /etc/talon/talon.conf")
            self.drain()
            self.until.clear()
            self.person.guest("talon panic release --config /etc/talon/talon.conf")
            self.reconnect()
        else:
            self.figures["ends"] += 1
            self.person.guest("talon grants end --config /etc/talon/talon.conf")
            self.pump(0.5)
            now = time.monotonic()
            granted = {need for need, end in self.until.items() if end == "session" or now < end + SLACK}
            granted |= {need for need, times in self.once.items() if times > 0}
            for number in self.open:
                self.begun.setdefault(number, set()).update(granted)
            self.until.clear()
            self.once.clear()

    def drain(self):
        """All that the board has sent, until it has ended the connection."""
        try:
            while True:
                self.take(self.receive())
        except Gone:
            pass

    def take(self, message):
        if message["method"] == "node.invoke.result":
            self.result(message["params"])
        self.send({"type": "res", "id": message["id"], "ok": True, "payload": {"ok": True}})

    def pump(self, seconds):
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if not self.client.input and not select.select([self.client.link], [], [], max(left, 0))[0]:
                return
            self.take(self.receive())

    def wants_more(self):
        return self.sent < self.count or self.first_answers and self.sent < 5 * self.count

    def run(self):
        self.connect()
        next_incident = self.count // 12 or 1
        looked = 0.0
        # On a busy computer most of the requests may be gone before the first answers are.
        while self.wants_more() or self.open:
            try:
                if self.wants_more() and len(self.open) < 3:
                    self.request()
                self.pump(0.05)
                now = time.monotonic()
                for number, (name, _, sent, timeout) in self.open.items():
                    if now - sent > timeout:
                        raise Wrong(f"{number}, {name}, was not answered in {timeout} s")
                oldest = min((entry[2] for entry in self.open.values()), default=now)
                if now - oldest > 0.7 and now - looked > 0.4:
                    looked = now
                    self.look()
                if now - self.last_tick > 5:
                    self.last_tick = now
                    self.send({"type": "event", "event": "tick", "payload": {"ts": 1}})
                if self.sent >= next_incident and self.sent < self.count:
                    next_incident += max(self.count // 12, 1)
                    self.incident()
            except Gone:
                self.reconnect()
        print(json.dumps(self.figures))


if __name__ == "__main__":
    try:
        Day(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])).run()
    except Wrong as error:
        sys.exit(f"consent.py: {error}")
