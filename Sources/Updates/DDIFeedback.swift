import Codec
import Runtime

/// What the board tells the server of an action.
public struct DDIFeedback: Sendable {
  /// `status.execution`.
  public enum Execution: Equatable, Sendable {
    case proceeding, downloaded, closed, canceled, scheduled, rejected, resumed

    var word: StaticString {
      switch self {
      case .proceeding: "proceeding"
      case .downloaded: "downloaded"
      case .closed: "closed"
      case .canceled: "canceled"
      case .scheduled: "scheduled"
      case .rejected: "rejected"
      case .resumed: "resumed"
      }
    }
  }

  /// `status.result.finished`.
  public enum Finished: Equatable, Sendable {
    case none, success, failure

    var word: StaticString {
      switch self {
      case .none: "none"
      case .success: "success"
      case .failure: "failure"
      }
    }
  }

  public var execution: Execution
  public var finished: Finished
  /// Percent of the step; nil when it cannot be counted.
  public var percent: Int64?
  /// What happened, for a person.
  public var sentence = InlineText<256>()

  /// A report; see the properties.
  public init(_ execution: Execution, _ finished: Finished = .none, percent: Int64? = nil) {
    self.execution = execution
    self.finished = finished
    self.percent = percent
  }

  /// Writes the body of `POST .../feedback`. `lines`: more details, each ended by a line feed.
  public func write(id: Span<UInt8>, lines: Span<UInt8>, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("status")
    writer.beginObject()
    writer.key("execution")
    writer.string(execution.word)
    writer.key("result")
    writer.beginObject()
    writer.key("finished")
    writer.string(finished.word)
    if let percent {
      writer.key("progress")
      writer.beginObject()
      writer.key("cnt")
      writer.int(percent)
      writer.key("of")
      writer.int(100)
      writer.endObject()
    }
    writer.endObject()
    writer.key("details")
    writer.beginArray()
    if !sentence.isEmpty { writer.string(sentence.span) }
    var start = 0
    for index in 0..<lines.count where lines[index] == UInt8(ascii: "\n") {
      writer.string(lines.extracting(start..<index))
      start = index + 1
    }
    writer.endArray()
    writer.endObject()
    writer.endObject()
  }
}

/// What the server knows of a board beside its id. Names that begin with `hw_` and `sw_` are those that SWUpdate and
/// gooseBit use.
public struct BoardAttributes: Sendable {
  /// `arm64`, `armhf`.
  public var board = InlineText<32>()
  public var serial = InlineText<64>()
  public var region = InlineText<64>()
  /// `a` or `b`; 0 where the board has no slots.
  public var slot: UInt8 = 0
  /// Of the image, or of Talon where there is no image.
  public var version = InlineText<64>()
  public var talon = InlineText<64>()

  /// Attributes of which none is known.
  public init() {}

  /// Writes the body of `PUT .../configData`, which replaces these attributes and keeps others.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("mode")
    writer.string("merge")
    writer.key("data")
    writer.beginObject()
    write("hw_boardname", compatible.span, &writer)
    write("hw_revision", ("default" as StaticString).utf8Bytes, &writer)
    write("sw_version", version.span, &writer)
    write("talon_version", talon.span, &writer)
    write("serial", serial.span, &writer)
    write("region", region.span, &writer)
    if slot != 0 {
      writer.key("slot")
      writer.string(slot == UInt8(ascii: "a") ? "a" : "b")
    }
    writer.endObject()
    writer.endObject()
  }

  /// What bundles name: `talon-arm64`.
  private var compatible: InlineText<40> {
    var text = InlineText<40>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      if board.isEmpty { return 0 }
      writer.text("talon-")
      writer.bytes(board.span)
      return writer.isComplete ? writer.count : nil
    }
    return text
  }

  private func write(_ key: StaticString, _ text: Span<UInt8>, _ writer: inout JSONWriter) {
    if text.isEmpty { return }
    writer.key(key)
    writer.string(text)
  }
}
