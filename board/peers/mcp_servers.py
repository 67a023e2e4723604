#!/usr/bin/env python3
"""MCP servers as their users write them, with packages of PyPI; their standard input and output are the connection.

  mcp_servers.py official     the official package, mcp
  mcp_servers.py ten          the same, with ten tools of two arguments
  mcp_servers.py fast         fastmcp
  mcp_servers.py http PORT    fastmcp, at http://127.0.0.1:PORT/mcp
"""

import asyncio
import resource
import socket
import struct
import sys
import zlib


def picture():
    """A PNG of one red pixel."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def try_network():
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
        return "there is a network"
    except OSError:
        return "refused by the board"


def add_tools(server, Context, Image, ToolError):
    """What both have."""

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    def fail() -> str:
        """Fails."""
        # The text of any other error stays with the server.
        raise ToolError("no bulb")

    @server.tool(name="picture")
    def show() -> Image:
        """A picture."""
        return Image(data=picture(), format="png")

    @server.tool()
    async def slow(seconds: int, context: Context) -> str:
        """Takes its time."""
        for second in range(seconds):
            await context.report_progress(second, seconds, f"second {second}")
            await asyncio.sleep(1)
        return "done"

    @server.tool()
    def network() -> str:
        """Tries to open a socket."""
        return try_network()


    @server.tool()
    def limits() -> str:
        """What the kernel lets it have."""
        return f"{resource.getrlimit(resource.RLIMIT_NPROC)} {resource.getrlimit(resource.RLIMIT_NOFILE)}"


def ten():
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("ten")

    def add(number):
        @server.tool(name=f"lamp_{number}")
        def lamp(room: str, brightness: int) -> str:
            """Switches the lamp of a room, and sets how bright it is, in percent."""
            return f"{room}: {brightness}"

    for number in range(10):
        add(number)
    server.run("stdio")


def official():
    from mcp.server.mcpserver import Context, Image, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server = MCPServer("official")
    add_tools(server, Context, Image, ToolError)
    server.run("stdio")


def fast(**transport):
    from fastmcp import Context, FastMCP
    from fastmcp.exceptions import ToolError
    from fastmcp.utilities.types import Image
    from mcp_types import ToolListChangedNotification
    from pydantic import BaseModel

    class Weather(BaseModel):
        place: str
        degrees: float

    server = FastMCP("fast")
    add_tools(server, Context, Image, ToolError)

    @server.tool()
    def weather(place: str) -> Weather:
        """The weather of a place."""
        return Weather(place=place, degrees=7.5)

    def grown() -> str:
        """Was not there before."""
        return "new"

    @server.tool()
    async def grow(context: Context) -> str:
        """Adds a tool."""
        server.add_tool(grown)
        await context.send_notification(ToolListChangedNotification())
        return "there is one more"

    server.run(show_banner=False, **transport)


if __name__ == "__main__":
    if sys.argv[1] == "official":
        official()
    elif sys.argv[1] == "ten":
        ten()
    elif sys.argv[1] == "fast":
        fast(transport="stdio")
    else:
        fast(transport="http", host="127.0.0.1", port=int(sys.argv[2]))
