#!/usr/bin/env python3
"""What a virtual machine's displays show, and what is done to its input devices (QMP).

  screen.py shot VM FILE [DEVICE]           what a display scans out, as PPM
  screen.py shows SHOT PICTURE TURN BITS    whether it shows the picture (PPM), turned clockwise, at 16 or 24 bits a pixel
  screen.py memory FILE WIDTH HEIGHT STRIDE BITS PICTURE TURN
                                            the same of a frame buffer's memory, 16 or 24 bits a pixel
  screen.py same SHOT SHOT                  whether two show the same
  screen.py sum PICTURE                     what the kernel's vkms makes of each pixel, one after the other: its checksum of a frame
  screen.py question SHOT                   the frame of a question that a shot shows: left, top, right and bottom
  screen.py resize VM WIDTH HEIGHT          the display behind the machine's VNC server is another one (board/vm, MORE)
  screen.py send VM EVENT...                place:X,Y (parts of 32768), press:BUTTON, release:BUTTON, key:CODE, keyup:CODE; each
                                            a report of its own
"""
import json
import os
import socket
import struct
import sys
import zlib

# The color of a question's frame.
TEAL = bytes([0x14, 0xB8, 0xA6])
BAYER = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]


class Machine:
    def __init__(self, folder):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(folder, "qmp"))
        self.lines = self.socket.makefile("r")
        self.lines.readline()
        self.run("qmp_capabilities")

    def run(self, command, **arguments):
        self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode())
        while True:
            answer = json.loads(self.lines.readline())
            if "error" in answer:
                sys.exit(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]


def picture(path):
    """Width, height, and rows of pixels."""
    data = open(path, "rb").read()
    words, place = [], 0
    while len(words) < 4:
        end = place
        while data[end] not in b" \n":
            end += 1
        words.append(data[place:end])
        place = end + 1
    width, height = int(words[1]), int(words[2])
    row = 3 * width
    return width, height, [data[place + y * row:place + (y + 1) * row] for y in range(height)]


def pixel(rows, x, y):
    return rows[y][3 * x:3 * x + 3]


def reversed_pixels(row):
    result = bytearray(len(row))
    for channel in range(3):
        result[channel::3] = row[channel::3][::-1]
    return bytes(result)


def columns(width, rows):
    """The columns as rows, from the left; the first pixel of each is its highest."""
    data, result = b"".join(rows), []
    for x in range(width):
        column = bytearray(3 * len(rows))
        for channel in range(3):
            column[channel::3] = data[3 * x + channel::3 * width]
        result.append(bytes(column))
    return result


def turned(width, height, rows, turn):
    """A picture as it stands on a panel: `turn` degrees clockwise."""
    if turn == 0:
        return width, height, rows
    if turn == 180:
        return width, height, [reversed_pixels(row) for row in reversed(rows)]
    if turn == 90:
        return height, width, [reversed_pixels(column) for column in columns(width, rows)]
    return height, width, columns(width, rows)[::-1]


