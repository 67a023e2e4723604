#!/usr/bin/env python3
"""What a microphone hears in the demo's greenhouse at dusk: a blackbird outside, crickets, and water that drips. The same each time.

    birdsong.py FILE [SECONDS]

FILE: a WAV file of 16 kHz, one channel, 16 bits (12 s), which may be heard over and over.
"""
import array
import math
import random
import sys
import wave

RATE = 16000

# A blackbird's verse: flutes of (seconds to wait, seconds, from and to in hertz, how far it trembles), and a twitter at the end.
VERSE = ((0.00, 0.26, 1850, 2050, 0), (0.05, 0.20, 2350, 1900, 0), (0.04, 0.34, 1700, 2250, 25), (0.06, 0.16, 2600, 2200, 0),
         (0.03, 0.30, 2050, 1750, 30), (0.10, 0.07, 3900, 5200, 0), (0.03, 0.06, 5100, 4000, 0), (0.03, 0.08, 4300, 5600, 0))


def add(sound, at, samples):
    """Over the end of the sound it goes on at the beginning."""
    start = int(at * RATE)
    for number, value in enumerate(samples):
        sound[(start + number) % len(sound)] += value


def flute(seconds, first, last, tremble, loud):
    count, turn = int(seconds * RATE), 0.0
    for number in range(count):
        part = number / count
        hertz = first + (last - first) * part * part * (3 - 2 * part) + tremble * math.sin(math.tau * 28 * number / RATE)
        turn += math.tau * hertz / RATE
        swell = math.sin(math.pi * part) ** 0.6
        yield loud * swell * (math.sin(turn) + 0.10 * math.sin(2 * turn))


def verse(sound, at, loud, higher):
    for wait, seconds, first, last, tremble in VERSE:
        at += wait
        softer = 0.35 if first > 3000 else 1
        add(sound, at, flute(seconds, first * higher, last * higher, tremble, loud * softer))
        # The glass gives it back, later and softer.
        add(sound, at + 0.11, flute(seconds, first * higher, last * higher, tremble, loud * softer * 0.16))
        at += seconds


def crickets(sound):
    for number in range(len(sound)):
        time = number / RATE
        chirp = max(0.0, math.sin(math.tau * 1.5 * time)) ** 3 * max(0.0, math.sin(math.tau * 30 * time))
        sound[number] += 0.010 * chirp * math.sin(math.tau * 4300 * time)


def air(sound, dice):
    low = 0.0
    for number in range(len(sound)):
        low += 0.04 * (dice.uniform(-1, 1) - low)
        sound[number] += 0.05 * low


def drop(sound, at, hertz):
    """A drop into a barrel: a short note that rises."""
    add(sound, at, (0.11 * math.exp(-number / 500) * math.sin(math.tau * (hertz + number * 0.20) * number / RATE) for number in range(2400)))


def main():
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    dice = random.Random(24)
    sound = [0.0] * (seconds * RATE)
    air(sound, dice)
    crickets(sound)
    for at in range(0, seconds - 2, 4):
        verse(sound, at + 0.4, 0.30, dice.choice((1.0, 1.06, 0.94)))
        drop(sound, at + 0.15, dice.uniform(700, 900))
        drop(sound, at + 2.9, dice.uniform(900, 1200))
    samples = array.array("h", (int(max(-1.0, min(1.0, value)) * 32767) for value in sound))
    if sys.byteorder == "big":
        samples.byteswap()
    with wave.open(sys.argv[1], "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


main()
