import Foundation
import Testing

@testable import talon_gateway

@Suite struct CanvasHostTests {
  @Test("files go to who has a capability, for as long as it counts")
  func capabilities() throws {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    try folder.write("a.png", Data("picture".utf8))
    try folder.write("b", Data("secret".utf8))
    let surface = CanvasSurface(folder: folder.path, lifetimeMilliseconds: 300)
    let base = "/__openclaw__/cap/" + surface.newCapability()
    #expect(surface.answer(to: base + "/__openclaw__/canvas/a.png")?.body == Data("picture".utf8))
    #expect(surface.answer(to: base + "/__openclaw__/canvas/a.png")?.type == "image/png")
    for path in ["/__openclaw__/canvas/none.png", "/__openclaw__/canvas/../b", "/__openclaw__/canvas/", "/a.png", ""] {
      #expect(surface.answer(to: base + path)?.status == 404)
    }
    for path in [
      "/__openclaw__/canvas/a.png", "/__openclaw__/cap/none/__openclaw__/canvas/a.png", "/__openclaw__/cap/",
    ] {
      #expect(surface.answer(to: path)?.status == 401)
    }
    #expect(surface.answer(to: "/healthz") == nil)
    Thread.sleep(forTimeInterval: 0.4)
    #expect(surface.answer(to: base + "/__openclaw__/canvas/a.png")?.status == 401)
  }

  @Test("who has a capability may listen to changes")
  func listening() throws {
    let surface = CanvasSurface(folder: "/nowhere", lifetimeMilliseconds: 60_000)
    let base = "/__openclaw__/cap/" + surface.newCapability()
    #expect(surface.mayListen(base + "/__openclaw__/ws"))
    for path in ["/__openclaw__/ws", base, base + "/__openclaw__/canvas/", "/__openclaw__/cap/none/__openclaw__/ws"] {
      #expect(!surface.mayListen(path))
    }
    let none = CanvasSurface(folder: nil, lifetimeMilliseconds: 60_000)
    #expect(!none.mayListen("/__openclaw__/cap/" + none.newCapability() + "/__openclaw__/ws"))
  }

  @Test("without a folder nothing is served, and with one over HTTP")
  func serving() async throws {
    #expect(CanvasSurface(folder: nil, lifetimeMilliseconds: 1).answer(to: "/__openclaw__/canvas/a") == nil)
    try await TestGateway.run(change: { $0.canvasFolder = "/nowhere" }) { gateway in
      let url = try #require(URL(string: "http://127.0.0.1:\(gateway.server.port)/__openclaw__/canvas/a"))
      #expect(try await HTTPProbe.status(of: url) == 401)
    }
  }
}
