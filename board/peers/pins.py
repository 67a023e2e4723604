#!/usr/bin/env python3
"""The pins of the board in board/lib/virt.sh.

  pins.py FOLDER set LINE LEVEL                 drives an input line of the GPIO chip
  pins.py FOLDER pulse LINE COUNT MILLISECONDS  drives a line high and low so often, each for so long
  pins.py FOLDER word ADDRESS                   prints 32 bits of the machine's memory
  pins.py FOLDER press MILLISECONDS...          presses the button, lets go, presses ...: times down and up in turn
"""
import json
import socket
import sys
import time

BUTTON = 7


class Channel:
    """A qemu socket that answers line by line."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r")

    def say(self, text):
        self.socket.sendall((text + "\n").encode())


def chip_path(folder):
    """Where qemu keeps the GPIO chip: it has no name of its own."""
    monitor = Channel(folder + "/qmp.sock")
    monitor.lines.readline()

    def ask(command, **arguments):
        monitor.say(json.dumps({"execute": command, "arguments": arguments}))
        while True:
            answer = json.loads(monitor.lines.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                sys.exit("pins.py: " + answer["error"]["desc"])

    ask("qmp_capabilities")
    for entry in ask("qom-list", path="/machine/unattached"):
        if entry["type"] == "child<pl061>":
            return "/machine/unattached/" + entry["name"]
    sys.exit("pins.py: this machine has no PL061")


class Pins:
    def __init__(self, folder):
        self.chip = chip_path(folder)
        self.qtest = Channel(folder + "/qtest.sock")

    def set(self, line, level):
        self.qtest.say(f"set_irq_in {self.chip} unnamed-gpio-in {line} {level}")
        answer = self.qtest.lines.readline()
        if not answer.startswith("OK"):
            sys.exit("pins.py: " + answer)

    def pulse(self, line, count, milliseconds):
        end = time.monotonic()
        for level in [1, 0] * count:
            self.set(line, level)
            end += milliseconds / 1000
            time.sleep(max(0, end - time.monotonic()))

    def word(self, address):
        self.qtest.say(f"readl {address:#x}")
        answer = self.qtest.lines.readline().split()
        if answer[:1] != ["OK"]:
            sys.exit("pins.py: " + " ".join(answer))
        print(int(answer[1], 16))

    def press(self, times):
        """The button connects its line to ground."""
        end = time.monotonic()
        for index, milliseconds in enumerate(times):
            self.set(BUTTON, index % 2)
            end += milliseconds / 1000
            time.sleep(max(0, end - time.monotonic()))
        self.set(BUTTON, 1)


def main():
    folder, command, numbers = sys.argv[1], sys.argv[2], [int(word, 0) for word in sys.argv[3:]]
    pins = Pins(folder)
    if command == "set":
        pins.set(*numbers)
    elif command == "pulse":
        pins.pulse(*numbers)
    elif command == "word":
        pins.word(*numbers)
    elif command == "press":
        pins.press(numbers)
    else:
        sys.exit(__doc__)


main()
