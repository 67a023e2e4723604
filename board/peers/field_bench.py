"""Boards that run, and peers that misbehave as people reported it: for field.py. They share no code with Talon."""

import json
import os
import signal
import socket
import ssl
import subprocess
import threading
import time

from websocket_server import CLOSE, PING, PONG, TEXT, Client, Gone, frame

TOKEN = "field-shared-token"
# Seconds in which a board must be back: its longest pause, an attempt, and a slow machine.
BACK = 60

CONFIG = """[gateway]
url = {url}
token_file = {folder}/token
{more}
[node]
name = Field
state_directory = {folder}/state
runtime_directory = {folder}/run
[camera]
driver = none
"""


class NotSo(Exception):
    """The board did what it must not, or not what it must."""


class Server:
    """A listening socket; what is accepted is served by a thread, one after the other."""

    def __init__(self, serve, context=None, port=0):
        self.socket = socket.create_server(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.serve = serve
        self.context = context
        self.count = 0
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                link, _ = self.socket.accept()
            except OSError:
                return
            self.count += 1
            threading.Thread(target=self.one, args=(link, self.count), daemon=True).start()

    def one(self, link, number):
        try:
            if self.context:
                link = self.context.wrap_socket(link, server_side=True)
            self.serve(link, number)
        except (Gone, OSError, ValueError, KeyError):
            pass
        finally:
            try:
                link.close()
            except OSError:
                pass

    def close(self):
        self.socket.close()


def head_of(link):
    """The bytes of a request's header, which stay in the socket for whoever reads next."""
    while True:
        head = link.recv(65536, socket.MSG_PEEK) if not isinstance(link, ssl.SSLSocket) else b""
        if b"\r\n\r\n" in head or not head:
            return head


class Gateway:
    """A gateway that accepts a board, and does then what a report says: `online` gets each connection."""

    def __init__(self, online=None, context=None, before=None, port=0, release="2026.9.7"):
        self.online = online or self.stay
        self.before = before
        self.release = release
        self.connects = []
        self.times = []
        self.server = Server(self.serve, context, port)
        self.port = self.server.port

    def serve(self, link, number):
        if self.before and self.before(link, number):
            return
        client = Client(link)
        self.send(client, {"type": "event", "event": "connect.challenge", "payload": {"nonce": "n", "ts": int(time.time() * 1000)}})
        request = self.request(client)
        self.connects.append(request["params"])
        self.times.append(time.monotonic())
        self.send(client, {"type": "res", "id": request["id"], "ok": True, "payload": {
            "type": "hello-ok", "protocol": 4, "server": {"version": self.release, "connId": "c"},
            "features": {"methods": [], "events": []}, "snapshot": {},
            "policy": {"maxPayload": 25 << 20, "maxBufferedBytes": 50 << 20, "tickIntervalMs": 30000},
            "auth": {"deviceToken": "token-of-%d" % self.port, "role": "node", "scopes": []}}})
        self.online(self, client, number)

    @staticmethod
    def send(client, value):
        client.send(frame(TEXT, json.dumps(value).encode()))

    @staticmethod
    def request(client):
        while True:
            opcode, payload = client.event()
            if opcode == PING:
                client.send(frame(PONG, payload))
            if opcode == CLOSE:
                raise Gone
            if opcode == TEXT:
                return json.loads(payload)

    @staticmethod
    def stay(self, client, number):
        while True:
            request = self.request(client)
            self.send(client, {"type": "res", "id": request["id"], "ok": True, "payload": {}})

    def refuse(self, client, error):
        """Answers everything with this error."""
        while True:
            request = self.request(client)
            self.send(client, {"type": "res", "id": request["id"], "ok": False, "error": error})


class Board:
    """A board with a folder of its own."""

    def __init__(self, report, url, more="", token=TOKEN.encode()):
        self.folder = report.folder
        self.talon = report.talon
        os.makedirs(os.path.join(self.folder, "state"), exist_ok=True)
        with open(os.path.join(self.folder, "token"), "wb") as file:
            file.write(token)
        self.configure(url, more)
        self.log = open(os.path.join(self.folder, "talon.log"), "ab")
        self.process = None
        report.boards.append(self)
        self.start()

    def configure(self, url, more=""):
        with open(os.path.join(self.folder, "talon.conf"), "w") as file:
            file.write(CONFIG.format(url=url, more=more, folder=self.folder))

    def start(self):
        self.process = subprocess.Popen(
            [self.talon, "run", "--config", self.folder + "/talon.conf"], stderr=self.log, stdin=subprocess.DEVNULL)

    def stop(self):
        if self.process.poll() is not None:
            raise NotSo("it ended with %d" % self.process.returncode)
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait(20) != 0:
            raise NotSo("it ended with %d" % self.process.returncode)

    def run(self, *words):
        return subprocess.run(
            [self.talon, *words, "--config", self.folder + "/talon.conf"], capture_output=True, text=True, timeout=60).stdout

    def status(self):
        try:
            return json.loads(self.run("status", "--json") or "{}")
        except ValueError:
            return {}

    def logged(self):
        with open(os.path.join(self.folder, "talon.log")) as file:
            return file.read()

    def says(self, words, seconds=BACK):
        wait(lambda: words in self.run("status"), seconds, "its status never said: " + words)

    def logs(self, words, seconds=BACK):
        wait(lambda: words in self.logged(), seconds, "its log never said: " + words)

    def is_online(self, seconds=BACK):
        wait(lambda: self.status().get("state") == "online", seconds, "it was not online")


def wait(holds, seconds, problem):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise NotSo(problem)
        time.sleep(0.2)


def so(holds, problem):
    if not holds:
        raise NotSo(problem)


class Certificates:
    """A private authority, and what it signs."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "pki")
        os.makedirs(self.folder)
        self.count = 0
        self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "3650", "-subj",
                     "/CN=Field authority", "-keyout", "ca.key", "-out", "ca.pem")

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def server(self, name="localhost", days=30, is_own=False):
        """A context with a new key; of the gateway's own making, or signed by the authority."""
        self.count += 1
        leaf = "leaf%d" % self.count
        self.openssl("req", "-x509" if is_own else "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                     "/CN=" + name, "-addext", "subjectAltName=DNS:" + name, "-keyout", leaf + ".key", "-out",
                     leaf + (".pem" if is_own else ".csr"), *(["-days", str(days)] if is_own else []))
        if not is_own:
            with open(os.path.join(self.folder, "ext"), "w") as file:
                file.write("subjectAltName=DNS:%s\n" % name)
            begin, end = ("-2", str(days)) if days > 0 else ("-20", str(days))
            now = time.time()
            stamp = lambda days: time.strftime("%Y%m%d%H%M%SZ", time.gmtime(now + float(days) * 86400))  # noqa: E731
            os.makedirs(os.path.join(self.folder, "db"), exist_ok=True)
            with open(os.path.join(self.folder, "ca.cnf"), "w") as file:
                file.write("[ca]\ndefault_ca=x\n[x]\ndatabase=db/index\nserial=db/serial\nnew_certs_dir=db\nprivate_key=ca.key\n"
                           "certificate=ca.pem\ndefault_md=sha256\npolicy=p\nunique_subject=no\nx509_extensions=e\n[p]\ncommonName=supplied\n"
                           "[e]\nsubjectAltName=DNS:%s\n" % name)
            open(os.path.join(self.folder, "db/index"), "a").close()
            if not os.path.exists(os.path.join(self.folder, "db/serial")):
                with open(os.path.join(self.folder, "db/serial"), "w") as file:
                    file.write("01\n")
            self.openssl("ca", "-batch", "-config", "ca.cnf", "-in", leaf + ".csr", "-out", leaf + ".pem", "-notext", "-startdate",
                         stamp(begin), "-enddate", stamp(end))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(os.path.join(self.folder, leaf + ".pem"), os.path.join(self.folder, leaf + ".key"))
        return context

    @property
    def authority(self):
        return os.path.join(self.folder, "ca.pem")
