"""Gateways that advertise themselves by multicast DNS, for tests: python-zeroconf, which shares no code with Talon.

advertise.py ADDRESS KNOCKS: advertises until it is ended. Says "ready" when that has begun, and writes the address of
everybody who connects to port 18789 to the file KNOCKS.
"""

import socket
import sys

from zeroconf import ServiceInfo, Zeroconf

GATEWAY = "_openclaw-gw._tcp.local."
FINGERPRINT = "AB:" * 31 + "AB"


def service(instance, host, addresses, text, kind=GATEWAY, port=18789):
    return ServiceInfo(
        kind, f"{instance}.{kind}", port=port, server=host, parsed_addresses=addresses, properties=text,
        host_ttl=120, other_ttl=4500)


def text(**more):
    return {"role": "gateway", "transport": "gateway", "gatewayPort": "1", **more}


def main():
    ipv4, knocks = sys.argv[1:]
    listener = socket.create_server((ipv4, 18789))
    services = [
        service(
            "Studio (OpenClaw)", "studio.local.", [ipv4, "fd00::20", "fe80::20"],
            text(displayName="Studio", gatewayTls="1", gatewayTlsSha256=FINGERPRINT, lanHost="elsewhere.local")),
        # Colours, a line end, and a right-to-left override; no TLS.
        service("Küche ✓", "kitchen.local.", [ipv4], text(displayName="\x1b[31mKüche\r\n \u202etxt"), port=8080),
        service("Bridge", "bridge.local.", [ipv4], text(role="bridge")),
        service("Printer", "printer.local.", [ipv4], text(), kind="_http._tcp.local."),
    ]
    zeroconf = Zeroconf()
    for each in services:
        zeroconf.register_service(each)
    print("ready", flush=True)
    while True:
        connection, peer = listener.accept()
        connection.close()
        with open(knocks, "a", encoding="utf-8") as file:
            print(peer[0], file=file)


main()
