#!/usr/bin/env python3
"""A web server with pictures and with bad habits, for tests, and a reader of what a screen shows.

  web.py serve FOLDER [CERTIFICATE KEY]   on 127.0.0.1, at a free port, which it writes to FOLDER/port (with TLS: FOLDER/port-tls);
                                          each request goes to FOLDER/requests
  web.py picture FILE WIDTH HEIGHT COLOR  a PNG of one colour, RRGGBB
  web.py pixel PPM X Y                    the colour there, RRGGBB

/P/NAME is FOLDER/NAME. /motion/NAME shows it again and again, as it is then, as a camera's stream of pictures does; /motion-chunked/NAME
without a word of the lengths, in chunks; FOLDER/watchers has a line when somebody comes and one when somebody is gone. /slow says one byte a second and never ends, /silent nothing, /chunked/NAME sends chunks, /large claims
9 MiB, /endless sends without end, /cut stops in the middle, /to?URL leads there, /loop to itself, /garbage is no HTTP, /gzip is
compressed.
"""
import http.server
import os
import ssl
import struct
import sys
import threading
import time
import urllib.parse
import zlib

TYPES = {"png": "image/png", "html": "text/html", "pdf": "application/pdf", "svg": "image/svg+xml"}


def png(width, height, color):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    row = b"\0" + bytes.fromhex(color) * width
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b"")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = "."

    def log_message(self, *_):
        pass

    def begin(self, status, *fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = True

    def file(self, name):
        with open(os.path.join(self.folder, os.path.basename(name)), "rb") as file:
            return file.read(), ("Content-Type", TYPES.get(name.rsplit(".", 1)[-1], "application/octet-stream"))

    def do_GET(self):
        with open(os.path.join(self.folder, "requests"), "a") as log:
            log.write(f"{self.path} {dict(self.headers)}\n")
        try:
            self.answer(urllib.parse.urlsplit(self.path))
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError):
            self.close_connection = True

    def answer(self, url):
        kind, _, name = url.path.lstrip("/").partition("/")
        if kind == "P":
            body, kind = self.file(name)
            self.begin(200, kind, ("Content-Length", len(body)))
            self.wfile.write(body)
        elif kind == "chunked":
            body, kind = self.file(name)
            self.begin(200, kind, ("Transfer-Encoding", "chunked"))
            for start in range(0, len(body), 7):
                piece = body[start:start + 7]
                self.wfile.write(b"%x;x=y\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\nX-Trailer: y\r\n\r\n")
        elif kind in ("motion", "motion-chunked"):
            self.stream(name, kind == "motion-chunked")
        elif kind == "to":
            self.begin(302, ("Location", urllib.parse.unquote(url.query)), ("Content-Length", 0))
        elif kind == "loop":
            self.begin(301, ("Location", "/loop"), ("Content-Length", 0))
        elif kind == "slow":
            self.begin(200, ("Content-Type", "image/png"))
            for _ in range(120):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(1)
        elif kind == "silent":
            time.sleep(60)
        elif kind == "large":
            self.begin(200, ("Content-Length", 9 << 20))
        elif kind == "endless":
            self.begin(200, ("Content-Type", "image/png"))
            for _ in range(1 << 10):
                self.wfile.write(bytes(1 << 16))
        elif kind == "cut":
            self.begin(200, ("Content-Length", 1000))
            self.wfile.write(b"x" * 500)
        elif kind == "garbage":
            self.wfile.write(b"220 mail.example.org ESMTP\r\n")
            self.close_connection = True
        elif kind == "gzip":
            self.begin(200, ("Content-Encoding", "gzip"), ("Content-Length", 4))
            self.wfile.write(b"\x1f\x8b\x08\0")
        else:
            self.begin(404, ("Content-Length", 0))


    def watchers(self, word):
        with open(os.path.join(self.folder, "watchers"), "a") as log:
            log.write(f"{word}\n")

    def stream(self, name, is_chunked):
        fields = [("Content-Type", "multipart/x-mixed-replace; boundary=frame")]
        self.begin(200, *fields + ([("Transfer-Encoding", "chunked")] if is_chunked else []))
        self.watchers("comes")
        try:
            while True:
                body, _ = self.file(name)
                length = b"" if is_chunked else b"Content-Length: %d\r\n" % len(body)
                part = b"--frame\r\nContent-Type: image/jpeg\r\n%s\r\n%s\r\n" % (length, body)
                for start in range(0, len(part), 1000):
                    piece = part[start:start + 1000]
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece)
                time.sleep(0.1)
        finally:
            self.watchers("goes")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Who does not trust the certificate breaks off; that is no trouble here."""


def serve(folder, certificate=None, key=None):
    Handler.folder = folder
    server = Server(("127.0.0.1", 0), Handler)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with open(os.path.join(folder, "port-tls" if certificate else "port"), "w") as file:
        file.write(f"{server.server_address[1]}\n")
    server.serve_forever()


def pixel(path, x, y):
    data = open(path, "rb").read()
    _, size, _, rest = data.split(b"\n", 3)
    width = int(size.split()[0])
    start = 3 * (y * width + x)
    print(rest[start:start + 3].hex())


if __name__ == "__main__":
    command, *words = sys.argv[1:] or [""]
    if command == "serve":
        serve(*words)
    elif command == "picture":
        with open(words[0], "wb") as file:
            file.write(png(int(words[1]), int(words[2]), words[3]))
    elif command == "pixel":
        pixel(words[0], int(words[1]), int(words[2]))
    else:
        sys.exit(__doc__)
