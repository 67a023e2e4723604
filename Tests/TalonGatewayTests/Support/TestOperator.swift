import Foundation

@testable import talon_gateway

extension TestGateway {
  /// An approved operator with those scopes.
  func `operator`(
    scopes: [String] = ["operator.read", "operator.write"], era: Era = .newest
  ) async throws -> TestClient {
    var device = TestNode()
    device.role = "operator"
    device.scopes = scopes
    device.proof = era == .old ? .two : .three
    return try await paired(device)
  }
}

/// What a client of Talk does.
struct TestTalker {
  let client: TestClient
  let answer: JSON

  static let transcription: JSON = ["mode": "transcription", "transport": "gateway-relay", "brain": "none"]
  static let realtime: JSON = ["mode": "realtime", "transport": "gateway-relay", "brain": "agent-consult"]

  init(_ client: TestClient, _ params: JSON = TestTalker.transcription) async throws {
    self.client = client
    answer = try await client.call("talk.session.create", params)?["payload"] ?? .null
  }

  var id: JSON { answer["sessionId"] ?? .null }

  /// Asks without waiting for the answer, so that no event is passed over.
  func ask(_ method: String, _ params: JSON = [:]) async throws {
    let params = params.with("sessionId", id)
    try await client.send(["type": "req", "id": .string(method), "method": .string(method), "params": params])
  }

  func append(_ samples: [Int16], as format: TalkFormat) async throws {
    let text = Data(format.bytes(of: samples)).base64EncodedString()
    try await ask("talk.session.appendAudio", ["audioBase64": .string(text)])
  }

  /// The events of this session in their common form, in their order, up to the first of that kind.
  func events(until type: String) async -> [JSON] {
    var events: [JSON] = []
    while let event = await client.event("talk.event") {
      let common = event["talkEvent"] ?? event
      guard common["sessionId"] == id else { continue }
      events.append(event)
      if common["type"]?.string == type { return events }
    }
    return events
  }
}

/// A sound that counts as speech, or none.
enum TestSound {
  static func tone(milliseconds: Int, rate: Int) -> [Int16] {
    Tone.samples(milliseconds: milliseconds, rate: rate)
  }
  static func silence(milliseconds: Int, rate: Int) -> [Int16] {
    [Int16](repeating: 0, count: milliseconds * rate / 1000)
  }
}
