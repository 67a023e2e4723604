"""What people reported of boards in the field, played with the firmware.

    field.py TALON FOLDER [REPORT...]

Each report has a board of its own, in a folder of its own, and servers that misbehave as in the report. They share no code with
Talon. Reports run beside one another; each prints a line.
"""

import base64
import concurrent.futures
import json
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peers"))
from websocket_server import CLOSE, PING, PONG, TEXT, Client, Gone, closing, frame  # noqa: E402

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


# The reports: functions that play one, and raise NotSo.

def accepts_nothing(report):
    """After hello-ok everything is refused with PAIRING_CHANGED, while the socket stays (openclaw#148693)."""
    error = {"code": "UNAVAILABLE", "message": "pairing changed", "retryable": True, "details": {"code": "PAIRING_CHANGED"}}
    gateway = Gateway(lambda self, client, number: self.refuse(client, error) if number < 4 else self.stay(self, client, number))
    board = Board(report, "ws://127.0.0.1:%d" % gateway.port)
    wait(lambda: len(gateway.connects) > 2, BACK, "it stayed on a connection that is of no use")
    board.logs("refused what this board asks: PAIRING_CHANGED")
    wait(lambda: len(gateway.connects) > 3, BACK, "it did not come back")
    wait(lambda: "refusedConnections" not in board.status() and board.status().get("state") == "online", BACK, "it went on complaining")


def unknown_refusal(report):
    """A refusal of tomorrow, retryable, does not park the board for a quarter of an hour."""
    def before(link, number):
        if number > 2:
            return False
        client = Client(link)
        Gateway.send(client, {"type": "event", "event": "connect.challenge", "payload": {"nonce": "n", "ts": 1}})
        request = Gateway.request(client)
        Gateway.send(client, {"type": "res", "id": request["id"], "ok": False, "error": {
            "code": "UNAVAILABLE", "message": "warming up", "details": {"code": "SOMETHING_NEW"}}})
        client.send(frame(CLOSE, closing(1013 if number == 1 else 1011)))
        return True
    gateway = Gateway(before=before)
    Board(report, "ws://127.0.0.1:%d" % gateway.port).is_online()


def forbidden_for_a_moment(report):
    """A guest network's page answers 403, then it is gone."""
    def before(link, number):
        if number > 2:
            return False
        head_of(link)
        link.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n<html><title>Welcome, guest</title>")
        return True
    board = Board(report, "ws://127.0.0.1:%d" % Gateway(before=before).port)
    board.logs('HTTP 403: "Welcome, guest"')
    board.is_online()


def early_hints(report):
    """A front end sends 103 before it switches protocols."""
    def before(link, number):
        link.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n")
        return False
    Board(report, "ws://127.0.0.1:%d" % Gateway(before=before).port).is_online()


def answered(report, answer, words, seconds=BACK):
    def serve(link, number):
        head_of(link)
        link.sendall(answer)
        link.shutdown(socket.SHUT_WR)
        time.sleep(0.5)
    board = Board(report, "ws://127.0.0.1:%d" % Server(serve).port)
    board.says(words, seconds)
    so("gateway" in board.run("doctor"), "doctor says nothing of the gateway")


def go_front(report):
    """Go's servers answer plain HTTP at a port of TLS with HTTP/1.0."""
    answered(report, b"HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n", "write wss:// in [gateway] url")


def nginx_front(report):
    answered(report, b"HTTP/1.1 400 Bad Request\r\nServer: nginx\r\nContent-Type: text/html\r\nContent-Length: 255\r\n\r\n<html>\r\n<head>"
             b"<title>400 The plain HTTP request was sent to HTTPS port</title></head>\r\n", "write wss:// in [gateway] url")


def tls_alert(report):
    answered(report, bytes([0x15, 3, 1, 0, 2, 2, 70]), "expects TLS at this port; write wss://")


def login_page(report):
    answered(report, b"HTTP/1.1 302 Found\r\nLocation: https://auth.example/?rd=x\r\nContent-Length: 0\r\n\r\n",
             'a redirect to "https://auth.example/?rd=x", which is not followed')


