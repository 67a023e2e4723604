import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Talk
@testable import Agent
@testable import Node
@testable import VoicePart

/// Understands and speaks as the test says.
final class FakeSpeech: LocalRecognizer, LocalVoice {
  var text: String?
  var confidence: Float = 0.9
  private(set) var recognized: [Int] = []
  private(set) var spoken: [String] = []
  private(set) var speeds: [Double] = []
  private var delegate: (any RecognizerDelegate)?
  private(set) var (prepared, cancelled) = (0, 0)
  private(set) var isReleased = true

  func prepare() {
    prepared += 1
    isReleased = false
  }

  func recognize(_ samples: UnsafeBufferPointer<Int16>, _ delegate: any RecognizerDelegate) -> Bool {
    recognized.append(samples.count)
    isReleased = false
    self.delegate = delegate
    return text != nil
  }

  /// The worker has ended.
  func finish() {
    guard let delegate, var text else { return }
    self.delegate = nil
    text.withUTF8 { delegate.recognized($0, confidence: confidence) }
  }

  /// The worker has ended without a word.
  func fail(_ reason: String) {
    guard let delegate else { return }
    self.delegate = nil
    delegate.recognitionFailed(InlineText(cutting: reason))
  }

  func cancel() {
    cancelled += 1
    delegate = nil
  }
  func release() { isReleased = true }

  func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ delegate: any LocalVoiceDelegate) -> Bool {
    speeds.append(speed)
    spoken.append(String(decoding: text, as: UTF8.self))
    [Int16](repeating: 9, count: 800).withUnsafeBufferPointer { delegate.spoken($0, rate: 16_000) }
    return true
  }
}

/// A talk service with all that it needs in memory, push-to-talk commands, and the gateway's ends of both connections.
final class VoiceBench {
  private let table = PartTable()
  let desk: DeskBench
  let microphone = MemoryMicrophone()
  let speaker = MemorySpeaker()
  let speech = FakeSpeech()
  let outbox: Outbox
  let channel = FakeChannel()
  let service: TalkService
  let router: RouterBench
  let commands: TalkCommands
  static let key = "agent:main:main"

  init(
    hasSpeaker: Bool = true, hasRecognizer: Bool = false, hasVoice: Bool = false,
    _ change: (inout TalkSettings) -> Void = { _ in }
  ) throws {
    desk = try DeskBench()
    router = try RouterBench()
    outbox = try Outbox(
      store: MemoryStore(), runner: desk.runner, clock: desk.clock, random: SeededRandom(seed: 9), log: desk.log)
    var settings = TalkSettings()
    change(&settings)
    service = try TalkService(
      TalkParts(
        microphone: microphone, speaker: hasSpeaker ? speaker : nil, recognizer: hasRecognizer ? speech : nil,
        voice: hasVoice ? speech : nil),
      settings: settings, outbox: outbox, clock: desk.clock, random: SeededRandom(seed: 4), log: desk.log)
    try service.connect(desk.desk)
    table.add(service)
    desk.desk.delegate = table
    commands = TalkCommands(service: service, router: router.router)
    router.router.add(TalkCommands.rows, capability: "talk", commands)
  }

  /// Both connections stand, and what the desk asks by itself is out of the way.
  func connect(methods: [String] = []) throws {
    try desk.connect(methods: methods)
    _ = try desk.requests()
    outbox.online(channel)
  }

  /// A bench whose connections stand.
  static func connected(
    hasSpeaker: Bool = true, hasRecognizer: Bool = false, hasVoice: Bool = false,
    _ change: (inout TalkSettings) -> Void = { _ in }
  ) throws -> VoiceBench {
    let bench = try VoiceBench(hasSpeaker: hasSpeaker, hasRecognizer: hasRecognizer, hasVoice: hasVoice, change)
    try bench.connect()
    return bench
  }

  // MARK: How a capture begins

  /// Push to talk begins, and the gateway listens.
  func begin(_ id: String, _ command: String = "start", encoding: String = "g711_ulaw", rate: Int = 8_000) throws {
    invoke(id, command)
    _ = try openTranscription(encoding: encoding, rate: rate)
  }

  /// Push to talk begins, and the gateway does not listen.
  func beginAlone(_ id: String, _ command: String, _ error: String = #"{"code":"UNAVAILABLE","message":"no provider"}"#)
    throws
  {
    invoke(id, command)
    desk.refuse(try desk.request("talk.session.create"), error)
  }

  /// Somebody pushes, says something and lets go; the gateway has all the sound.
  func capture(_ id: String, stop: String) throws {
    try begin(id)
    say(300)
    invoke(stop, "stop")
    _ = try takeSound()
  }

  /// A wake phrase, a command for so many milliseconds, and the silence that ends it.
  func command(_ phrase: String, _ milliseconds: Int) {
    service.woke(phrase.utf8.span)
    say(milliseconds, silence: 2_400)
  }

  func invoke(_ id: String, _ command: String) { router.invoke(id, "talk.ptt.\(command)", key: nil) }

  /// The answers so far, without their capture's name.
  func answers() -> [String] {
    router.take().map {
      $0.replacingOccurrences(of: #""captureId":"[0-9a-f-]{36}","#, with: "", options: .regularExpression)
    }
  }

  /// Somebody says something, and is silent.
  func say(_ milliseconds: Int = 600, silence: Int = 0) {
    microphone.hear(VoiceBench.tone(milliseconds) + [Int16](repeating: 0, count: silence * 16))
  }

  static func tone(_ milliseconds: Int) -> [Int16] {
    (0..<(milliseconds * 16)).map { Int16($0 / 25 % 2 == 0 ? 6_000 : -6_000) }
  }

  /// Answers the transcription session that was asked for.
  func openTranscription(encoding: String = "g711_ulaw", rate: Int = 8_000) throws -> DeskBench.Request {
    let request = try desk.request("talk.session.create")
    desk.answer(
      request,
      #"{"sessionId":"t1","transcriptionSessionId":"t1","audio":{"inputEncoding":"\#(encoding)","inputSampleRateHz":\#(rate)}}"#
    )
    return request
  }

  /// Takes the sound as long as any comes; its bytes.
  func takeSound() throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let requests = try desk.requests()
      if requests.isEmpty { return bytes }
      for request in requests {
        if request.method == "talk.session.close" { isClosed = true }
        if request.method == "talk.session.appendAudio" {
          bytes += Data(base64Encoded: request.params["audioBase64"] as? String ?? "") ?? Data()
        }
        desk.answer(request, #"{"ok":true}"#)
      }
    }
  }

  var isClosed = false

  /// The gateway understood this.
  func understand(_ text: String, closes: Bool = true) {
    desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"transcript","text":"\#(text)","final":true}"#)
    if closes { desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"close","reason":"completed"}"#) }
  }

  /// All the way from sound to a text that was understood by the gateway.
  func transcribe(_ text: String) throws {
    _ = try openTranscription()
    _ = try takeSound()
    understand(text)
  }

  func pass(_ milliseconds: Int64) {
    desk.pass(milliseconds)
    service.advance(to: desk.clock.monotonic)
  }
}
