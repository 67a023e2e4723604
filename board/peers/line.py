"""A receiver on a pseudo-terminal: writes a recording's epochs, again and again, and prints the terminal's name.

line.py RECORDING PAUSE: seconds between epochs, which begin with RMC.
"""
import os
import sys
import time
import tty

recording, pause = sys.argv[1], float(sys.argv[2])
master, terminal = os.openpty()
tty.setraw(master)
tty.setraw(terminal)
print(os.ttyname(terminal), flush=True)
while True:
    for sentence in open(recording, "rb"):
        if sentence[3:6] == b"RMC":
            time.sleep(pause)
        os.write(master, sentence)
