import Codec
import Device
import Runtime

/// Queries the kernel about the network and waits for the replies (netlink(7)). For workers. Values that cannot be read
/// are nil.
final class NetlinkRequests {
  private let open: (NetlinkProtocol) -> Descriptor?
  private let answer = FixedBuffer(capacity: Budget.netlinkBytes)
  private let question = FixedBuffer(capacity: NetlinkRequest.longest)

  /// Uses sockets from `open`, and closes them.
  init(_ open: @escaping (NetlinkProtocol) -> Descriptor?) { self.open = open }

  /// Queries this machine's kernel.
  convenience init() {
    self.init { kind in
      do throws(Errno) { return try Syscall.netlinkRequestSocket(kind) } catch { return nil }
    }
  }

  /// Counts the addresses of the interfaces in `links` that are reachable from outside.
  func countAddresses(of links: inout DeviceLinks) {
    guard let socket = open(.route) else { return }
    defer { socket.close() }
    var counts = InlineArray<8, Int>(repeating: 0)
    var reachable = InlineArray<8, Int>(repeating: 0)
    let isComplete = ask(socket, .addresses) { datagram throws(NetlinkError) in
      var reader = NetlinkReader(datagram)
      while let message = try reader.next() {
        switch message {
        case .address(let address, true):
          for index in 0..<links.count where links[index].index == address.interface {
            counts[index] += 1
            if !address.bytes.isLinkLocal { reachable[index] += 1 }
          }
        case .done: return .done
        case .refused: return .refused
        default: break
        }
      }
      return .more
    }
    guard isComplete else { return }
    for index in 0..<links.count {
      links[index].addresses = counts[index]
      links[index].reachable = reachable[index]
    }
  }

  /// Reads the signal of the wireless interfaces in `links` that are clients.
  func listen(for links: inout DeviceLinks) {
    var hasWireless = false
    for index in 0..<links.count where links[index].kind == .wifi { hasWireless = true }
    guard hasWireless, let socket = open(.generic) else { return }
    defer { socket.close() }
    var family: UInt16?
    guard
      ask(
        socket, .wirelessFamily,
        { datagram throws(NetlinkError) in
          try Self.read(datagram, family: 0) { if case .family(let number) = $0 { family = number } }
            ?? (family == nil ? .more : .done)
        }), let family
    else { return }
    for index in 0..<links.count where links[index].kind == .wifi {
      links[index].air = air(links[index].index, family, socket)
    }
  }

  private func air(_ interface: UInt32, _ family: UInt16, _ socket: Descriptor) -> AirReading? {
    var found: WirelessInterface?
    let isKnown = ask(socket, .wirelessInterface(interface, family: family)) { datagram throws(NetlinkError) in
      try Self.read(datagram, family: family) {
        if case .interface(let link) = $0, link.interface == interface { found = link }
      } ?? (found == nil ? .more : .done)
    }
    guard isKnown, let found, found.isClient else { return nil }
    var reading = AirReading()
    reading.frequency = found.frequency.map { Int($0) }
    _ = ask(socket, .wirelessStations(interface, family: family)) { datagram throws(NetlinkError) in
      try Self.read(datagram, family: family) {
        guard case .station(let station) = $0, station.interface == interface else { return }
        reading.signal = station.signal.map { Int($0) }
        reading.bitrate = station.bitrate.map { Double($0) / 10 }
      } ?? .more
    }
    return reading
  }

  /// Reads a datagram of nl80211; nil unless it ends the reply.
  private static func read(
    _ datagram: Span<UInt8>, family: UInt16, _ body: (WirelessMessage) -> Void
  ) throws(NetlinkError) -> Progress? {
    var reader = WirelessReader(datagram, family: family)
    while let message = try reader.next() {
      switch message {
      case .done: return .done
      case .refused: return .refused
      default: body(message)
      }
    }
    return nil
  }

  /// The state of a reply.
  private enum Progress { case more, done, refused }

  /// Sends a request, and passes every datagram to `read` until the reply is complete. False when it is incomplete.
  private func ask(
    _ socket: Descriptor, _ what: NetlinkRequest, _ read: (Span<UInt8>) throws(NetlinkError) -> Progress
  ) -> Bool {
    let length = what.write(to: question.bytes)
    do throws(Errno) {
      _ = try Syscall.send(socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(question.bytes)[..<length]))
      for _ in 0..<Budget.netlinkAnswers {
        guard try Syscall.waitReadable(socket, or: nil, milliseconds: Budget.netlinkWait).ready else { return false }
        let count = try Syscall.receiveNetlink(socket, into: answer.bytes)
        let datagram = Span(_unsafeElements: UnsafeBufferPointer(rebasing: answer.bytes[..<count]))
        do throws(NetlinkError) {
          switch try read(datagram) {
          case .more: continue
          case .done: return true
          case .refused: return false
          }
        } catch {
          return false
        }
      }
      return false
    } catch {
      return false
    }
  }
}
