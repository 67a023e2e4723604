#!/usr/bin/env python3
"""Pushes one sample as a board does: Prometheus' remote write 1.0, a protobuf message in a block of snappy.

  push_metrics.py NAME VALUE LABEL=VALUE... > BODY
"""
import struct
import sys
import time


def varint(number):
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes(made + bytes([number]))


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def literals(data):
    """A block of snappy without any repetition: its length, then pieces of at most 60 bytes."""
    pieces = [data[at:at + 60] for at in range(0, len(data), 60)]
    return varint(len(data)) + b"".join(bytes([len(piece) - 1 << 2]) + piece for piece in pieces)


def main():
    name, value, *labels = sys.argv[1:]
    pairs = sorted([("__name__", name)] + [tuple(label.split("=", 1)) for label in labels])
    series = b"".join(field(1, field(1, key.encode()) + field(2, word.encode())) for key, word in pairs)
    sample = b"\x09" + struct.pack("<d", float(value)) + b"\x10" + varint(int(time.time() * 1000))
    sys.stdout.buffer.write(literals(field(1, series + field(2, sample))))


if __name__ == "__main__":
    main()
