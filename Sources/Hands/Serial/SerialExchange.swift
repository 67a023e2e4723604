import Codec
import Runtime

/// One request on a line, and its answer up to a terminator. Blocks; on a worker.
public struct SerialExchange {
  public enum Outcome: Equatable {
    /// The answer has so many bytes, its terminator left out.
    case answer(Int)
    /// The answer was longer than the buffer, which has its beginning.
    case cut(Int)
    /// Nothing came in time.
    case silence
    /// So many bytes came in time, but no terminator.
    case unfinished(Int)
    case failed(Errno)
  }

  /// The end of an answer; empty: it ends after `Budget.serialQuietMilliseconds` without a byte.
  public var terminator: [UInt8]
  /// Milliseconds for the whole answer.
  public var timeout: Int64

  public init(terminator: [UInt8], timeout: Int64) {
    self.terminator = terminator
    self.timeout = timeout
  }

  /// Sends the request, and reads the answer into `buffer`.
  public func run(
    _ request: UnsafeBufferPointer<UInt8>, over line: any SerialLine, into buffer: UnsafeMutableBufferPointer<UInt8>,
    clock: any Clock
  ) -> Outcome {
    do throws(Errno) {
      try line.send(request)
      return try receive(over: line, into: buffer, deadline: clock.monotonic + timeout, clock: clock)
    } catch {
      line.close()
      return .failed(error)
    }
  }

  private func receive(
    over line: any SerialLine, into buffer: UnsafeMutableBufferPointer<UInt8>, deadline: Int64, clock: any Clock
  ) throws(Errno) -> Outcome {
    var count = 0
    while true {
      let rest = deadline - clock.monotonic
      let isQuietEnd = terminator.isEmpty && count > 0
      guard rest > 0 || isQuietEnd else { return count == 0 ? .silence : .unfinished(count) }
      let room = UnsafeMutableBufferPointer(rebasing: buffer[count...])
      guard !room.isEmpty else { return .cut(count) }
      let read = try line.receive(
        into: room, milliseconds: isQuietEnd ? Budget.serialQuietMilliseconds : rest)
      if read == 0 {
        if isQuietEnd { return .answer(count) }
        continue
      }
      count += min(read, room.count)
      if rest <= 0 { return .cut(count) }
      if let end = end(of: UnsafeBufferPointer(rebasing: buffer[..<count])) { return .answer(end) }
    }
  }

  /// Where the terminator begins.
  private func end(of answer: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !terminator.isEmpty, answer.count >= terminator.count else { return nil }
    next: for start in 0...(answer.count - terminator.count) {
      for index in 0..<terminator.count where answer[start + index] != terminator[index] { continue next }
      return start
    }
    return nil
  }
}
