"""A receiver of remote write that does what it should not, on 127.0.0.1:

lying_receiver.py PORT FOLDER

The words in FOLDER/mode decide, read at each request:
  take            the samples are taken (204)
  status NUMBER   this status
  busy SECONDS    429 with Retry-After in seconds; busy-date: with a date
  redirect        307 to another path of this server
  endless         an answer without an end
  silent          no answer
  cut             the connection ends without one
Each request is appended to FOLDER/heard as JSON, one object a line: time, path, the header fields that matter, and how many
bytes its body has before and after python3-snappy took it apart.
"""

import http.server
import email.utils
import json
import os
import sys
import time

import snappy

port, folder = int(sys.argv[1]), sys.argv[2]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.hear(b"")
        self.answer(200)

    def hear(self, body):
        names = ["Authorization", "User-Agent", "Content-Type", "Content-Encoding", "X-Prometheus-Remote-Write-Version"]
        note = {"time": time.time(), "method": self.command, "path": self.path, "bytes": len(body)}
        note["plain"] = len(snappy.uncompress(body)) if body else 0
        note["headers"] = sum(len(f"{name}: {value}\r\n") for name, value in self.headers.items())
        note.update({name: self.headers.get(name) for name in names})
        with open(os.path.join(folder, "heard"), "a") as file:
            file.write(json.dumps(note) + "\n")

    def do_POST(self):
        self.hear(self.rfile.read(int(self.headers["Content-Length"])))
        with open(os.path.join(folder, "mode")) as file:
            mode, *words = file.read().split()
        if mode == "take":
            self.answer(204)
        elif mode == "status":
            self.answer(int(words[0]))
        elif mode == "busy":
            self.answer(429, Retry_After=words[0])
        elif mode == "busy-date":
            self.answer(429, Retry_After=email.utils.formatdate(time.time() + int(words[0]), usegmt=True))
        elif mode == "redirect":
            self.answer(307, Location="/elsewhere")
        elif mode == "endless":
            self.close_connection = True
            self.send_response(500)
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 4096)
        elif mode == "silent":
            time.sleep(60)
        self.close_connection = mode == "cut" or self.close_connection


http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
