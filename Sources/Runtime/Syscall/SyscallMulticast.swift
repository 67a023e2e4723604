import CLinux

/// Where a multicast packet came from.
public struct MulticastOrigin: Equatable, Sendable {
  /// The interface that received it; 0 when the kernel did not report it.
  public let interface: UInt32
  /// The sender's port.
  public let port: UInt16
  /// True when the sender is this machine, by a loopback address.
  public let isLoopback: Bool
}

extension Syscall {
  /// `socket(2)`: a non-blocking UDP socket of one family on an ephemeral port, for sending to groups of every
  /// interface with hop limit 255. The kernel reports the interface of each received packet (`IP_PKTINFO`).
  public static func multicastSocket(isIPv6: Bool) throws(Errno) -> Descriptor {
    let family: Int32 = isIPv6 ? 16 : 4
    let socket = Descriptor(Int32(try check(tl_socket(family, TL_DATAGRAM))))
    do throws(Errno) {
      try check(tl_multicast_options(socket.number, family))
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// `sendmsg(2)`: one packet to a group by one interface.
  public static func send(
    _ packet: UnsafeBufferPointer<UInt8>, to group: SocketAddress, by interface: UInt32, _ socket: Descriptor
  ) throws(Errno) {
    var bytes = group.bytes
    let result = withUnsafePointer(to: &bytes) { pointer in
      pointer.withMemoryRebound(to: UInt8.self, capacity: 16) {
        tl_send_multicast(
          socket.number, $0, Int32(group.byteCount), interface, group.port, packet.baseAddress,
          numericCast(packet.count))
      }
    }
    try check(result)
  }

  /// `recvmsg(2)`: one packet, its length, and where it came from. Throws `.messageTooLong` for one that did not fit;
  /// it is lost.
  public static func receive(
    _ socket: Descriptor, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> (count: Int, origin: MulticastOrigin) {
    var raw = tl_origin_t()
    let count = try check(
      tl_receive_multicast(socket.number, bytes.baseAddress, numericCast(bytes.count), &raw))
    return (
      Int(count),
      MulticastOrigin(interface: raw.interface, port: raw.port, isLoopback: raw.is_loopback != 0)
    )
  }

  /// `getifaddrs(3)`: the numbers of the interfaces that are up and can carry multicast. How many were written to
  /// `interfaces`, at most all of it.
  public static func multicastInterfaces(
    into interfaces: UnsafeMutableBufferPointer<UInt32>
  ) throws(Errno) -> Int {
    Int(try check(tl_multicast_interfaces(interfaces.baseAddress, numericCast(interfaces.count))))
  }
}

/// Lists that the kernel can dump (`RTM_GETLINK`, `RTM_GETADDR`, `RTM_GETROUTE`).
public enum NetworkDump: UInt16, Sendable {
  case links = 18
  case addresses = 22
  case routes = 26
}

extension Syscall {
  /// `socket(2)`, `AF_NETLINK`: receives changes of links, addresses and routes (`rtnetlink(7)`).
  public static func networkEventSocket() throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_network_news())))
  }

  /// `socket(2)`, `AF_NETLINK`: receives events of devices that appear and disappear (`NETLINK_KOBJECT_UEVENT`).
  public static func deviceEventSocket() throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_device_news())))
  }

  /// `sendto(2)`: requests a dump of one list.
  public static func ask(_ news: Descriptor, for dump: NetworkDump) throws(Errno) {
    try check(tl_network_dump(news.number, dump.rawValue))
  }

  /// `recvmsg(2)`: one datagram of the kernel, its length; 0 for what another process sent. Throws `.noBufferSpace`
  /// when the kernel had to drop some, `.messageTooLong` when one did not fit.
  public static func receiveNetlink(
    _ news: Descriptor, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(Errno) -> Int {
    Int(try check(tl_network_receive(news.number, bytes.baseAddress, numericCast(bytes.count))))
  }
}
