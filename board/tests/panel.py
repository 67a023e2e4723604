#!/usr/bin/env python3
"""Judges what board/tests/lights.sh and panel.sh did by the kernel's own events: its trace of GPIO lines (gpio_value), of the
button's interrupts (irq_handler_entry) and of the marks of the test (tracing_mark_write), all stamped by CLOCK_MONOTONIC.

  panel.py patterns TRACE BASE LAMP LINE SIGNAL...   each signal in its rhythm on one line
  panel.py colors TRACE BASE LAMP SIGNAL...          each signal in its colour, on the lines of the three LEDs
  panel.py presses TRACE BASE LAMP LINE              what the light did at each press
  panel.py agent TRACE BASE LAMP LINE NAME           a part of a pattern, wherever it begins

BASE is the kernel's number of the chip's first line."""
import os
import re
import statistics
import sys

RED, GREEN, BLUE = 4, 5, 6

# The rhythms of docs/owners/light-and-button.md, "What the light says", in milliseconds: lit and dark in turn. One number: steady.
SHORT, LONG, GAP, PAUSE = 250, 900, 250, 1500


def flashes(long, short):
    lengths = [LONG] * long + [SHORT] * short
    times = [time for length in lengths for time in (length, GAP)]
    return times[:-1] + [PAUSE]


def dips(count):
    # It begins with a gap, which nobody sees: the light was dark before.
    return [GAP] * (2 * count - 2) + [PAUSE, GAP]


RHYTHMS = {
    "listening": dips(2), "understanding": dips(3), "speaking": dips(4),
    "live": [500, 500], "pressed": [], "reset-offered": [50, 50], "panic": flashes(3, 0), "consent": flashes(2, 0),
    "trust-alarm": flashes(0, 6),
    "urgent": flashes(1, 5), "interrupt": flashes(1, 4), "active": flashes(1, 3), "booting": [125, 125],
    "no-network": flashes(0, 1), "gateway-unreachable": flashes(0, 2), "awaiting-approval": flashes(0, 3),
    "hardware-fault": flashes(0, 4), "commands-blocked": flashes(0, 5), "notify": flashes(1, 2), "passive": flashes(1, 1),
    "working": [900, 100], "connected": [0],
}
COLORS = {
    "listening": {GREEN, BLUE}, "understanding": {RED, GREEN, BLUE}, "speaking": {GREEN},
    "live": {RED}, "reset-offered": {RED, GREEN, BLUE}, "panic": {RED, BLUE}, "consent": {GREEN, BLUE},
    "trust-alarm": {RED}, "urgent": {BLUE},
    "interrupt": {BLUE}, "active": {BLUE}, "booting": {RED, GREEN, BLUE}, "no-network": {RED, GREEN},
    "gateway-unreachable": {RED, GREEN}, "awaiting-approval": {RED, GREEN}, "hardware-fault": {RED, GREEN},
    "commands-blocked": {RED, GREEN}, "notify": {BLUE}, "passive": {BLUE}, "working": {GREEN}, "connected": {GREEN},
    "pressed": set(),
}
# Milliseconds. The kernel's timers go by ticks of 4 ms and each step begins when the one before has ended, so that a rhythm is
# a little slow; and an emulated board beside others is late now and then, but never early.
USUAL, SOME, LATE, EARLY = 40, 60, 300, 20
# So many steps may be off by more than SOME.
LATE_STEPS = 0.2
# Where other programs keep this machine busy, the emulated board gets its turn late, and the more so the more there are. That a
# person counts right is asked all the same.
BUSY = max(1.0, os.getloadavg()[1] / os.cpu_count())
USUAL, SOME, LATE, EARLY = USUAL * BUSY, SOME * BUSY, LATE * BUSY, EARLY * BUSY

LINE = re.compile(r"^\s*(\S.*?)-\d+\s+\[\d+\]\s+\S+\s+(\d+\.\d+): (\w+): (.*)$")


def fail(text):
    sys.exit("panel.py: " + text)