def cloudflare_access(report):
    answered(report, b"HTTP/1.1 302 Found\r\nLocation: https://team.cloudflareaccess.com/cdn-cgi/access/login\r\nContent-Length: 0\r\n\r\n",
             "set [gateway] cloudflare_id")


def five_dead_addresses(report):
    """Five addresses at which nobody answers and a good one: a quarter of a second each, and after a restart none."""
    dead = []
    for _ in range(5):
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        fillers = [socket.socket() for _ in range(2)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        dead.append((listener, fillers))
    gateway = Gateway()
    urls = ["ws://127.0.0.1:%d" % listener.getsockname()[1] for listener, _ in dead] + ["ws://127.0.0.1:%d" % gateway.port]
    began = time.monotonic()
    board = Board(report, ",".join(urls))
    wait(lambda: gateway.times, BACK, "it never connected")
    report.figures.append("five dead addresses, first connection %.1f s" % (gateway.times[0] - began))
    board.is_online()
    board.stop()
    began = time.monotonic()
    board.start()
    wait(lambda: len(gateway.times) > 1, BACK, "it never connected again")
    report.figures.append("after a restart %.1f s" % (gateway.times[1] - began))


def two_gateways_behind_one_name(report):
    """Told apart by their path (openclaw#30228): the second must not get the first's token."""
    gateway = Gateway()
    board = Board(report, "ws://127.0.0.1:%d/home" % gateway.port)
    wait(lambda: len(gateway.connects) > 0, BACK, "it never connected")
    board.is_online()
    board.stop()
    board.configure("ws://127.0.0.1:%d/lab" % gateway.port)
    board.start()
    wait(lambda: len(gateway.connects) > 1, BACK, "it never connected to the second")
    so(gateway.connects[1]["auth"] == {"token": TOKEN}, "the second gateway got %s" % gateway.connects[1]["auth"])


def token_from_windows(report):
    """A token file with a byte-order mark, CR LF and an invisible space."""
    gateway = Gateway()
    Board(report, "ws://127.0.0.1:%d" % gateway.port, token=b"\xef\xbb\xbf" + TOKEN.encode() + b"\xe2\x80\x8b\r\n").is_online()
    so(gateway.connects[0]["auth"]["token"] == TOKEN, "it sent another token: %s" % gateway.connects[0]["auth"])


def cloned_card(report):
    """Two boards with one identity throw each other out for ever."""
    current = []

    def online(self, client, number):
        for other in list(current):
            other.send(frame(CLOSE, closing(1000, b"replaced by a newer connection of the same device")))
        current[:] = [client]
        try:
            self.stay(self, client, number)
        finally:
            if client in current:
                current.remove(client)
    gateway = Gateway(online)
    first = Board(report, "ws://127.0.0.1:%d" % gateway.port)
    first.is_online()
    first.stop()
    clone = report.another()
    shutil.copytree(first.folder + "/state", clone.folder + "/state")
    first.start()
    second = Board(clone, "ws://127.0.0.1:%d" % gateway.port)
    wait(lambda: "another machine connects as this board" in first.run("doctor") + second.run("doctor"), 2 * BACK,
         "neither names the other")
    so("talon reset" in first.logged() + second.logged(), "no log says the remedy")


def renewed_authority(report):
    """A name for which an authority vouches is known by that: renewals with new keys need nobody; an expired one and another name are
    refused, and nothing is sent."""
    certificates = Certificates(report.folder)
    gateway = Gateway(context=certificates.server())
    board = Board(report, "wss://localhost:%d" % gateway.port, "authorities = " + certificates.authority)
    board.is_online()
    for days in (60, 6):
        gateway.server.context = certificates.server(days=days)
        count = len(gateway.connects)
        board.stop()
        board.start()
        wait(lambda: len(gateway.connects) > count, BACK, "a renewed certificate was refused")
    for context, words in ((certificates.server(days=-1), "has expired"), (certificates.server("other.example"), "another name"),
                           (certificates.server(is_own=True), "no authority")):
        gateway.server.context = context
        count = len(gateway.connects)
        board.stop()
        board.start()
        board.says("nothing was sent")
        so(len(gateway.connects) == count, "it spoke to a server that it must not trust: " + words)
    gateway.server.context = certificates.server()
    board.is_online()


def own_headers(report):
    """Header fields of the owner go to the trusted peer, and not into the log."""
    certificates = Certificates(report.folder)
    heads = []

    def serve(link, number):
        head = b""
        while b"\r\n\r\n" not in head:
            more = link.recv(4096)
            if not more:
                return
            head += more
        heads.append(head.decode())
        link.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
    server = Server(serve, certificates.server(is_own=True))
    with open(report.folder + "/headers", "w") as file:
        file.write("# of the edge\r\nRemote-User: field-secret-user\nAuthorization: Basic me:field secret\n")
    board = Board(report, "wss://127.0.0.1:%d" % server.port, "headers_file = %s/headers" % report.folder)
    board.says("wants a sign-in")
    basic = base64.b64encode(b"me:field secret").decode()
    so("\r\nRemote-User: field-secret-user\r\nAuthorization: Basic %s\r\n" % basic in heads[0], "they were not sent: " + heads[0])
    count = len(heads)
    server.context = certificates.server(is_own=True)
    board.says("CHANGED")
    so(len(heads) == count, "they went to another server")
    so("field-secret" not in board.logged() and basic not in board.logged(), "they are in the log")


def socks_proxy(report):
    """SOCKS 5 with a user, to a name that only the proxy knows."""
    certificates = Certificates(report.folder)
    gateway = Gateway(context=certificates.server(is_own=True))
    asked = []

    def take(link, count):
        data = b""
        while len(data) < count:
            more = link.recv(count - len(data))
            if not more:
                raise Gone
            data += more
        return data

    def serve(link, number):
        methods = take(link, take(link, 2)[1])
        so(2 in methods, "it offers no user")
        link.sendall(b"\x05\x02")
        user = take(link, take(link, 2)[1])
        password = take(link, take(link, 1)[0])
        link.sendall(b"\x01" + (b"\x00" if (user, password) == (b"me", b"pass") else b"\x01"))
        so(take(link, 4) == b"\x05\x01\x00\x03", "it asks for something else")
        name = take(link, take(link, 1)[0])
        take(link, 2)
        asked.append(name)
        link.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
        other = socket.create_connection(("127.0.0.1", gateway.port))
        threading.Thread(target=copy, args=(other, link), daemon=True).start()
        copy(link, other)

    def copy(source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
    proxy = Server(serve)
    Board(report, "wss://gateway.invalid", "proxy = socks5://me:pass@127.0.0.1:%d" % proxy.port).is_online()
    so(asked[0] == b"gateway.invalid", "it asked for %s" % asked[0])


REPORTS = [
    cloned_card, accepts_nothing, renewed_authority, forbidden_for_a_moment, unknown_refusal, five_dead_addresses, own_headers,
    two_gateways_behind_one_name, token_from_windows, socks_proxy, early_hints, go_front, nginx_front, tls_alert, login_page,
    cloudflare_access,
]


class Report:
    """The folder and the boards of one report."""

    def __init__(self, talon, folder):
        self.talon = talon
        self.folder = folder
        self.boards = []
        self.figures = []
        os.makedirs(folder)

    def another(self):
        other = Report(self.talon, self.folder + "-clone")
        other.boards = self.boards
        return other


def run(talon, folder, play):
    """None, or what is not so; and figures."""
    report = Report(talon, os.path.join(folder, play.__name__))
    try:
        play(report)
        for board in report.boards:
            board.stop()
        return report.figures, None
    except (NotSo, Gone, OSError, subprocess.SubprocessError) as problem:
        return report.figures, "%s %s" % (type(problem).__name__, problem)
    finally:
        for board in report.boards:
            board.process.kill()
            board.process.wait()
            board.log.close()


def main():
    talon, folder, *names = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        runs = [(play, pool.submit(run, talon, folder, play)) for play in REPORTS if play.__name__ in names or not names]
        failed = 0
        for play, future in runs:
            figures, problem = future.result()
            print("%-30s %s %s" % (play.__name__.replace("_", " "), problem or "as it should be", "; ".join(figures)))
            failed += problem is not None
    sys.exit(1 if failed else 0)


main()
