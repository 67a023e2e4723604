import ArgumentParser
import Board
import Codec
import Foundation
import Location
import Runtime

/// Asks a gpsd as the agent does, for scenarios with the real one.
struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gpsd",
    abstract: "Follows a running gpsd, and prints its fixes as JSON lines as `nmea` does.",
    discussion: "What becomes of the connection and the satellites in view goes to standard error.")

  @Argument(help: "Where it listens: an address with or without port, localhost, or a socket's file.")
  var address = ""

  @Option(help: "Seconds after which it ends, with exit code 1 when --fixes were not reached.")
  var seconds = 10

  @Option(help: "Fixes after which it ends; 0 for any number.")
  var fixes = 0

  func run() throws {
    let clock = SystemClock()
    let loop = try Loop(clock: clock)
    let client = try GPSDClient(address: address, loop: loop, clock: clock, log: Log(output: nil))
    let follower = Follower(loop: loop, wanted: fixes)
    loop.setTimer(TimerID(0), of: follower, at: clock.monotonic + Int64(seconds) * 1000)
    client.start(follower)
    try loop.run()
    client.stop()
    if let failure = follower.failure { throw failure }
    if follower.fixes < fixes { throw ExitCode(1) }
  }
}

/// Prints what a source delivers.
private final class Follower: PositionSourceDelegate, TimerHandler {
  private let loop: Loop
  private let wanted: Int
  private var reader = GPSDReader()
  private var tracker = FixTracker(isArchive: true)
  private let line = FixedBuffer(capacity: 1024)
  private(set) var fixes = 0
  /// Why a fix could not be written.
  private(set) var failure: (any Error)?

  init(loop: Loop, wanted: Int) {
    self.loop = loop
    self.wanted = wanted
  }

  func positionSourceOpened() {
    say("open")
    reader.restart()
    tracker.receiverRestarted()
  }

  func positionSourceLost(_ reason: Errno) { say("lost \(reason.number)") }

  func positionSourceReceived(_ bytes: Span<UInt8>, at monotonic: Int64) {
    var index = 0
    while let report = reader.next(bytes, at: &index) {
      if case .sky = report {
        say("\(tracker.satellitesInView.count) satellites, \(tracker.satellitesInView.usedCount) in use")
      }
      guard tracker.accept(report, at: monotonic, wall: 0), let fix = tracker.latest else { continue }
      print(fix)
    }
  }

  private func print(_ fix: Fix) {
    var writer = JSONWriter(into: line.bytes)
    fix.writeRecord(to: &writer)
    do { try LabOutput.write(Data(line.bytes[..<writer.count]) + Data("\n".utf8)) } catch {
      failure = error
      return loop.stop()
    }
    fixes += 1
    if fixes == wanted { loop.stop() }
  }

  private func say(_ words: String) { LabOutput.note(words) }

  func timerFired(_ id: TimerID) { loop.stop() }
}