def levels(bits):
    """What ordered dither makes of 0...255, for each place of its pattern."""
    most = (1 << bits) - 1
    return [[[(value * most + (2 * step + 1) * 255 // 32) // 255 for value in range(256)] for step in line] for line in BAYER]


LEVELS = {bits: levels(bits) for bits in (5, 6)}


def words(rows, width, y):
    """A row in RGB565."""
    row, fives, sixes = rows[y], LEVELS[5][y % 4], LEVELS[6][y % 4]
    return [(fives[x % 4][row[3 * x]], sixes[x % 4][row[3 * x + 1]], fives[x % 4][row[3 * x + 2]]) for x in range(width)]


def shows(shot, expected, turn, bits):
    width, height, rows = picture(shot)
    wide, high, wanted = turned(*picture(expected), turn)
    if (width, height) != (wide, high):
        return f"{width}x{height} is shown and not {wide}x{high}"
    for y in range(height):
        if bits == 24:
            if rows[y] != wanted[y]:
                x = next(x for x in range(width) if pixel(rows, x, y) != pixel(wanted, x, y))
                return f"{x},{y} is {tuple(pixel(rows, x, y))} and not {tuple(pixel(wanted, x, y))}"
            continue
        for x, want in enumerate(words(wanted, width, y)):
            red, green, blue = pixel(rows, x, y)
            if (red >> 3, green >> 2, blue >> 3) != want:
                return f"{x},{y} is {(red, green, blue)} and not of the levels {want}"
    return None


def memory(path, width, height, stride, bits, expected, turn):
    data = open(path, "rb").read()
    wide, high, wanted = turned(*picture(expected), turn)
    if (width, height) != (wide, high):
        return f"it is {width}x{height} and not {wide}x{high}"
    for y in range(height):
        if bits == 24:
            # The kernel's frame buffer in memory has red first.
            line = wanted[y]
        else:
            line = b"".join((red << 11 | green << 5 | blue).to_bytes(2, "little") for red, green, blue in words(wanted, width, y))
        if data[y * stride:y * stride + len(line)] != line:
            return f"row {y} differs"
    return None


def checksum(path):
    """vkms has 16 bits of alpha, red, green and blue for a pixel, and CRC-32 without its two inversions."""
    width, height, rows = picture(path)
    result = 0xFFFFFFFF
    for row in rows:
        line = bytearray(b"\xff" * (8 * width))
        for channel in range(3):
            line[2 + 2 * channel::8] = line[3 + 2 * channel::8] = row[channel::3]
        result = zlib.crc32(line, result)
    return f"0x{result ^ 0xFFFFFFFF:08x}"


def question(path):
    """The frame of a question in front of what is shown: left, top, right, bottom, and the size; None without one."""
    width, height, rows = picture(path)
    # A grant has a border of the same color at the edge of the screen.
    middle = [y for y in range(12, height - 12) if pixel(rows, width // 2, y) == TEAL]
    if len(middle) < 2 or middle[-1] - middle[0] < 100:
        return None
    row = middle[0] + 40
    across = [x for x in range(12, width - 12) if pixel(rows, x, row) == TEAL]
    if len(across) < 2:
        return None
    return across[0], middle[0], across[-1], middle[-1], width, height


def resize(folder, width, height):
    """As a viewer does whose window gets another size (RFC 6143, SetDesktopSize of the community's RFB description)."""
    viewer = socket.socket(socket.AF_UNIX)
    viewer.connect(os.path.join(folder, "vnc"))
    stream = viewer.makefile("rb")
    viewer.sendall(stream.read(12))
    stream.read(stream.read(1)[0])
    viewer.sendall(b"\x01")
    stream.read(4)
    viewer.sendall(b"\x01")
    start = stream.read(24)
    stream.read(int.from_bytes(start[20:24], "big"))
    viewer.sendall(struct.pack(">BxHi", 2, 1, -308))
    viewer.sendall(struct.pack(">BxHHBx", 251, width, height, 1) + struct.pack(">IHHHHI", 0, 0, 0, width, height, 0))
    # The server has read it before it answers this.
    viewer.sendall(struct.pack(">BBHHHH", 3, 0, 0, 0, 1, 1))
    stream.read(4)


def report(word):
    kind, _, value = word.partition(":")
    if kind == "place":
        x, y = value.split(",")
        return [{"type": "abs", "data": {"axis": "x", "value": int(x)}}, {"type": "abs", "data": {"axis": "y", "value": int(y)}}]
    down = kind in ("press", "key")
    if kind in ("press", "release"):
        return [{"type": "btn", "data": {"down": down, "button": value}}]
    return [{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": value}}}]


def main(command, *words):
    if command == "shot":
        folder, path = words[:2]
        more = {"device": words[2]} if len(words) > 2 else {}
        Machine(folder).run("screendump", filename=os.path.abspath(path), **more)
        return None
    if command == "shows":
        return shows(words[0], words[1], int(words[2]), int(words[3]))
    if command == "memory":
        return memory(words[0], *(int(word) for word in words[1:5]), words[5], int(words[6]))
    if command == "same":
        return None if picture(words[0]) == picture(words[1]) else "they differ"
    if command == "sum":
        return print(checksum(words[0]))
    if command == "question":
        frame = question(words[0])
        if frame is None:
            return "nothing is asked"
        return print(*frame[:4])
    if command == "resize":
        return resize(words[0], int(words[1]), int(words[2]))
    if command == "send":
        machine = Machine(words[0])
        for word in words[1:]:
            machine.run("input-send-event", events=report(word))
        return None
    return __doc__


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 1 else __doc__)
