import A2UI
import Canvas
import Codec
import Consent
import Fetch
import Foundation
import Gateway
import Graphics
import Runtime
import Script
import Simulated
@testable import Agent
@testable import Node
@testable import ScreenPart

/// Paints nothing, and remembers the texts of the last frame.
final class ReadingPainter: Painter {
  private(set) var texts: [String] = []
  private(set) var borders: [Color] = []

  func paint(_ list: DisplayList, _ damage: Damage, into pixels: PixelBuffer) {
    (texts, borders) = ([], [])
    for index in 0..<list.count {
      switch list[index] {
      case .text(let slice, _, _, _, _):
        texts.append(list.text(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      case .border(_, let radius, _, let color) where radius == 0: borders.append(color)
      default: continue
      }
    }
  }

  func keep(_ pixels: UnsafeBufferPointer<UInt32>, _ size: Size) -> PictureHandle? { PictureHandle(1) }
  func drop(_ picture: PictureHandle) {}
}

/// A picture is four bytes.
private final class SmallSnapshots: SnapshotCodec {
  func encode(
    _ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, size: Size)? { (4, Size(min(width, pixels.size.width), 1)) }
}

private final class NoCodes: QREncoder {
  func encode(_ text: Span<UInt8>, into modules: QRModules) {}
}

/// Nothing can be fetched, and nothing is a picture.
private final class NoFetching: FetchTransport, PictureCodec {
  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {}
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { 0 }
  func resumeReading() {}
  func close() {}
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ kind: ContentKind, _ limit: PictureLimit
  ) throws(PictureFault) -> DecodedPicture? { nil }
}

/// No fonts and no pictures for scripts, whose calls are answered at once.
private final class BareScripts: OutlineSource, PictureReader, LoopCaller {
  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine) {}
  func advance(of text: Span<UInt8>, in font: Font) -> Int32 { 0 }
  func metrics(of font: Font) -> FontMetrics { FontMetrics(ascent: 0, descent: 0) }
  func outline(_ glyph: PlacedGlyph, into outline: GlyphOutline) -> Bool { false }
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? { nil }
  func call(_ call: LoopCall) -> Bool {
    call.answer()
    return true
  }
}

/// The canvas's commands with a router before them, and a display in memory behind.
final class CanvasBench: ReplyChannel, CanvasDelegate {
  let clock: VirtualClock
  let runner: DeferredRunner
  let painter = ReadingPainter()
  let display: MemoryDisplay
  let router: Router
  let commands: CanvasCommands
  private(set) var scripts: EvalCommands?
  let channel = FakeChannel()
  /// Answers so far: id and text.
  private(set) var answers: [String] = []
  private(set) var panics = 0
  private(set) var panicTaps = 0
  /// The message of the last error.
  private(set) var lastError = ""
  /// What scripts did in place of presses, and for which sessions.
  private(set) var actions: [String] = []
  /// The last file that was answered with, what was said of it, and who wants it back, where that is not at once.
  private(set) var file: [UInt8] = []
  private(set) var fileWords = ""
  var keepsFiles = false
  private(set) var fileOwner: (any BlobDelegate)?
  private let nodeID = String(repeating: "n", count: 64)

  let input = ScriptedInput()

  init(
    _ size: Size = Size(480, 320), restsAfter: Int64? = nil, hasChat: Bool = false, hasScripts: Bool = false,
    hasPanicTap: Bool = false, jobsBeginAtOnce: Bool = false
  ) throws {
    runner = DeferredRunner(beginsAtOnce: jobsBeginAtOnce)
    // Timers of scripts are due by the clock of the machine.
    clock = hasScripts ? VirtualClock(monotonic: SystemClock().monotonic) : VirtualClock()
    let log = Log(level: .error, output: nil)
    display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    router = try Router(nodeID: InlineArray(repeating: UInt8(ascii: "n")), clock: clock, log: log)
    var parts = Self.parts(display: display, input: input, painter: painter, size)
    parts.restsAfter = restsAfter
    parts.hasChat = hasChat
    parts.hasPanicTap = hasPanicTap
    var scripting: ScriptParts?
    if hasScripts {
      let bare = BareScripts()
      scripting = ScriptParts(
        try ScriptEngine(caller: bare, outlines: bare, pictures: bare), runner: runner, allowsActions: true)
    }
    commands = try CanvasCommands(
      parts, surface: CanvasSurface(clock: clock, log: log), router: router, runner: runner, clock: clock, log: log)
    router.add(CanvasCommands.rows, capability: "canvas", commands)
    scripts = try scripting.map { parts in
      try EvalCommands(
        parts, commands: commands, painter: painter, measurer: GridMeasurer(), router: router, clock: clock, log: log)
    }
    scripts?.addCommands(to: router)
    router.replies = self
    commands.delegate = self
    commands.face.start()
    settle()
  }

  /// A screen that fetches nothing.
  static func parts(
    display: any Display, input: any InputSource = ScriptedInput(), painter: any Painter = ReadingPainter(),
    codes: (any QREncoder)? = nil, _ size: Size = Size(480, 320)
  ) -> CanvasParts {
    CanvasParts(
      display: display, input: input, painter: painter, measurer: GridMeasurer(), snapshots: SmallSnapshots(),
      codes: codes ?? NoCodes(),
      fetching: FetchParts(
        documents: NoFetching(), pages: NoFetching(), videos: NoFetching(), pictures: NoFetching(), allowed: AllowList()
      ),
      size: size)
  }

