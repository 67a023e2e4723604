#!/usr/bin/env python3
"""Reads a PNG of eight bits of red, green and blue, by the format's specification and nothing else.

  png.py FILE           prints WIDTHxHEIGHT, when all of it is right
  png.py FILE PPM       also writes its pixels
"""
import struct
import sys
import zlib


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit("no PNG")
    place = 8
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + size]
        if zlib.crc32(kind + body) != struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0]:
            sys.exit(f"the checksum of {kind} is wrong")
        yield kind, body
        place += size + 12


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def row(kind, line, above):
    """One row without its filter."""
    result = bytearray(line)
    for x in range(len(line)):
        left = result[x - 3] if x >= 3 else 0
        corner = above[x - 3] if x >= 3 else 0
        guess = (0, left, above[x], (left + above[x]) // 2, paeth(left, above[x], corner))[kind]
        result[x] = (line[x] + guess) & 255
    return result


def main(path, ppm=None):
    packed = b""
    for kind, body in chunks(open(path, "rb").read()):
        if kind == b"IHDR":
            width, height, depth, color, *_ = struct.unpack(">IIBBBBB", body)
            if (depth, color) != (8, 2):
                sys.exit("not eight bits of red, green and blue")
        if kind == b"IDAT":
            packed += body
    lines = zlib.decompress(packed)
    step = 3 * width + 1
    if len(lines) != step * height:
        sys.exit(f"{len(lines)} bytes are not {width}x{height} pixels")
    if ppm:
        above = bytes(3 * width)
        with open(ppm, "wb") as file:
            file.write(b"P6\n%d %d\n255\n" % (width, height))
            for y in range(height):
                above = row(lines[y * step], lines[y * step + 1:(y + 1) * step], above)
                file.write(above)
    print(f"{width}x{height}")


main(*sys.argv[1:])
