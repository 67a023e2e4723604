import CLinux

/// What the board reports about itself, other than in files.
extension Syscall {
  /// `adjtimex(2)`: true when the system's clock is synchronized.
  public static func clockIsSynchronized() throws(Errno) -> Bool { try check(tl_clock_is_synchronized()) != 0 }

  /// Reads the bits of the tag "get throttled" from a Raspberry Pi's firmware, through its open mailbox.
  public static func throttled(_ mailbox: Descriptor) throws(Errno) -> UInt32 {
    var bits: UInt32 = 0
    try check(tl_mailbox_throttled(mailbox.number, &bits))
    return bits
  }

  /// Which build of the program this is: the commit and its day in a firmware, `debug` elsewhere.
  public static var buildName: String { String(cString: tl_build_name()) }
}

extension Syscall {
  /// Rows of a terminal, 0 when unknown; throws `ENOTTY` for anything else.
  public static func terminalLines(_ terminal: Descriptor) throws(Errno) -> Int {
    Int(try check(tl_terminal_lines(terminal.number)))
  }
}

/// Netlink families for requests: `NETLINK_ROUTE` and `NETLINK_GENERIC`.
public enum NetlinkProtocol: Int32, Sendable {
  case route = 0
  case generic = 16
}

extension Syscall {
  /// `socket(2)`, `AF_NETLINK`: for requests only, without events. `send` sends one, `receiveNetlink` reads the
  /// responses.
  public static func netlinkRequestSocket(_ to: NetlinkProtocol) throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_network_questions(to.rawValue))))
  }
}
