#!/usr/bin/env python3
"""Says whether a WAV file of 16 kHz and one channel holds one note above all.

    note.py FILE HERTZ     nine tenths of it are that note
"""
import array
import math
import sys
import wave

file, hertz = sys.argv[1], float(sys.argv[2])
with wave.open(file) as sound:
    if (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) != (16000, 1, 2):
        sys.exit("not 16 kHz in one channel and 16 bits")
    samples = array.array("h", sound.readframes(sound.getnframes()))
power = math.fsum(s * s for s in samples)
if len(samples) < 400 or not power:
    sys.exit(f"{len(samples)} samples are too few, or silent")
cosine = math.fsum(s * math.cos(2 * math.pi * hertz * i / 16000) for i, s in enumerate(samples))
sine = math.fsum(s * math.sin(2 * math.pi * hertz * i / 16000) for i, s in enumerate(samples))
share = 2 * (cosine**2 + sine**2) / len(samples) / power
print(f"{100 * share:.1f} % of it at {hertz:.0f} Hz")
if share < 0.9:
    sys.exit(1)
