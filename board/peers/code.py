#!/usr/bin/env python3
"""A picture with a QR code in its middle, drawn by qrencode, on standard output.

    code.py FORMAT WIDTH HEIGHT < TEXT

FORMAT: pgm, or yu12 (as a driver takes it: 4:2:0, the planes one after the other). Each module is as large as fits into three quarters of the
height.
"""
import subprocess
import sys


def main():
    kind, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    text = sys.stdin.buffer.read().strip()
    # Two characters for each module, and no margin.
    drawn = subprocess.run(["qrencode", "-t", "ASCII", "-m", "0", "-o", "-"], input=text, stdout=subprocess.PIPE, check=True)
    rows = [line[::2] for line in drawn.stdout.decode().split("\n") if line]
    side = len(rows)
    module = height * 3 // 4 // side
    if module < 2:
        sys.exit("code.py: the picture is too small for this code")
    left, top = (width - side * module) // 2, (height - side * module) // 2
    light, dark = 215, 30
    picture = bytearray([light]) * (width * height)
    for y, row in enumerate(rows):
        line = b"".join(bytes([dark if x == "#" else light]) * module for x in row.ljust(side))
        for line_number in range(module):
            start = (top + y * module + line_number) * width + left
            picture[start:start + len(line)] = line
    if kind == "pgm":
        sys.stdout.buffer.write(b"P5 %d %d 255\n" % (width, height) + picture)
    elif kind == "yu12":
        sys.stdout.buffer.write(picture + bytes([128]) * (2 * (width // 2) * (height // 2)))
    else:
        sys.exit("code.py: FORMAT is pgm or yu12")


main()
