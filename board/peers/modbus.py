#!/usr/bin/env python3
"""A Modbus device at the serial line of the virtual machine: pymodbus' server on a pseudo-terminal, whose other end is
connected with the socket of the machine's UART. It shares no code with Talon.

    modbus.py SOCKET [NOISE]

Device 7: holding registers 16 (123), 17 and 18 (23.5 as a float, high word first), 19 and 20 (the same, low word first), 21
(-105); input register 3 (4711); coil 2; discrete input 5 (on). While the file NOISE exists, the last byte of the next answer is
spoilt; then the file is removed."""
import asyncio
import os
import pty
import socket
import struct
import sys
import tty

from pymodbus import FramerType
from pymodbus.datastore import ModbusDeviceContext, ModbusSequentialDataBlock, ModbusServerContext
from pymodbus.server import StartAsyncSerialServer


def block(values):
    """A data block whose element 0 is at address 0 of the protocol."""
    return ModbusSequentialDataBlock(1, values)


def registers():
    high, low = struct.unpack(">HH", struct.pack(">f", 23.5))
    holding = [0] * 32
    holding[16] = 123
    holding[17:19] = [high, low]
    holding[19:21] = [low, high]
    holding[21] = 65536 - 105
    inputs = [0] * 8
    inputs[3] = 4711
    discrete = [0] * 8
    discrete[5] = 1
    return ModbusDeviceContext(hr=block(holding), ir=block(inputs), co=block([0] * 8), di=block(discrete))


async def carry(line, master, noise):
    """Bytes of the machine to the pseudo-terminal, and back."""
    loop = asyncio.get_running_loop()

    def answered():
        data = os.read(master, 256)
        if noise and os.path.exists(noise):
            os.remove(noise)
            data = data[:-1] + bytes([data[-1] ^ 1])
        line.send(data)

    loop.add_reader(master, answered)
    while data := await loop.sock_recv(line, 256):
        os.write(master, data)
    loop.stop()


async def main():
    line = socket.socket(socket.AF_UNIX)
    line.connect(sys.argv[1])
    line.setblocking(False)
    master, device = pty.openpty()
    tty.setraw(device)
    context = ModbusServerContext(devices={7: registers()}, single=False)
    asyncio.get_running_loop().create_task(carry(line, master, sys.argv[2] if len(sys.argv) > 2 else ""))
    await StartAsyncSerialServer(context, framer=FramerType.RTU, port=os.ttyname(device), baudrate=19200,
                                 ignore_missing_devices=True)


asyncio.run(main())
