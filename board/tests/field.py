"""What people reported of boards in the field, played with the firmware.

    field.py TALON FOLDER [REPORT...]

Each report has a board of its own, in a folder of its own, and servers that misbehave as in the report. Reports run beside one
another; each prints a line.
"""

import base64
import concurrent.futures
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../peers"))
from field_bench import BACK, Board, Certificates, Gateway, head_of, NotSo, Server, so, TOKEN, wait  # noqa: E402
from websocket_server import CLOSE, Client, Gone, closing, frame  # noqa: E402


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
