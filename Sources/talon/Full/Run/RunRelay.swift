import Programs
import Runtime

/// Sends what a program writes to the agent, as it comes, up to a limit.
final class RunRelay: ProgramRelay {
  private let socket: Descriptor
  private let limit: Int
  private let frame = FixedBuffer(capacity: 3 + Budget.runFrameBytes)
  private var count = 0
  private var isCut = false
  private var isClosed = false

  /// `limit`: bytes of output and errors together; the rest is read and left out, and the agent is told once.
  init(_ socket: Descriptor, limit: Int) {
    self.socket = socket
    self.limit = limit
  }

  func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool) {
    let taken = min(bytes.count, limit - count)
    if taken > 0 { send(isError ? .errors : .output, UnsafeBufferPointer(rebasing: bytes[..<taken])) }
    count += taken
    guard taken < bytes.count, !isCut else { return }
    isCut = true
    send(.cut, UnsafeBufferPointer(start: nil, count: 0))
  }

  /// The agent sends nothing after its request, so whatever can be read is its end.
  var isUnwanted: Bool {
    if isClosed { return true }
    do throws(Errno) { return try Syscall.waitReadable(socket, or: nil, milliseconds: 0).ready } catch { return true }
  }

  /// Tells how the program has ended.
  func end(_ end: LimitedProgram.End) {
    switch end {
    case .exited(let status): send(RunMessage.write(.exited, status, into: frame.bytes))
    case .signal(let number): send(RunMessage.write(.signal, number, into: frame.bytes))
    case .timedOut: send(.timedOut, UnsafeBufferPointer(start: nil, count: 0))
    case .cancelled: return
    }
  }

  /// Tells why nothing runs.
  func refuse(_ sentence: String) { sentence.withBytes { send(.refused, $0) } }

  private func send(_ kind: RunMessage.Kind, _ body: UnsafeBufferPointer<UInt8>) {
    send(RunMessage.write(kind, body, into: frame.bytes))
  }

  /// Waits for an agent that reads slowly; its program waits, too, and the service manager ends both in the end.
  private func send(_ length: Int) {
    var done = 0
    while done < length, !isClosed {
      do throws(Errno) {
        done += try Syscall.send(socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(frame.bytes)[done..<length]))
      } catch {
        if error != .wouldBlock { isClosed = true }
        if error == .wouldBlock { Syscall.pause(milliseconds: 5) }
      }
    }
  }
}
