import Codec
import Node
import Programs
import Runtime

/// `exec.started`, `exec.finished` and `exec.denied` (node-commands 9), of runs that name their session and run.
/// Gateways count them only while they remember the run, so they are dropped soon.
struct RunEvents {
  let outbox: Outbox

  func started(_ origin: RunOrigin, _ command: InlineText<256>) {
    post("exec.started", origin, command) { _ in }
  }

  /// `verdict` is nil when the run was ended from outside.
  func finished(
    _ origin: RunOrigin, _ command: InlineText<256>, _ verdict: ProgramVerdict?, isTimedOut: Bool,
    _ tail: UnsafeBufferPointer<UInt8>
  ) {
    post("exec.finished", origin, command) { writer in
      if case .exited(let status) = verdict {
        writer.key("exitCode")
        writer.int(Int64(status))
      }
      writer.key("timedOut")
      writer.bool(isTimedOut)
      writer.key("success")
      writer.bool(verdict == .exited(0))
      writer.key("output")
      writer.string(Span(_unsafeElements: tail))
      if origin.isQuiet {
        writer.key("suppressNotifyOnExit")
        writer.bool(true)
      }
    }
  }

  func denied(_ origin: RunOrigin, _ command: InlineText<256>, _ reason: RunRefusal) {
    post("exec.denied", origin, command) { writer in
      writer.key("reason")
      var room = InlineArray<256, UInt8>(repeating: 0)
      var span = room.mutableSpan
      let count = span.withUnsafeMutableBufferPointer { bytes in
        var line = ByteWriter(into: bytes)
        reason.writeSentence(to: &line)
        return min(line.count, bytes.count)
      }
      writer.string(room.span.extracting(..<count))
    }
  }

  private func post(
    _ name: StaticString, _ origin: RunOrigin, _ command: InlineText<256>, _ members: (inout JSONWriter) -> Void
  ) {
    guard origin.hasEvents else { return }
    _ = outbox.post(name, ageLimit: Budget.runEventMilliseconds, hasID: false) { writer in
      writer.key("sessionKey")
      writer.string(origin.sessionKey.span)
      writer.key("runId")
      writer.string(origin.runID.span)
      writer.key("host")
      writer.string("node")
      if !command.isEmpty {
        writer.key("command")
        writer.string(command.span)
      }
      members(&writer)
    }
  }
}
