import Codec
import Gateway
import Runtime

/// Gets multicast DNS packets.
protocol MulticastSocketDelegate: AnyObject {
  /// A packet from the multicast DNS port. The socket must not be closed here.
  func received(_ packet: Span<UInt8>, from origin: PacketOrigin)

  /// All waiting packets were received, and the socket may be closed here.
  func receivedAll()
}

/// Multicast DNS from an ephemeral port (RFC 6762 section 5.1): one socket per address family, which sends on every
/// multicast interface and gets replies by unicast. A failure of one interface or family does not affect the others.
final class MulticastSocket: DescriptorHandler {
  /// The multicast DNS port.
  private static let port: UInt16 = 5353

  private let loop: Loop
  private let packet = FixedBuffer(capacity: Budget.discoveryPacketBytes)
  private let query = FixedBuffer(capacity: Budget.discoveryQueryBytes)
  private let interfaces: UnsafeMutableBufferPointer<UInt32>
  private var ipv4: Descriptor?
  private var ipv6: Descriptor?
  private var delegate: (any MulticastSocketDelegate)?

  init(loop: Loop) {
    self.loop = loop
    interfaces = .allocate(capacity: Budget.discoveryInterfaces)
    interfaces.initialize(repeating: 0)
  }

  deinit {
    close()
    interfaces.deallocate()
  }

  /// Opens and watches the sockets; throws when neither family can be used.
  func open(_ delegate: any MulticastSocketDelegate) throws(Errno) {
    close()
    var failure: Errno?
    for isIPv6 in [true, false] {
      do throws(Errno) {
        let socket = try openSocket(isIPv6: isIPv6)
        if isIPv6 { ipv6 = socket } else { ipv4 = socket }
      } catch {
        failure = error
      }
    }
    if let failure, ipv4 == nil, ipv6 == nil { throw failure }
    self.delegate = delegate
  }

  private func openSocket(isIPv6: Bool) throws(Errno) -> Descriptor {
    let socket = try Syscall.multicastSocket(isIPv6: isIPv6)
    do throws(Errno) {
      try loop.watch(socket, for: .readable, self)
      return socket
    } catch {
      socket.close()
      throw error
    }
  }

  /// Closes the sockets.
  func close() {
    delegate = nil
    close(&ipv4)
    close(&ipv6)
  }

  private func close(_ socket: inout Descriptor?) {
    guard let open = socket else { return }
    loop.unwatch(open)
    open.close()
    socket = nil
  }

  /// Sends the query that `build` makes to the group on every interface; nothing when it has no question. Returns on
  /// how many interfaces it was sent, in one family or both.
  @discardableResult
  func send(id: UInt16, _ build: (inout DNSQuery) -> Void) -> Int {
    var writer = DNSQuery(into: query.bytes, id: id, recursionDesired: false)
    build(&writer)
    guard writer.questions > 0 else { return 0 }
    let bytes = UnsafeBufferPointer(rebasing: query.bytes[..<writer.count])
    var count = 0
    // The list is read each time: interfaces come and go.
    do throws(Errno) { count = try Syscall.multicastInterfaces(into: interfaces) } catch { return 0 }
    var taken = 0
    for index in 0..<count where send(bytes, by: interfaces[index]) { taken += 1 }
    return taken
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>, by interface: UInt32) -> Bool {
    var isSent = false
    for socket in [ipv4, ipv6] {
      guard let socket else { continue }
      // An interface without an address of this family refuses; others may succeed.
      do throws(Errno) {
        try Syscall.send(bytes, to: group(isIPv6: socket == ipv6), by: interface, socket)
        isSent = true
      } catch {}
    }
    return isSent
  }

  /// 224.0.0.251 and ff02::fb (RFC 6762 section 3).
  private func group(isIPv6: Bool) -> SocketAddress {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    if isIPv6 {
      (bytes[0], bytes[1], bytes[15]) = (0xFF, 0x02, 0xFB)
      return SocketAddress(bytes: bytes.span, port: Self.port)
    }
    (bytes[0], bytes[3]) = (224, 251)
    return SocketAddress(bytes: bytes.span.extracting(first: 4), port: Self.port)
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    var left = Budget.discoveryBytesPerTurn
    for _ in 0..<Budget.discoveryPacketsPerTurn where left > 0 {
      do throws(Errno) {
        let (count, origin) = try Syscall.receive(descriptor, into: packet.bytes)
        left -= count
        // A response always comes from this port (RFC 6762 section 6).
        guard origin.port == Self.port else { continue }
        delegate?.received(
          Span(_unsafeElements: UnsafeBufferPointer(rebasing: packet.bytes[..<count])),
          from: .link(interface: origin.interface, isLoopback: origin.isLoopback))
      } catch {
        // A packet that is too long is dropped; any other error, such as an ICMP refusal, ends this turn.
        if error != .messageTooLong { break }
      }
    }
    delegate?.receivedAll()
  }
}
