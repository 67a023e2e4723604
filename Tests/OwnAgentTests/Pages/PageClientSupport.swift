import Codec
import Fetch
import Gateway
import Runtime

@testable import OwnAgent

/// A client with the server that it reads from.
final class PageBench: PageDelegate {
  let clock = PageClock()
  let server = PageServer()
  let client: PageClient
  var outcome = ""

  init(_ provider: SearchProvider? = .searxng, allowed: AllowList = AllowList()) throws {
    let search = try provider.map { try SearchRequest($0, address: "http://search.local:8080", key: "") }
    client = try PageClient(
      server, clock: clock, allowed: allowed, search: search, agent: InlineText(cutting: "Talon/1"))
    client.delegate = self
  }

  func pageEnded(_ client: PageClient, _ failure: PageFailure?) {
    guard let failure else { return outcome += "got " + String(decoding: client.text, as: UTF8.self) }
    let room = FixedBuffer(capacity: 400)
    var writer = ByteWriter(into: room.bytes)
    failure.write(to: &writer)
    outcome += String(decoding: room.bytes[..<writer.count], as: UTF8.self)
  }

  func read(_ address: String) throws {
    outcome = ""
    try address.withBytes { bytes throws(PageFailure) in try client.read(bytes) }
    pass(0)
  }

  func find(_ query: String) throws {
    outcome = ""
    try query.withBytes { bytes throws(PageFailure) in try client.find(bytes) }
    pass(0)
  }

  func answer(_ text: String) {
    server.secure()
    server.deliver(text)
    pass(0)
  }

  func fail(_ failure: TransportFailure) {
    server.fail(failure)
    pass(0)
  }

  func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    while let deadline = client.nextDeadline, deadline <= clock.monotonic { client.advance(to: clock.monotonic) }
  }
}
