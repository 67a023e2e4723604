import Foundation

/// Numbers the events of one Talk session and gives them their common form (protocol reference, section 9.10).
struct TalkEnvelope {
  let sessionID: String
  let mode: String
  let transport: String
  let brain: String
  var provider: String?
  private(set) var sequence: Int64 = 0

  init(
    sessionID: String, mode: String, transport: String, brain: String, provider: String? = nil,
    after: Int64 = 0
  ) {
    self.sessionID = sessionID
    self.mode = mode
    self.transport = transport
    self.brain = brain
    self.provider = provider
    sequence = after
  }

  /// Events of a turn carry its id, those of a capture the capture's, those of a tool its call's.
  mutating func next(
    _ type: String, turnID: String? = nil, captureID: String? = nil, callID: String? = nil, isFinal: Bool? = nil,
    payload: JSON
  ) -> JSON {
    sequence += 1
    return .compact([
      "id": .string("\(sessionID):\(sequence)"), "type": .string(type), "sessionId": .string(sessionID),
      "turnId": turnID.map(JSON.string), "captureId": captureID.map(JSON.string), "callId": callID.map(JSON.string),
      "seq": .integer(sequence),
      "timestamp": .string(Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
      "mode": .string(mode), "transport": .string(transport), "brain": .string(brain),
      "provider": provider.map(JSON.string), "final": isFinal.map(JSON.bool), "payload": payload,
    ])
  }
}

/// The two forms in which `talk.event` comes.
enum TalkEventForm: String, Sendable, CaseIterable {
  /// As the relays of released gateways send it: their own members, and the common form below `talkEvent`.
  case relay
  /// The common form alone.
  case common
}
