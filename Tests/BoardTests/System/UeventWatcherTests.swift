import Foundation
import Glibc
import Runtime
import Testing

@testable import Board

/// A watcher on a loop of its own.
private final class WatcherProbe: UeventWatcherDelegate, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  let watcher: UeventWatcher
  private(set) var changes = 0

  init(_ subsystem: StaticString) throws {
    loop = try Loop(clock: clock)
    watcher = UeventWatcher(subsystem: subsystem, loop: loop, clock: clock)
    try watcher.start(self)
  }

  deinit { watcher.stop() }

  /// Runs for so long, or until the next change.
  func run(_ milliseconds: Int64) throws {
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic + milliseconds)
    try loop.run()
    loop.cancelTimer(TimerID(9), of: self)
  }

  func devicesChanged() {
    changes += 1
    loop.stop()
  }

  func timerFired(_ id: TimerID) { loop.stop() }
}

/// Serialised: they make events that every listener of the machine hears.
@Suite("Watching devices come and go", .serialized)
struct UeventWatcherTests {
  /// The loopback is a device as well, and whoever may write here makes the kernel speak of it.
  private static let loopback = "/sys/class/net/lo/uevent"
  private static var mayMakeEvents: Bool { access(loopback, W_OK) == 0 && getuid() == 0 }
  private let settle = Budget.ueventSettleMilliseconds

  private func makeEvent() throws {
    try "change".write(toFile: Self.loopback, atomically: false, encoding: .utf8)
  }

  @Test(
    "of the real kernel: a burst is told once, when it has settled; the next one anew",
    .enabled(if: mayMakeEvents, "only root may make events"))
  func burst() throws {
    let probe = try WatcherProbe("net")
    let start = probe.clock.monotonic
    // More than are taken in one turn of the loop.
    for _ in 0..<40 { try makeEvent() }
    try probe.run(3 * settle)
    let waited = probe.clock.monotonic - start
    #expect(probe.changes == 1)
    #expect((settle...settle + 900).contains(waited), "\(waited) ms")
    try makeEvent()
    try probe.run(3 * settle)
    #expect(probe.changes == 2)
  }

  @Test(
    "what happens to other devices is not told, and only the kernel is believed",
    .enabled(if: mayMakeEvents, "only root may make events"))
  func others() throws {
    let probe = try WatcherProbe("video4linux")
    for _ in 0..<3 { try makeEvent() }
    try forge("add@/devices/video0\0ACTION=add\0SUBSYSTEM=video4linux\0")
    try forge("no message at all")
    try probe.run(settle + 200)
    #expect(probe.changes == 0)
  }

  /// Sends a message to the kernel's group as another process would.
  private func forge(_ text: String) throws {
    // <linux/netlink.h>: NETLINK_KOBJECT_UEVENT, and `struct sockaddr_nl` to group 1.
    let news = socket(AF_NETLINK, Int32(SOCK_RAW.rawValue), 15)
    try #require(news >= 0)
    defer { close(news) }
    let address: [UInt32] = [UInt32(AF_NETLINK), 0, 1]
    let sent = address.withUnsafeBytes { address in
      sendto(news, text, text.utf8.count, 0, address.bindMemory(to: sockaddr.self).baseAddress, 12)
    }
    try #require(sent == text.utf8.count)
  }

  @Test(
    "when the kernel had to drop messages, a change is told",
    .enabled(if: mayMakeEvents, "only root may make events"))
  func overflow() throws {
    let probe = try WatcherProbe("video4linux")
    // The kernel counts each message with some 800 bytes against a socket's 208 KiB.
    for _ in 0..<1_000 { try makeEvent() }
    try probe.run(3 * settle)
    #expect(probe.changes == 1)
  }

  @Test(
    "after the end nothing is told, and a new start hears again",
    .enabled(if: mayMakeEvents, "only root may make events"))
  func stopping() throws {
    let probe = try WatcherProbe("net")
    try makeEvent()
    try probe.run(100)
    probe.watcher.stop()
    try makeEvent()
    try probe.run(settle + 200)
    #expect(probe.changes == 0)
    try probe.watcher.start(probe)
    try makeEvent()
    try probe.run(3 * settle)
    #expect(probe.changes == 1)
  }
}
