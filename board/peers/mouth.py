#!/usr/bin/env python3
"""Speaks to a board whose microphone is a pipe, at the pace of the clock: the noise of a quiet room, and into it what is left as FOLDER/say.wav.

    mouth.py PIPE SPEAKER FOLDER

say.wav has 16 kHz, one channel and 16 bits, and is removed when it is said. SPEAKER is the WAV file of the board's simulated speaker. Where
FOLDER/say.end has a number of seconds, FOLDER/latency gets the milliseconds from that place of the sound until the speaker
is given something to play, and FOLDER/chime.wav what that was.
"""
import array
import errno
import os
import random
import struct
import sys
import time
import wave

RATE = 16_000
# Seconds after which nobody answers any more.
PATIENCE = 4
# Of a pipe, what is written whole or not at all.
PIECE = 4096

pipe, speaker, folder = sys.argv[1:]
noise = random.Random(1)
room = array.array("h", (round(noise.gauss(0, 12)) for _ in range(4 * RATE)))


def header():
    """Of a stream whose end nobody knows."""
    return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 0xFFFFFFFF, b"WAVE", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16, b"data", 0xFFFFFFFF)


class Mouth:
    def __init__(self):
        self.file = None
        self.words = array.array("h")
        self.place = 0

    def write(self, samples):
        """Whoever does not listen misses it."""
        try:
            if self.file is None:
                self.file = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
                os.write(self.file, header())
            data = samples.tobytes()
            for start in range(0, len(data), PIECE):
                os.write(self.file, data[start : start + PIECE])
        except BlockingIOError:
            pass
        except OSError as error:
            if error.errno not in (errno.ENXIO, errno.EPIPE, errno.ENOENT):
                raise
            if self.file is not None:
                os.close(self.file)
            self.file = None

    def take(self, count):
        """The next samples."""
        samples = array.array("h", (room[(self.place + index) % len(room)] for index in range(count)))
        self.place += count
        part = self.words[:count]
        self.words = self.words[count:]
        for index, sample in enumerate(part):
            samples[index] = max(-32768, min(32767, samples[index] + sample))
        return samples


def words():
    """What shall be said now, and where in it the clock starts."""
    path = os.path.join(folder, "say.wav")
    if not os.path.exists(path):
        return None, None
    with wave.open(path) as file:
        samples = array.array("h", file.readframes(file.getnframes()))
    os.remove(path)
    try:
        with open(os.path.join(folder, "say.end")) as file:
            return samples, float(file.read())
    except (OSError, ValueError):
        return samples, None


def plays():
    """The samples that the speaker was given, if any."""
    try:
        with open(speaker, "rb") as file:
            return file.read()[44:]
    except OSError:
        return b""


def main():
    mouth = Mouth()
    began = time.monotonic()
    sent = 0
    due = None
    while True:
        time.sleep(0.005)
        if due is None and not mouth.words:
            said, end = words()
            if said is not None:
                mouth.words = said
                if end is not None:
                    due = began + sent / RATE + end
                    # What it played before is no answer to this.
                    before = plays()
        count = int((time.monotonic() - began) * RATE) - sent
        mouth.write(mouth.take(count))
        sent += count
        if due is not None:
            now, sound = time.monotonic(), plays()
            if sound and sound != before:
                # The rest of the tone is after its beginning.
                time.sleep(0.3)
                with wave.open(os.path.join(folder, "chime.wav"), "wb") as file:
                    file.setnchannels(1)
                    file.setsampwidth(2)
                    file.setframerate(RATE)
                    file.writeframes(plays())
                with open(os.path.join(folder, "latency.new"), "w") as file:
                    file.write(f"{1000 * (now - due):.0f}\n")
                os.rename(os.path.join(folder, "latency.new"), os.path.join(folder, "latency"))
                due = None
            elif now > due + PATIENCE:
                due = None


main()
