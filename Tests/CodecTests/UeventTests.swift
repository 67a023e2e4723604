import Testing

@testable import Codec

@Suite("Uevents: what the kernel says of devices")
struct UeventTests {
  private let path = "/devices/pci0000:00/usb1/1-2/1-2:1.0/video4linux/video0"

  private func message(_ action: String, _ fields: [String]) -> [UInt8] {
    ([action + "@" + path] + fields).flatMap { $0.bytes + [0] }
  }

  /// What is said, or where it was refused.
  private func read(_ bytes: [UInt8], _ subsystem: StaticString = "video4linux") -> (Uevent.Action, Bool)? {
    do throws(NetlinkError) {
      let event = try Uevent(bytes.span)
      return (event.action, event.isOf(subsystem: subsystem))
    } catch {
      return nil
    }
  }

  private func refusal(_ bytes: [UInt8]) -> Int? {
    do throws(NetlinkError) {
      _ = try Uevent(bytes.span)
      return nil
    } catch {
      return error.offset
    }
  }

  @Test(
    "a camera that comes, goes and changes",
    arguments: [
      ("add", Uevent.Action.added), ("remove", .removed), ("change", .changed), ("bind", .other), ("adds", .other),
    ])
  func actions(word: String, action: Uevent.Action) throws {
    let event = try #require(
      read(message(word, ["ACTION=\(word)", "DEVPATH=\(path)", "SUBSYSTEM=video4linux", "MAJOR=81", "SEQNUM=4711"])))
    #expect(event == (action, true))
  }

  @Test("the class of the device is what stands after SUBSYSTEM=, whole")
  func subsystem() throws {
    let others = [
      "SUBSYSTEM=net", "SUBSYSTEM=video4linux2", "SUBSYSTEM=video", "XSUBSYSTEM=video4linux", "SUBSYSTEM=",
    ]
    for field in others {
      #expect(try #require(read(message("add", [field]))).1 == false, "\(field)")
    }
    #expect(try #require(read(message("add", ["SUBSYSTEM=net", "SUBSYSTEM=video4linux"]))).1 == false)
    #expect(try #require(read(message("change", ["INTERFACE=lo", "SUBSYSTEM=net"]), "net")).1)
    #expect(try #require(read(message("add", []))) == (.added, false))
    // A path that looks like a field is none.
    #expect(try #require(read("add@/SUBSYSTEM=video4linux".bytes + [0])).1 == false)
  }

  @Test("what is not so is refused by its place")
  func malformed() {
    let good = message("add", ["ACTION=add", "SUBSYSTEM=video4linux"])
    let header = 4 + path.utf8.count + 1
    #expect(refusal(good) == nil)
    #expect(refusal([]) == 0)
    #expect(refusal([0]) == 0)
    #expect(refusal("libudev".bytes + [0, 1, 2, 3, 4]) == 0)
    #expect(refusal("@/devices".bytes + [0]) == 0)
    #expect(refusal(message("add", ["ACTION"])) == header)
    #expect(refusal(message("add", ["=add"])) == header)
    #expect(refusal(message("add", ["ACTION=add", ""])) == header + 11)
    #expect(refusal(good.dropLast()) == header + 11)
  }

  @Test("every damaged message is read or refused inside itself")
  func mutations() {
    let good = message("add", ["ACTION=add", "SUBSYSTEM=video4linux", "SEQNUM=1"])
    for end in good.indices { #expect(refusal(Array(good[..<end])).map { $0 <= end } ?? (good[end - 1] == 0)) }
    var random = Seeded(7)
    for _ in 0..<5000 {
      let bytes = mutated(good, &random)
      if let place = refusal(bytes) { #expect(place <= bytes.count) } else { #expect(bytes.last == 0) }
    }
  }
}
