#!/usr/bin/env python3
"""Says whether a WAV file of 16 kHz and one channel holds a tone.

    tone.py FILE HERTZ LEVEL     the tone, and its peak as a part of full scale, within 5 %; no step in it
"""
import array
import math
import sys
import wave

file, hertz, level = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
with wave.open(file) as sound:
    if (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) != (16000, 1, 2):
        sys.exit("not 16 kHz in one channel and 16 bits")
    samples = array.array("h", sound.readframes(sound.getnframes()))
# What was there when both ends began is not judged.
part = samples[len(samples) // 4 : len(samples) * 3 // 4]
if len(part) < 4000:
    sys.exit(f"{len(samples)} samples are too few")
peak = max(abs(sample) for sample in part) / 32768
# Its share at the frequency (Goertzel), of all that is there.
cosine = math.fsum(s * math.cos(2 * math.pi * hertz * i / 16000) for i, s in enumerate(part))
sine = math.fsum(s * math.sin(2 * math.pi * hertz * i / 16000) for i, s in enumerate(part))
power = math.fsum(s * s for s in part)
share = 2 * (cosine**2 + sine**2) / len(part) / power if power else 0
print(f"peak {peak:.3f}, {100 * share:.1f} % of it at {hertz:.0f} Hz")
if abs(peak - level) > 0.05 * level or share < 0.98:
    sys.exit(1)
