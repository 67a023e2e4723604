/// How a confined process has ended.
public enum ConfinedEnd: Equatable, Sendable {
  /// By itself, with this code.
  case exit(Int32)
  /// By a signal that this process did not send.
  case signal(Int32)
  /// It ran longer than its timeout, and was killed.
  case timedOut
  /// Its result is not wanted any more: it was killed.
  case cancelled
  /// It sent a message that is not of its protocol: it was killed.
  case invalidMessage
}

extension ConfinedEnd {
  private static let outOfTime: Int32 = 24, forbidden: Int32 = 31, kill: Int32 = 9

  /// What happened, in one sentence for the log and for answers.
  /// - Parameter subject: how the sentence begins: "the picture's decoder ".
  public func sentence(_ subject: StaticString) -> InlineText<128> {
    switch self {
    case .exit(Confinement.refused): Self.text(subject, "could not be confined, so it did not run")
    case .exit(Confinement.withoutMemory): Self.text(subject, "ran out of memory")
    case .exit(let code): Self.text(subject, "ended with exit code ", code)
    case .signal(Self.outOfTime): Self.text(subject, "used more processor time than it may, and was killed")
    case .signal(Self.forbidden):
      Self.text(subject, "was killed by the kernel: it made a forbidden system call")
    case .signal(Self.kill):
      Self.text(subject, "was killed (signal 9): the board is short of memory, or a person killed it")
    case .signal(let number): Self.text(subject, "crashed with signal ", number)
    case .timedOut: Self.text(subject, "took too long, and was killed")
    case .cancelled: Self.text(subject, "was killed: its result is not wanted any more")
    case .invalidMessage: Self.text(subject, "sent an invalid message, and was killed")
    }
  }

  private static func text(_ subject: StaticString, _ words: StaticString, _ number: Int32? = nil) -> InlineText<128> {
    var line = InlineText<128>()
    line.fill { room in
      var count = 0
      for byte in subject.bytes { append(byte, to: room, &count) }
      for byte in words.bytes { append(byte, to: room, &count) }
      guard let number else { return count }
      var divisor: Int32 = 100
      while divisor > 0 {
        if number >= divisor || divisor == 1 {
          append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10), to: room, &count)
        }
        divisor /= 10
      }
      return count
    }
    return line
  }

  private static func append(_ byte: UInt8, to room: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int) {
    guard count < room.count else { return }
    room[count] = byte
    count += 1
  }
}
