"""An update server that lies: hawkBit's DDI API as far as boards use it, with one fault at a time.

lying_server.py PORT FOLDER BUNDLE

The words in FOLDER/mode decide, read at each request; the first is a fault:
  honest      the bundle is as it was promised
  small       more bytes come than were promised
  large       fewer
  endless     bytes without an end and without a length
  changed     the right number of other bytes
  loop        the bundle's address leads to itself
  html        every answer is a page, as that of a captive portal
  cut         the connection ends after 1 MB, once for each start of a download
  stubborn    the first download is cut, and ranges are ignored
  slow        50 KB a second
and then, if there are any, the action's number, and soft, forced, skip, or cancel. What boards say is appended to FOLDER/heard as
JSON, one object a line; each request's method and path to FOLDER/asked.
"""

import hashlib
import http.server
import json
import os
import sys
import time

port, folder, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
with open(path, "rb") as file:
    bundle = file.read()


def mode():
    with open(os.path.join(folder, "mode")) as file:
        return file.read().split()


def note(name, text):
    with open(os.path.join(folder, name), "a") as file:
        file.write(text + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Of the bundle, since the start.
    downloads = 0

    def log_message(self, *words):
        pass

    def give(self, status, body, kind="application/json", **fields):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def handle_all(self):
        note("asked", f"{self.command} {self.path} {self.headers.get('Range', '')} {self.headers.get('Authorization', '')}")
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        words = mode()
        fault, number, kind = words[0], words[1] if len(words) > 1 else "", words[2] if len(words) > 2 else "forced"
        if fault == "html":
            return self.give(200, b"<html><body>Welcome to the hotel</body></html>", "text/html")
        if body:
            note("heard", json.dumps({"path": self.path, "body": json.loads(body)}))
            return self.give(200, b"{}")
        if self.path == "/bundle":
            return self.bundle(fault)
        base = f"http://127.0.0.1:{port}/T/controller/v1/b"
        if "/deploymentBase/" in self.path:
            return self.give(200, json.dumps(self.action(fault, number, kind)).encode())
        if "/cancelAction/" in self.path:
            return self.give(200, json.dumps({"id": "c" + number, "cancelAction": {"stopId": number}}).encode())
        links = {}
        if number and kind == "cancel":
            links["cancelAction"] = {"href": f"{base}/cancelAction/c{number}"}
        elif number:
            links["deploymentBase"] = {"href": f"{base}/deploymentBase/{number}?c=-5"}
        self.give(200, json.dumps({"config": {"polling": {"sleep": "00:00:30"}}, "_links": links}).encode())

    def action(self, fault, number, kind):
        size = len(bundle) + {"small": -1000, "large": 1000}.get(fault, 0)
        update = {"soft": "attempt", "skip": "skip"}.get(kind, "forced")
        artifact = {
            "filename": "x.raucb", "size": size, "hashes": {"sha256": hashlib.sha256(bundle).hexdigest()},
            "_links": {"download": {"href": f"http://127.0.0.1:{port}/bundle"}},
        }
        chunk = {"part": "os", "version": "0.5.0", "name": "x", "artifacts": [artifact]}
        return {"id": number, "deployment": {"download": "forced", "update": update, "chunks": [chunk]}}

    def bundle(self, fault):
        content = bundle
        if fault == "changed":
            content = bundle[:-10] + b"0123456789"
        if fault == "loop":
            return self.give(301, b"", Location="/bundle")
        if fault == "endless":
            self.send_response(200)
            self.end_headers()
            self.close_connection = True
            while True:
                self.wfile.write(bytes(65536))
        start, status = 0, 200
        wanted = self.headers.get("Range", "")
        if wanted.startswith("bytes=") and fault not in ("stubborn",):
            start, status = int(wanted[6:].split("-")[0]), 206
        self.send_response(status)
        self.send_header("ETag", '"one"')
        self.send_header("Content-Length", str(len(content) - start))
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.end_headers()
        part = content[start:]
        Handler.downloads += 1
        if len(part) > 1_000_000 and (fault == "cut" or fault == "stubborn" and Handler.downloads == 1):
            self.wfile.write(part[:1_000_000])
            self.wfile.flush()
            self.close_connection = True
            return None
        if fault == "slow":
            for index in range(0, len(part), 5000):
                self.wfile.write(part[index:index + 5000])
                time.sleep(0.1)
            return None
        self.wfile.write(part)
        return None

    do_GET = do_PUT = do_POST = handle_all


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass


Server(("127.0.0.1", port), Handler).serve_forever()