class Trace:
    def __init__(self, path, base):
        self.values, self.marks, self.edges = [], [], []
        for line in open(path, errors="replace"):
            match = LINE.match(line)
            if not match:
                continue
            time, kind, text = float(match[2]) * 1000, match[3], match[4]
            if kind == "gpio_value":
                number, way, value = text.split()
                if way == "set":
                    self.values.append((time, int(number) - base, int(value)))
            elif kind == "irq_handler_entry" and "name=talon" in text:
                self.edges.append(time)
            elif kind == "tracing_mark_write":
                self.marks.append((time, text.strip()))

    def span(self, lamp, signal):
        """From when to when a lamp was to show a signal."""
        begin = [time for time, text in self.marks if text == f"{lamp} {signal}"]
        if len(begin) != 1:
            fail(f"{lamp} was never to show {signal}")
        return begin[0], min(time for time, text in self.marks if time > begin[0] and text == f"{lamp} end")

    def changes(self, line, begin, end):
        """When a line changed within a time, and to what; it is dark before."""
        changes, level = [], 0
        for time, number, value in self.values:
            if number == line and begin <= time <= end and value != level:
                level = value
                changes.append((time, value))
        return changes


def counts(lengths, rhythm):
    """A person who counts takes each flash and each gap for what it is."""
    if len(rhythm) == 2:
        return True
    limits = (SHORT + LONG) / 2, (GAP + PAUSE) / 2
    return all(
        (length > limits[index % 2]) == (rhythm[index % len(rhythm)] > limits[index % 2])
        for index, length in enumerate(lengths))


def patterns(trace, lamp, line, signals):
    worst = usual = 0
    for signal in signals:
        begin, end = trace.span(lamp, signal)
        changes = trace.changes(line, begin, end)
        rhythm = RHYTHMS[signal]
        if not rhythm:
            if changes:
                fail(f"{signal} is not dark")
            continue
        if not changes or changes[-1][1] != 0:
            fail(f"{signal}: never lit, or lit in the end")
        lengths = [after[0] - before[0] for before, after in zip(changes, changes[1:])]
        if rhythm == [0]:
            if len(lengths) != 1 or lengths[0] < 3000:
                fail(f"{signal} is not steady: {lengths}")
            continue
        # What the end has cut short does not count, and neither does the first flash of an even rhythm: the kernel's timer
        # begins with the dark half of a light that is lit.
        lengths = lengths[2 if len(rhythm) == 2 else 0:-1]
        if len(lengths) < len(rhythm) - 1:
            fail(f"{signal}: too few changes: {lengths}")
        offs = [length - rhythm[index % len(rhythm)] for index, length in enumerate(lengths)]
        late = sum(abs(off) > min(SOME, BUSY * rhythm[index % len(rhythm)]) for index, off in enumerate(offs))
        if late > len(offs) * LATE_STEPS or abs(statistics.median(offs)) > USUAL or not counts(lengths, rhythm):
            fail(f"{signal}: {[round(length) for length in lengths]} ms instead of {rhythm}")
        usual = max(usual, abs(statistics.median(offs)))
        worst = max(worst, max(abs(off) for off in offs))
    print(f"  {len(signals)} patterns on {lamp}: usually {usual:.0f} ms off, at most {worst:.0f}", file=sys.stderr)


def colors(trace, lamp, signals):
    for signal in signals:
        begin, end = trace.span(lamp, signal)
        seen = {line: trace.changes(line, begin, end) for line in (RED, GREEN, BLUE)}
        lit = {line for line, changes in seen.items() if changes}
        if lit != COLORS[signal]:
            fail(f"{signal} shines on lines {sorted(lit)}, not on {sorted(COLORS[signal])}")
        times = [[time for time, _ in seen[line]] for line in lit]
        for others in times[1:]:
            if len(others) != len(times[0]) or any(abs(a - b) > LATE for a, b in zip(times[0], others)):
                fail(f"{signal}: its LEDs are lit at different times")
    print(f"  {len(signals)} colours on {lamp}", file=sys.stderr)


# Names of what the agent showed more than once.
AGAIN = {"still-panic": "panic", "again": "connected"}


def agent(trace, lamp, line, name):
    begin, end = trace.span(lamp, name)
    rhythm = RHYTHMS[AGAIN.get(name, name)]
    level = ([value for time, number, value in trace.values if number == line and time < begin] or [0])[-1]
    times = []
    first = level
    for time, number, value in trace.values:
        if number == line and begin <= time <= end and value != level:
            level = value
            times.append(time)
    lengths = [after - before for before, after in zip(times, times[1:])]
    if rhythm == [0]:
        if times or level != 1:
            fail(f"{name} is not steady: {lengths}")
        return
    # Between two changes the light was what the first of them made it.
    is_lit = not first
    for start in range(len(rhythm)):
        turned = rhythm[start:] + rhythm[:start]
        offs = [abs(length - turned[index % len(rhythm)]) for index, length in enumerate(lengths)]
        late = sum(off > min(SOME, BUSY * turned[index % len(rhythm)]) for index, off in enumerate(offs))
        if (start % 2 == 0) == is_lit and len(lengths) >= min(len(rhythm), 4) and late <= len(offs) * LATE_STEPS:
            return
    fail(f"{name}: {[round(length) for length in lengths]} ms is no part of {rhythm}")


