import Codec
import Completion
import Fetch
import Runtime

extension ModelFault {
  /// A connection that gave no answer.
  init(_ failure: FetchFailure) {
    var text = InlineText<300>()
    text.fill { room in
      var writer = ByteWriter(into: room)
      failure.write(to: &writer)
      return min(writer.count, room.count)
    }
    self.init(Self.kind(of: failure.kind), message: text.span, hiding: StaticString("").utf8Bytes)
  }

  private static func kind(of failure: FetchFailure.Kind) -> ModelFault.Kind {
    switch failure {
    case .timedOut: .timedOut
    case .cut: .cut
    case .tooLarge: .endless
    case .malformed, .encoding, .badAddress, .redirects: .malformed
    default: .unreachable
    }
  }
}

extension LogLine {
  /// Adds the sentence of a fault.
  mutating func add(_ fault: ModelFault) {
    var text = InlineText<400>()
    text.fill { room in
      var writer = ByteWriter(into: room)
      fault.write(to: &writer)
      return min(writer.count, room.count)
    }
    add(text.span)
  }
}