  /// Everything that waits is done, and the panel takes what it is shown.
  func settle() {
    for _ in 0..<6 {
      runner.runAll()
      if display.isBusy { display.takeFrame() }
    }
  }

  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while true {
      let next = min(commands.nextDeadline ?? .max, scripts?.nextDeadline ?? .max)
      guard next <= end else { break }
      clock.advance(max(next - clock.monotonic, 0))
      commands.advance(to: clock.monotonic)
      scripts?.advance(to: clock.monotonic)
      settle()
    }
    clock.advance(end - clock.monotonic)
    router.advance(to: clock.monotonic)
    commands.advance(to: clock.monotonic)
    scripts?.advance(to: clock.monotonic)
    settle()
  }

  func invoke(_ id: String, _ command: String, _ params: String = "{}", session: String? = nil) {
    let key = session.map { #","sessionKey":"\#($0)""# } ?? ""
    router.receiveInvoke(
      #"{"id":"\#(id)","nodeId":"\#(nodeID)","command":"\#(command)","timeoutMs":30000,"params":\#(params)\#(key)}"#
    )
  }

  /// One button, whose action tells the value of a field.
  func pushButton(_ id: String = "push", session: String? = nil) {
    invoke(
      id, "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Button":{"child":"t","action":{"name":"go"}}}},
      {"id":"t","component":{"Text":{"text":{"literalString":"Go"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#, session: session)
    settle()
  }

  /// What the first button with a press shows of it, by the layout dump.
  var press: String? {
    let buffer = FixedBuffer(capacity: 1 << 20)
    var writer = JSONWriter(into: buffer.bytes)
    commands.face.documents.writeLayout(to: &writer)
    let data = Data(UnsafeBufferPointer(buffer.bytes)[..<writer.count])
    let entries = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    return entries?.lazy.compactMap { $0["press"] as? String }.first
  }

  /// A finger on a place of the screen.
  func tap(_ x: Int32, _ y: Int32) {
    tapUnsettled(x, y)
    settle()
  }

  /// The same, while workers work.
  func tapUnsettled(_ x: Int32, _ y: Int32) {
    for what in [InputEvent.Pointer.down, .up] {
      commands.face.input(.pointer(what, id: 0, Point(x, y)), at: clock.monotonic)
      clock.advance(50)
    }
  }

  func take() -> [String] {
    defer { answers.removeAll() }
    return answers
  }

  // MARK: CanvasDelegate

  func pressed(_ tree: InstanceTree, _ index: Int, session: Span<UInt8>) {
    let key = session.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    commands.presses.post(ofButton: true) { writer in
      writer.key("sessionKey")
      writer.string(key)
    }
  }

  func panicWanted() { panics += 1 }

  func panicTapped() { panicTaps += 1 }

  /// What was answered to which question.
  private(set) var consents: [(answer: ConsentAnswer, question: Int)] = []

  func answered(_ answer: ConsentAnswer, to question: Int) { consents.append((answer, question)) }
  /// What was answered to which request of the gateway.
  private(set) var approvals: [(choice: Int, request: Int)] = []
  func approvalAnswered(_ choice: Int, to request: Int) { approvals.append((choice, request)) }

  /// Links that were pressed.
  private(set) var links: [String] = []

  func linkPressed(_ text: Span<UInt8>) {
    links.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }

  /// Answers to questions about links.
  private(set) var linkAnswers: [(yes: Bool, question: Int)] = []

  func linkAnswered(_ yes: Bool, to question: Int) { linkAnswers.append((yes, question)) }

  func acted(_ action: UnsafeBufferPointer<UInt8>, session: Span<UInt8>) -> Bool {
    let key = session.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    actions.append("\(key): \(String(decoding: action, as: UTF8.self))")
    return true
  }

  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>, session: Span<UInt8>) {
    _ = acted(action, session: session)
  }

  // MARK: ReplyChannel

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    let buffer = FixedBuffer(capacity: Budget.outboundMessageBytes)
    var writer = JSONWriter(into: buffer.bytes)
    build(&writer)
    guard writer.isComplete else { return false }
    answers.append(Self.text(id) + ": " + String(decoding: buffer.bytes[..<writer.count], as: UTF8.self))
    return true
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    let buffer = FixedBuffer(capacity: 512)
    var writer = JSONWriter(into: buffer.bytes)
    let split = build(&writer)
    let (before, after) = (Array(buffer.bytes[..<split]), Array(buffer.bytes[split..<writer.count]))
    if blob.form == .verbatim {
      answers.append(Self.text(id) + ": " + String(decoding: before + blob.bytes + after, as: UTF8.self))
      blob.delegate?.blobReleased()
      return true
    }
    answers.append(Self.text(id) + ": picture")
    file = Array(blob.bytes)
    fileWords = String(decoding: before + after, as: UTF8.self).replacingOccurrences(of: #","base64":"""#, with: "")
    if keepsFiles { fileOwner = blob.delegate } else { blob.delegate?.blobReleased() }
    return true
  }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    answers.append(Self.text(id) + ": \(code)")
    lastError = Self.text(message)
  }

  func replied() {}

  private static func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
