import CLinux

/// What the board tells of itself beside files.
extension Syscall {
  /// `adjtimex(2)`: true when something keeps the system's clock right.
  public static func clockIsSynchronized() throws(Errno) -> Bool { try check(tl_clock_is_synchronized()) != 0 }

  /// Asks the firmware of a Raspberry Pi by its open mailbox: the bits of its tag "get throttled".
  public static func throttled(_ mailbox: Descriptor) throws(Errno) -> UInt32 {
    var bits: UInt32 = 0
    try check(tl_mailbox_throttled(mailbox.number, &bits))
    return bits
  }
}

extension Syscall {
  /// How many lines a terminal shows, 0 when it does not know; throws `ENOTTY` for what is no terminal.
  public static func terminalLines(_ terminal: Descriptor) throws(Errno) -> Int {
    Int(try check(tl_terminal_lines(terminal.number)))
  }
}

/// Who answers questions about the network: `NETLINK_ROUTE` and `NETLINK_GENERIC`.
public enum NetlinkProtocol: Int32, Sendable {
  case route = 0
  case generic = 16
}

extension Syscall {
  /// `socket(2)`, `AF_NETLINK`: for questions alone. `send` asks, `receiveNews` hears the answers.
  public static func networkQuestions(_ to: NetlinkProtocol) throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_network_questions(to.rawValue))))
  }
}
