#!/usr/bin/env python3
"""Reads a PNG of eight bits of red, green and blue, by the format's specification and nothing else.

  png.py FILE           prints WIDTHxHEIGHT, when all of it is right
  png.py FILE PPM       also writes its pixels
"""
import itertools
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


def paeth(line, above):
    """Undoes filter 4 (PNG specification, 9.4). Most of what takes time here: written for speed."""
    result = bytearray(line)
    for channel in range(3):
        a = c = 0
        for x in range(channel, len(line), 3):
            b = above[x]
            to_left, to_above = abs(b - c), abs(a - c)
            to_corner = abs(a + b - c - c)
            if to_left <= to_above and to_left <= to_corner:
                guess = a
            elif to_above <= to_corner:
                guess = b
            else:
                guess = c
            a = result[x] = (line[x] + guess) & 255
            c = b
    return result


def average(line, above):
    """Undoes filter 3."""
    result = bytearray(line)
    for x in range(len(line)):
        left = result[x - 3] if x >= 3 else 0
        result[x] = (line[x] + (left + above[x]) // 2) & 255
    return result


def row(kind, line, above):
    """One row without its filter."""
    if kind == 0:
        return line
    if kind == 1:
        result = bytearray(line)
        for channel in range(3):
            result[channel::3] = bytes(itertools.accumulate(line[channel::3], lambda left, more: (left + more) & 255))
        return result
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(line, above))
    return (average, paeth)[kind - 3](line, above)


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
