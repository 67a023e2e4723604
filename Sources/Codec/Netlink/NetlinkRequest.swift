/// A netlink request to the kernel.
public enum NetlinkRequest: Equatable, Sendable {
  /// Every address of every interface (`RTM_GETADDR`); of NETLINK_ROUTE, as `NetlinkReader` reads it.
  case addresses
  /// The number of the family nl80211 (`CTRL_CMD_GETFAMILY`); of NETLINK_GENERIC, as the two below.
  case wirelessFamily
  /// How an interface is used (`NL80211_CMD_GET_INTERFACE`).
  case wirelessInterface(UInt32, family: UInt16)
  /// The stations at the other end of its links (`NL80211_CMD_GET_STATION`).
  case wirelessStations(UInt32, family: UInt16)

  /// Bytes of the longest one.
  public static let longest = 32

  /// Writes the message; `buffer` has room for `longest` bytes. How many it has.
  public func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    // NLM_F_REQUEST, and NLM_F_DUMP for everything there is.
    let (request, dump): (UInt16, UInt16) = (0x1, 0x301)
    var message = Message(buffer)
    switch self {
    case .addresses:
      message.header(type: 22, flags: dump)
      // struct rtgenmsg: any family, padded.
      message.half(0)
      message.half(0)
    case .wirelessFamily:
      message.header(type: 16, flags: request)
      message.generic(command: 3)
      // CTRL_ATTR_FAMILY_NAME, padded.
      message.half(12)
      message.half(2)
      message.text("nl80211\0")
    case .wirelessInterface(let interface, let family):
      message.header(type: family, flags: request)
      message.generic(command: 5)
      message.interface(interface)
    case .wirelessStations(let interface, let family):
      message.header(type: family, flags: dump)
      message.generic(command: 17)
      message.interface(interface)
    }
    return message.finish()
  }

  /// Builds a message of `struct nlmsghdr` in the byte order of this machine.
  private struct Message {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
      precondition(buffer.count >= NetlinkRequest.longest)
      self.buffer = buffer
    }

    /// The length is filled in at the end; sequence number and sender are 0, because only one request is outstanding.
    mutating func header(type: UInt16, flags: UInt16) {
      word(0)
      half(type)
      half(flags)
      word(0)
      word(0)
    }

    /// `struct genlmsghdr`, version 1.
    mutating func generic(command: UInt8) {
      buffer[count] = command
      buffer[count + 1] = 1
      count += 2
      half(0)
    }

    /// NL80211_ATTR_IFINDEX.
    mutating func interface(_ number: UInt32) {
      half(8)
      half(3)
      word(number)
    }

    mutating func half(_ value: UInt16) {
      UnsafeMutableRawPointer(buffer.baseAddress! + count).storeBytes(of: value, as: UInt16.self)
      count += 2
    }

    mutating func word(_ value: UInt32) {
      UnsafeMutableRawPointer(buffer.baseAddress! + count).storeBytes(of: value, as: UInt32.self)
      count += 4
    }

    mutating func text(_ text: StaticString) {
      for index in 0..<text.utf8CodeUnitCount { buffer[count + index] = text.utf8Start[index] }
      count += text.utf8CodeUnitCount
    }

    func finish() -> Int {
      UnsafeMutableRawPointer(buffer.baseAddress!).storeBytes(of: UInt32(count), as: UInt32.self)
      return count
    }
  }
}
