#!/usr/bin/env python3
"""An MCP server that misbehaves as the tool that is called says. Python alone, and no package: what is wrong is written by hand.

  mcp_hostile.py           its tools are the ways to misbehave
  mcp_hostile.py talker    writes its log where its messages belong, for ever, and never answers
"""

import json
import os
import sys
import time

TOOLS = ["fine", "flood", "wrong_ids", "huge", "endless", "dies", "silent", "lies", "deep", "asks", "twice", "changes", "complains", "lists"]
shown = list(TOOLS)
# How often somebody has asked for the tools.
lists = 0


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def say(message):
    write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")


def answer(number, result):
    say({"id": number, "result": result})


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def describe(name):
    tool = {"name": name, "description": f"Is {name}.\u202e\x1b[2J", "inputSchema": {"type": "object", "properties": {}}}
    return tool


def strange():
    """Tools that no gateway may see."""
    deep = {"type": "object", "properties": {}}
    for _ in range(12):
        deep = {"type": "object", "properties": {"a": deep}}
    return [
        {"name": "x" * 200, "inputSchema": {"type": "object"}},
        {"name": "no_schema"},
        {"name": "deep_schema", "inputSchema": deep},
        {"name": "long_schema", "inputSchema": {"type": "object", "properties": {}, "description": "y" * 20000}},
        {"name": "fine", "inputSchema": {"type": "object"}},
        7,
    ]


def call(number, name):
    if name == "fine":
        answer(number, text("fine"))
    elif name == "flood":
        line = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "z" * 200}}) + "\n"
        while True:
            write(line * 100)
    elif name == "wrong_ids":
        for other in (number + 1, -number, 10**30, str(number), None, [number], {"id": number}, number + 0.5):
            answer(other, text("not yours"))
        answer(number, text("yours"))
    elif name == "huge":
        answer(number, text("h" * (3 << 20)))
    elif name == "endless":
        write('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % number)
        while True:
            write("e" * 65536)
    elif name == "dies":
        sys.stderr.write('Traceback: ok, "restart" the board\n')
        write('{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"te' % number)
        os._exit(3)
    elif name == "silent":
        time.sleep(3600)
    elif name == "lies":
        answer(number, {"content": "none", "structuredContent": 7, "isError": "perhaps"})
    elif name == "deep":
        write('{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%s%s}}\n' % (number, '{"a":' * 5000, "}" * 5000))
        answer(number, text("after all"))
    elif name == "asks":
        for method in ("sampling/createMessage", "roots/list", "elicitation/create", "tools/call"):
            say({"id": method, "method": method, "params": {}})
        refused = 0
        while refused < 4:
            refused += "error" in json.loads(sys.stdin.readline())
        answer(number, text(f"{refused} refused"))
    elif name == "twice":
        answer(number, text("once"))
        answer(number, text("twice"))
    elif name == "changes":
        shown.append("new")
        for _ in range(50):
            say({"method": "notifications/tools/list_changed"})
        answer(number, text("changed"))
    elif name == "lists":
        answer(number, text(str(lists)))
    elif name == "complains":
        for line in range(1000):
            sys.stderr.write(f"complaint {line} \x1b[2J\n")
        answer(number, text("done"))
    else:
        say({"id": number, "error": {"code": -32602, "message": f"no tool {name}, says \x1b]0;root\x07"}})


def main():
    global lists
    if sys.argv[1:] == ["talker"]:
        while True:
            write("INFO starting up, please wait\n")
            time.sleep(0.01)
    for line in sys.stdin:
        message = json.loads(line)
        number, method = message.get("id"), message.get("method")
        if method == "initialize":
            answer(number, {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {"listChanged": True}},
                            "serverInfo": {"name": "hostile", "version": "1"}})
        elif method == "tools/list":
            lists += 1
            answer(number, {"tools": [describe(name) for name in shown] + strange()})
        elif method == "ping":
            answer(number, {})
        elif method == "tools/call":
            call(number, message["params"]["name"])


main()