DEBOUNCE = 30


def presses(trace, lamp, line):
    """The light was to show `connected`, so it is lit; it is dark while somebody presses."""
    def part(name):
        begin, end = trace.span(lamp, name)
        edges = [time for time in trace.edges if begin <= time <= end]
        changes = []
        level = None
        for time, number, value in trace.values:
            if number == line and begin <= time <= end and value != level:
                level = value
                changes.append((time, value))
        return edges, changes

    def near(time, expected, words):
        if not -EARLY <= time - expected <= LATE:
            fail(f"{words}: {time - expected:+.0f} ms off")
        return abs(time - expected)

    worst = 0
    edges, changes = part("short")
    if len(edges) != 2 or [value for _, value in changes] != [0, 1]:
        fail(f"a short press: {len(edges)} edges, the light did {changes}")
    worst = max(worst, near(changes[0][0], edges[0] + DEBOUNCE, "dark while pressed"))
    worst = max(worst, near(changes[1][0], edges[1] + DEBOUNCE, "lit after the press"))

    edges, changes = part("glitch")
    if len(edges) != 2 or changes:
        fail(f"a press of 10 ms: {len(edges)} edges, the light did {changes}")

    edges, changes = part("bounce")
    if len(edges) < 10 or [value for _, value in changes] != [0, 1]:
        fail(f"a bouncing press: {len(edges)} edges, the light did {changes}")

    # Dark, and after 3 s in the rhythm of panic, which goes on when the button is let go.
    edges, changes = part("panic")
    worst = max(worst, near(changes[0][0], edges[0] + DEBOUNCE, "dark before panic"))
    worst = max(worst, near(changes[1][0], edges[0] + 3000, "panic"))
    worst = max(worst, near(changes[2][0] - changes[1][0], LONG, "the first flash of panic"))

    # The same press again: dark, panic after 3 s as before, and steady from when the button is let go.
    edges, changes = part("release")
    dark = [time for time, value in changes if value == 0 and edges[0] <= time <= edges[0] + 2900]
    if not any(b - a > 2000 for a, b in zip(dark, [time for time, value in changes if time > edges[0] + 2900])):
        fail(f"not dark during the second long press: {changes}")
    if changes[-1][1] != 1 or changes[-1][0] > edges[1] + DEBOUNCE + LATE:
        fail(f"after the second long press the light is not steady: {changes}")

    # Panic after 3 s, the offer after 10 s: a flicker of 50 ms.
    edges, changes = part("offer")
    flicker = [a for a, b in zip(changes, changes[1:]) if abs(b[0] - a[0] - 50) <= 20]
    if len(flicker) < 6:
        fail(f"no flicker: {changes}")
    worst = max(worst, near(flicker[0][0], edges[0] + 10000, "the offer of a reset"))

    edges, changes = part("confirm")
    late = [change for change in changes if change[0] > edges[1] + DEBOUNCE + 20]
    if any(b[0] - a[0] < 100 for a, b in zip(late, late[1:])):
        fail("the flicker goes on after the press that confirms")

    # 30 s after the offer the flicker ends by itself.
    edges, changes = part("lapse")
    flicker = [b for a, b in zip(changes, changes[1:]) if abs(b[0] - a[0] - 50) <= 20]
    worst = max(worst, near(flicker[-1][0], edges[0] + 40000, "the offer lapses"))
    print(f"  presses on {lamp}: at most {worst:.0f} ms off", file=sys.stderr)


def main():
    command, trace, lamp, rest = sys.argv[1], Trace(sys.argv[2], int(sys.argv[3])), sys.argv[4], sys.argv[5:]
    if command == "patterns":
        patterns(trace, lamp, int(rest[0]), rest[1:])
    elif command == "colors":
        colors(trace, lamp, rest)
    elif command == "presses":
        presses(trace, lamp, int(rest[0]))
    elif command == "agent":
        agent(trace, lamp, int(rest[0]), rest[1])
    else:
        sys.exit(__doc__)


main()
