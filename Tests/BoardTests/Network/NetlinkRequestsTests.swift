import Codec
import Device
import Foundation
import Glibc
import Runtime
import Testing

@testable import Board

/// A kernel that has its answers ready: the other end of a pair of sockets for each question.
private final class ReadyKernel {
  private var answers: [NetlinkProtocol: [[UInt8]]]
  private var ends: [Int32] = []

  init(_ answers: [NetlinkProtocol: [[UInt8]]]) { self.answers = answers }

  deinit { for end in ends { close(end) } }

  var questions: NetlinkRequests {
    NetlinkRequests { [self] kind in
      guard let datagrams = answers[kind] else { return nil }
      var pair: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &pair)
      for bytes in datagrams { send(pair[1], bytes, bytes.count, 0) }
      ends.append(pair[1])
      return Descriptor(pair[0])
    }
  }

  /// What was asked on the socket that was opened as number `index`: the types of the messages.
  func asked(_ index: Int) -> [UInt16] {
    var types: [UInt16] = []
    var bytes = [UInt8](repeating: 0, count: 64)
    while recv(ends[index], &bytes, 64, Int32(MSG_DONTWAIT)) > 0 {
      types.append(UInt16(bytes[4]) | UInt16(bytes[5]) << 8)
    }
    return types
  }
}

private func half(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
private func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

private func message(_ kind: UInt16, _ body: [UInt8]) -> [UInt8] {
  word(UInt32(16 + body.count)) + half(kind) + half(0) + word(0) + word(0) + body
}

private func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
  half(UInt16(4 + value.count)) + half(kind) + value + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
}

@Suite("Questions about the network") struct NetlinkRequestsTests {
  private let end = message(3, [0, 0, 0, 0])
  private let family = message(16, [1, 2, 0, 0] + attribute(1, half(28)))

  private func links(_ numbers: UInt32..., kind: InterfaceKinds = .wifi) -> DeviceLinks {
    var links = DeviceLinks()
    for number in numbers {
      var link = LinkReading()
      link.index = number
      link.kind = kind
      links.append(link)
    }
    return links
  }

  private func address(_ interface: UInt32, _ last: UInt8) -> [UInt8] {
    message(20, [2, 24, 0x80, 0] + word(interface) + attribute(1, [192, 0, 2, last]))
  }

  private func interface(_ number: UInt32, type: UInt32 = 2) -> [UInt8] {
    message(
      28, [7, 1, 0, 0] + attribute(3, word(number)) + attribute(5, word(type)) + attribute(38, word(2437)))
  }

  private func station(_ number: UInt32) -> [UInt8] {
    let facts = attribute(7, [UInt8(bitPattern: -58)]) + attribute(8, attribute(1, half(722)))
    return message(28, [19, 1, 0, 0] + attribute(3, word(number)) + attribute(21, facts))
  }

  @Test("addresses are counted for each interface, over as many datagrams as it takes")
  func addresses() {
    var links = links(2, 3)
    let kernel = ReadyKernel([.route: [address(2, 1) + address(2, 2), address(9, 1) + address(3, 5), end]])
    kernel.questions.countAddresses(of: &links)
    #expect(links[0].addresses == 2 && links[1].addresses == 1)
    #expect(kernel.asked(0) == [22])
  }

  @Test("without the end of the answer nothing is reported, however much of it came")
  func torn() {
    var links = links(2)
    let before = SystemClock().monotonic
    ReadyKernel([.route: [address(2, 1)]]).questions.countAddresses(of: &links)
    #expect(links[0].addresses == nil)
    #expect(SystemClock().monotonic - before >= Int64(Budget.netlinkWait))
    let endless = [[UInt8]](repeating: address(2, 1), count: Budget.netlinkAnswers) + [end]
    ReadyKernel([.route: endless]).questions.countAddresses(of: &links)
    #expect(links[0].addresses == nil)
    ReadyKernel([.route: endless.dropLast(2) + [end]]).questions.countAddresses(of: &links)
    #expect(links[0].addresses == Budget.netlinkAnswers - 1)
  }

  @Test("a client's air is told by signal, rate and channel; an access point has none")
  func air() throws {
    var links = links(3, 4)
    let kernel = ReadyKernel([
      .generic: [family, interface(3), station(3) + station(7), end, interface(4, type: 3)]
    ])
    kernel.questions.listen(for: &links)
    let air = try #require(links[0].air)
    #expect(air.signal == -58 && air.bitrate == 72.2 && air.frequency == 2437)
    #expect(links[1].air == nil)
    #expect(kernel.asked(0) == [16, 28, 28, 28])
  }

  @Test("a kernel without nl80211, one that refuses, and one that talks nonsense tell nothing")
  func nothing() {
    let refusal = message(2, word(UInt32(bitPattern: -2)) + [UInt8](repeating: 0, count: 16))
    for answers in [[refusal], [family, refusal], [family, [1, 2, 3]], []] {
      var links = links(3)
      ReadyKernel([.generic: answers]).questions.listen(for: &links)
      #expect(links[0].air == nil)
    }
    var links = links(3)
    ReadyKernel([:]).questions.listen(for: &links)
    #expect(links[0].air == nil)
  }

  @Test("without a wireless interface no request is sent")
  func wired() {
    var links = links(2, kind: .wired)
    NetlinkRequests { kind in
      Issue.record("asked \(kind)")
      return nil
    }.listen(for: &links)
  }

  @Test("the kernel of this machine counts addresses", .enabled(if: NewNetwork.isPermitted))
  func thisMachine() throws {
    try NewNetwork.run {
      #expect(NewNetwork.shell("ip link set lo up && ip address add 192.0.2.9/24 dev lo"))
      var links = self.links(if_nametoindex("lo"), kind: .wired)
      NetlinkRequests().countAddresses(of: &links)
      // 127.0.0.1 and ::1 are of this machine alone.
      #expect(links[0].addresses == 1)
      var wireless = self.links(if_nametoindex("lo"))
      NetlinkRequests().listen(for: &wireless)
      #expect(wireless[0].air == nil)
    }
  }
}
