import Foundation
import Testing

@testable import talon_gateway

/// `talk.speak` and `talk.config`, and who may call what of talk (protocol reference, section 9.10).
@Suite(.timeLimit(.minutes(1))) struct TalkSpeechTests {
  private static func error(_ client: TestClient, _ method: String, _ params: JSON) async throws -> JSON? {
    try await client.call(method, params)?["error"]
  }

  @Test("talk.speak gives a tone in the format that was asked for")
  func speaks() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      let lengths = ["pcm_24000": 9600, "pcm_16000": 6400, "ulaw_8000": 1600]
      for (format, length) in lengths {
        let params: JSON = ["text": "hello", "outputFormat": .string(format)]
        let answer = try await client.call("talk.speak", params)?["payload"]
        #expect(answer?["outputFormat"]?.string == format)
        #expect(Data(base64Encoded: answer?["audioBase64"]?.string ?? "")?.count == length)
      }
      let answer = try await client.call("talk.speak", ["text": "hello"])?["payload"]
      let sound = try #require(Data(base64Encoded: answer?["audioBase64"]?.string ?? ""))
      #expect(sound.prefix(4) == Data("RIFF".utf8) && sound.count == 9644)
      let error = try await Self.error(
        client, "talk.speak", ["text": "hello", "outputFormat": "mp3_44100_128"])
      #expect(error?["details"] == ["reason": "synthesis_failed", "fallbackEligible": false])
      let spoken = try await gateway.control("talk.heard")["spoken"]?.array
      #expect(spoken?.count == 4)
    }
  }

  @Test("speed wins over the rate, and a rate that is no speed is refused")
  func rates() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      let text = "twelve chars"
      func length(_ params: JSON) async throws -> Int? {
        let answer = try await client.call("talk.speak", params.with("text", .string(text)))?["payload"]
        return Data(base64Encoded: answer?["audioBase64"]?.string ?? "").map { ($0.count - 44) / 48 }
      }
      #expect(try await length(["rateWpm": 210]) == 400)
      #expect(try await length(["rateWpm": 500, "speed": .double(1.2)]) == 400)
      for rate: JSON in [87, 350] {
        let error = try await Self.error(client, "talk.speak", ["text": "hello", "rateWpm": rate])
        #expect(error?["code"] == "INVALID_REQUEST")
        #expect(error?["message"]?.string?.contains("rateWpm must resolve to speed") == true)
      }
    }
  }

  @Test(
    "a mute gateway says why, and whether the client may speak by itself",
    arguments: TalkVoice.Silence.allCases)
  func mute(silence: TalkVoice.Silence) async throws {
    try await TestGateway.run(change: { $0.speaks = false }) { gateway in
      let client = try await gateway.operator()
      let first = try await Self.error(client, "talk.speak", ["text": "hello"])?["details"]
      #expect(first == ["reason": "talk_unconfigured", "fallbackEligible": true])
      _ = try await gateway.control("talk.mute", ["reason": .string(silence.rawValue)])
      let error = try await Self.error(client, "talk.speak", ["text": "hello"])
      #expect(error?["code"] == "UNAVAILABLE")
      #expect(error?["details"]?["reason"]?.string == silence.rawValue)
      let isOwn = silence != .failed && silence != .invalid
      #expect(error?["details"]?["fallbackEligible"]?.bool == isOwn)
      _ = try await gateway.control("talk.unmute")
      #expect(try await client.call("talk.speak", ["text": "hello"])?["ok"] == true)
    }
  }

  @Test("the command line refuses what it cannot do")
  func control() async throws {
    try await TestGateway.run { gateway in
      for (operation, params): (String, JSON) in [
        ("talk.mute", ["reason": "tired"]), ("talk.expect", ["text": " "]), ("talk.fail", [:]),
      ] {
        let error = await #expect(throws: GatewayError.self) { try await gateway.control(operation, params) }
        #expect(error?.code == "INVALID_REQUEST")
      }
    }
  }

  // MARK: Generations and scopes

  @Test("the methods come with their generations", arguments: Era.allCases)
  func generations(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.operator(scopes: ["operator.admin"], era: era)
      let since: [(String, Era)] = [
        ("talk.config", .early), ("talk.speak", .april), ("talk.session.create", .june),
        ("talk.session.appendAudio", .june), ("talk.session.cancelOutput", .june),
        ("talk.session.close", .june),
      ]
      for (method, first) in since {
        let error = try await Self.error(client, method, ["strange": 1])?["message"]?.string
        #expect((error == "unknown method: \(method)") == (era < first), "\(method)")
      }
    }
  }

  @Test("talk takes operator.talk on N and operator.write before", arguments: [Era.june, .newest])
  func scopes(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let reader = try await gateway.operator(scopes: ["operator.read"])
      let talker = try await gateway.operator(scopes: ["operator.read", "operator.talk"])
      let writer = try await gateway.operator(scopes: ["operator.write"])
      let scope = era == .newest ? "operator.talk" : "operator.write"
      for (method, params): (String, JSON) in [
        ("talk.speak", ["text": "hello"]), ("talk.session.create", TestTalker.transcription),
      ] {
        #expect(try await Self.error(reader, method, params)?["message"]?.string == "missing scope: \(scope)")
        #expect(try await talker.call(method, params)?["ok"]?.bool == (era == .newest))
        #expect(try await writer.call(method, params)?["ok"] == true)
      }
    }
  }

  @Test("secrets of the configuration take a scope of their own")
  func configuration() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      let config = try await client.call("talk.config", [:])?["payload"]?["config"]
      #expect(config?["session"]?["mainKey"] == "main")
      #expect(config?["talk"]?["provider"] == "talon")
      let error = try await Self.error(client, "talk.config", ["includeSecrets": true])
      #expect(error?["details"]?["missingScope"] == "operator.talk.secrets")
      let trusted = try await gateway.operator(scopes: ["operator.read", "operator.talk.secrets"])
      #expect(try await trusted.call("talk.config", ["includeSecrets": true])?["ok"] == true)
    }
  }
}
