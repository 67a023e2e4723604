#!/usr/bin/env python3
"""Says what a WAV file of one channel and 16 bits, as a speaker played it, sounds like.

    heard.py FILE speech SECONDS SECONDS    speech that is loud for so long, from least to most
    heard.py FILE notes HERTZ...            these notes, one after the other, and nothing else
"""
import array
import cmath
import math
import sys
import wave

file, kind, numbers = sys.argv[1], sys.argv[2], [float(word) for word in sys.argv[3:]]
with wave.open(file) as sound:
    if (sound.getnchannels(), sound.getsampwidth()) != (1, 2):
        sys.exit("not one channel of 16 bits")
    rate = sound.getframerate()
    samples = array.array("h", sound.readframes(sound.getnframes()))
size = rate // 50
blocks = [samples[start : start + size] for start in range(0, len(samples) - size + 1, size)]


def level(block):
    return math.sqrt(sum(sample * sample for sample in block) / len(block)) / 32768


def crossings(block):
    return sum(1 for one, next in zip(block, block[1:]) if (one < 0) != (next < 0))


def share(block, hertz):
    """Of the block's power, what a tone of this frequency has."""
    power = sum(sample * sample for sample in block)
    turn = -2j * math.pi * hertz / rate
    part = sum(sample * cmath.exp(turn * index) for index, sample in enumerate(block))
    return 2 * abs(part) ** 2 / len(block) / power if power else 0


loud = [block for block in blocks if level(block) > 0.01]
if kind == "speech":
    least, most = numbers
    counts = [crossings(block) for block in loud]
    # Vowels cross zero seldom and hissing sounds often; a tone or a noise is the same all the time.
    changes = bool(counts) and max(counts) > 2.5 * sorted(counts)[len(counts) // 4]
    print(f"{len(loud) / 50:.2f} s are loud, with {min(counts, default=0)} to {max(counts, default=0)} crossings in 20 ms")
    sys.exit(0 if least <= len(loud) / 50 <= most and changes else 1)
found = []
for block in loud:
    note = next((hertz for hertz in numbers if share(block, hertz) > 0.9), None)
    # Where one note ends and the next begins, a block has both.
    if note and found[-1:] != [note]:
        found.append(note)
print(f"notes of {found} Hz in {len(loud) / 50:.2f} s")
sys.exit(0 if found == numbers else 1)
