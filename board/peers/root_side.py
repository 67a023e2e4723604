"""The root side of a board with two systems, and its power: starts the agent, obeys its requests, and restarts it as a board would.

root_side.py FOLDER SYSTEM COMMAND...

FOLDER is the agent's folder of requests, SYSTEM where root's side reports. COMMAND starts the agent. A system whose version stands
in SYSTEM/../crashes is a program that ends at once. SYSTEM/../seconds: how long a trial may last. SYSTEM/../environment-VERSION:
words put before COMMAND for that version. What it does is printed, a line each.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

folder, system, command = sys.argv[1], sys.argv[2], sys.argv[3:]
bench = os.path.dirname(system)
state_path = os.path.join(bench, "slots.json")
agent = None


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def read(name, usual=""):
    try:
        with open(os.path.join(bench, name)) as file:
            return file.read().strip()
    except FileNotFoundError:
        return usual


def write(name, text):
    os.makedirs(system, exist_ok=True)
    path = os.path.join(system, name)
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def uptime():
    with open("/proc/uptime") as file:
        return float(file.read().split()[0])


if os.path.exists(state_path):
    with open(state_path) as file:
        slots = json.load(file)
else:
    slots = {
        "running": "a", "starts": 0, "last": {},
        "a": {"version": "0.4.0", "state": "good"}, "b": {"version": "", "state": "empty"},
    }


def other():
    return "b" if slots["running"] == "a" else "a"


def keep():
    with open(state_path, "w") as file:
        json.dump(slots, file)
    mine, its = slots[slots["running"]], slots[other()]
    lines = [
        f"slot = {slots['running']}", f"state = {mine['state']}", f"version = {mine['version']}", "board = talon-x86",
        f"other_state = {its['state']}",
    ]
    if its["version"]:
        lines.append(f"other_version = {its['version']}")
    if mine["state"] == "trial":
        lines += [f"starts_left = {slots['starts']}", f"trial_seconds = {int(slots['until'])}"]
    lines += [f"last_{key} = {value}" for key, value in slots["last"].items()]
    write("slot", "\n".join(lines) + "\n")


def answer(number, state, **more):
    lines = [f"id = {number}", f"state = {state}"] + [f"{key} = {value}" for key, value in more.items()]
    write("answer", "\n".join(lines) + "\n")


def stop():
    global agent
    if agent and agent.poll() is None:
        agent.send_signal(signal.SIGTERM)
        try:
            agent.wait(20)
        except subprocess.TimeoutExpired:
            agent.kill()
            agent.wait()
    agent = None


def boot():
    """The board starts: the memory of the last run is gone."""
    global agent
    stop()
    for name in ("answer",):
        if os.path.exists(os.path.join(system, name)):
            os.unlink(os.path.join(system, name))
    mine = slots[slots["running"]]
    if mine["state"] == "trial":
        if slots["starts"] == 0:
            return leave("starts")
        slots["starts"] -= 1
        slots["until"] = uptime() + float(read("seconds", "600"))
    keep()
    words = read(f"environment-{mine['version']}").split()
    crashes = mine["version"] in read("crashes").split()
    say(f"start {slots['running']} {mine['version']} {mine['state']}")
    agent = subprocess.Popen(["/bin/false"] if crashes else words + command)


def leave(reason):
    mine = slots[slots["running"]]
    say(f"left {mine['version']}: {reason}")
    mine["state"] = "bad"
    slots["last"] = {"result": "left", "version": mine["version"], "reason": reason}
    slots["running"] = other()
    boot()


def install(number, request):
    with open(request["bundle"], "rb") as file:
        content = file.read()
    found = re.search(rb"compatible=(\S+)\s+version=(\S+)", content)
    if not found:
        return answer(number, "failed", reason="signature: not a bundle")
    compatible, version = found[1].decode(), found[2].decode()
    if compatible != "talon-x86":
        return answer(number, "failed", reason=f"the bundle is for {compatible}, this board is talon-x86")
    for percent in (20, 60):
        answer(number, "working", percent=percent)
        time.sleep(1)
    slots[other()] = {"version": version, "state": "installed"}
    keep()
    say(f"installed {version}")
    answer(number, "done")


def obey(request):
    number, order = int(request["id"]), request["do"]
    say(f"asked {order}")
    if order == "install":
        install(number, request)
    elif order == "try":
        answer(number, "done")
        slots[other()]["state"] = "trial"
        slots["running"] = other()
        slots["starts"] = 3
        boot()
    elif order == "confirm":
        slots[slots["running"]]["state"] = "good"
        slots["last"] = {"result": "confirmed", "version": slots[slots["running"]]["version"]}
        keep()
        answer(number, "done")
    elif order == "leave":
        leave("asked " + request.get("reason", ""))
    elif order == "rollback":
        slots["running"] = other()
        boot()
    elif order == "cancel":
        answer(number, "done")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    seen = ""
    boot()
    try:
        while True:
            time.sleep(0.2)
            mine = slots[slots["running"]]
            if mine["state"] == "trial" and uptime() > slots["until"]:
                leave("time")
            if os.path.exists(os.path.join(bench, "cut")):
                os.unlink(os.path.join(bench, "cut"))
                say("power cut")
                if agent:
                    agent.kill()
                    agent.wait()
                boot()
            if agent and agent.poll() is not None:
                say("the agent ended")
                time.sleep(1)
                boot()
            try:
                with open(os.path.join(folder, "request")) as file:
                    text = file.read(4096)
            except FileNotFoundError:
                continue
            if text != seen:
                seen = text
                obey(dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line))
    finally:
        stop()


main()
