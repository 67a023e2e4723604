"""An update server that shares no code with Talon: gooseBit (PyPI), on 127.0.0.1.

update_server.py serve FOLDER PORT [CERTIFICATE KEY]
                                        in FOLDER: database, bundles; with TLS where a certificate is given; the environment's
                                        UPDATE_SERVER_POLL says how often boards ask (00:00:30)
update_server.py certificate FOLDER ADDRESS
                                        leaves server.pem and server.key, valid since 2020: for boards without a clock
update_server.py bundle PORT FILE       uploads a bundle, and prints its number
update_server.py rollout PORT NUMBER    offers it to every board of the feed "default"
update_server.py join PORT BOARD        puts a board into that feed
update_server.py retry PORT BOARD       lets a board that failed try again
update_server.py count PORT             prints how many boards it knows
update_server.py board PORT BOARD       prints what the server knows of a board, as JSON
"""

import json
import os
import ssl
import sys
import urllib.parse
import urllib.request
import uuid

USER, PASSWORD = "bench@example.org", "bench"


def make_certificate(folder, address):
    """Signs itself, so it is the authority as well."""
    from datetime import datetime
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Update server of the bench")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1))
        .not_valid_after(datetime(2040, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    with open(f"{folder}/server.pem", "wb") as file:
        file.write(certificate.public_bytes(serialization.Encoding.PEM))
    with open(f"{folder}/server.key", "wb") as file:
        file.write(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )


def serve(folder, port, certificate=None, key=None):
    os.environ.update(
        GOOSEBIT_DB_URI=f"sqlite://{folder}/db.sqlite3",
        GOOSEBIT_ARTIFACTS_DIR=f"{folder}/artifacts",
        GOOSEBIT_POLL_TIME=os.environ.get("UPDATE_SERVER_POLL", "00:00:30"),
        GOOSEBIT_TENANT="DEFAULT",
        GOOSEBIT_DEVICE_AUTH__ENABLE="true",
        GOOSEBIT_DEVICE_AUTH__MODE="setup",
        GOOSEBIT_SECRET_KEY="0123456789abcdef0123456789abcdef",
    )
    os.chdir(folder)
    import asyncio

    import uvicorn
    from tortoise import Tortoise

    from goosebit import app
    from goosebit.db.config import TORTOISE_CONF
    from goosebit.users import create_user

    async def prepare():
        await Tortoise.init(config=TORTOISE_CONF)
        await Tortoise.generate_schemas(safe=True)
        await create_user(USER, PASSWORD, ["*"])
        await Tortoise.close_connections()

    asyncio.run(prepare())
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="info", ssl_certfile=certificate, ssl_keyfile=key)


def call(port, method, path, body=None, kind="application/json", token=None):
    scheme = "https" if "UPDATE_SERVER_TLS" in os.environ else "http"
    request = urllib.request.Request(f"{scheme}://127.0.0.1:{port}{path}", data=body, method=method)
    if body is not None:
        request.add_header("Content-Type", kind)
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    # It is this machine's own server.
    with urllib.request.urlopen(request, context=ssl._create_unverified_context()) as answer:
        return json.load(answer)


def login(port):
    form = urllib.parse.urlencode({"username": USER, "password": PASSWORD}).encode()
    return call(port, "POST", "/login", form, "application/x-www-form-urlencoded")["access_token"]


def upload(port, path):
    mark = uuid.uuid4().hex
    with open(path, "rb") as file:
        content = file.read()
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{os.path.basename(path)}"\r\n'
    body = head.encode() + b"Content-Type: application/octet-stream\r\n\r\n" + content + f"\r\n--{mark}--\r\n".encode()
    return call(port, "PUT", "/api/v1/software", body, f"multipart/form-data; boundary={mark}", login(port))["id"]


def main():
    command, words = sys.argv[1], sys.argv[2:]
    if command == "serve":
        return serve(words[0], int(words[1]), *words[2:])
    if command == "certificate":
        return make_certificate(*words)
    port = int(words[0])
    if command == "bundle":
        return print(upload(port, words[1]))
    token = login(port)
    if command == "rollout":
        body = {"name": f"rollout {words[1]}", "feed": "default", "software_id": int(words[1])}
        print(call(port, "PUT", "/api/v1/rollouts", json.dumps(body).encode(), token=token)["id"])
    elif command == "join":
        body = {"devices": [words[1]], "feed": "default", "software": "rollout"}
        call(port, "PATCH", "/api/v1/devices", json.dumps(body).encode(), token=token)
    elif command == "retry":
        body = {"devices": [words[1]], "force_update": True}
        call(port, "PATCH", "/api/v1/devices", json.dumps(body).encode(), token=token)
    elif command == "count":
        print(len(call(port, "GET", "/api/v1/devices", token=token)["devices"]))
    elif command == "board":
        devices = call(port, "GET", "/api/v1/devices", token=token)["devices"]
        device = next((one for one in devices if one["id"] == words[1]), {})
        if device:
            device["log"] = call(port, "GET", f"/api/v1/devices/{words[1]}/log", token=token).get("log")
        print(json.dumps(device))
    else:
        sys.exit(__doc__)


main()
