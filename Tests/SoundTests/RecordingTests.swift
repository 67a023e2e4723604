import Codec
import Foundation
import Runtime
import Simulated
import Testing

@testable import Sound

private final class Waiter: SoundDeviceDelegate, SoundPlayerDelegate {
  var calls = 0
  var (ends, error): (Int, SoundError?) = (0, nil)
  func soundReady() { calls += 1 }
  func played(_ error: SoundError?) {
    ends += 1
    self.error = error
  }
}

private final class Words: SoundVoice {
  let rate: UInt32
  private var samples: ArraySlice<Int16>

  init(_ samples: [Int16], rate: UInt32) {
    self.samples = samples[...]
    self.rate = rate
  }

  func speak(into target: UnsafeMutableBufferPointer<Int16>) -> Int {
    let part = samples.prefix(target.count)
    for (index, value) in part.enumerated() { target[index] = value }
    samples = samples.dropFirst(part.count)
    return part.count
  }
}

/// A card that plays, in memory: it has room for so many frames, and fails when told to.
private final class MemoryPlayback: SoundPlayback {
  var heard: [UInt8] = []
  var room = Int.max
  var failure: SoundError?
  var isPlaying = false
  var gaps = 0
  func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts { facts() }
  func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {}
  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    if let failure { throw failure }
    let count = min(room, bytes.count / 2)
    heard += bytes[..<(2 * count)]
    room -= count
    return count
  }
  func begin() throws(SoundError) { isPlaying = true }
  func waiting() throws(SoundError) -> Int { isPlaying ? 0 : heard.count / 2 }
  func listen(_ isOn: Bool) {}
  func stop() { isPlaying = false }
  func close() {}
}

@Suite struct RecordingTests {
  private let clock = VirtualClock()

  private func read(_ capture: WAVCapture, bytes: Int = 4096) throws -> (SoundRead, [UInt8]) {
    var room = [UInt8](repeating: 0, count: bytes)
    let result = try room.withUnsafeMutableBytes { try capture.read(into: $0) }
    return (result, room)
  }

  @Test func `A recording is heard at the pace of the clock, and over and over`() throws {
    let recording = Recording((0..<1000).map { Int16($0) }, rate: 8_000)
    let capture = try WAVCapture(path: recording.path, clock: clock)
    let delegate = Waiter()
    #expect(try capture.open(SoundOrder()).rate == 8_000)
    try capture.start(delegate)
    #expect(try read(capture).0 == .nothing)
    clock.advance(40)
    capture.advance(to: clock.monotonic)
    #expect(delegate.calls == 1)
    let (first, bytes) = try read(capture)
    #expect(first == .frames(320))
    #expect(bytes[2] == 1)
    clock.advance(100)
    #expect(try read(capture).0 == .frames(680))
    #expect(try read(capture).0 == .nothing)
    let (again, beginning) = try read(capture)
    #expect(again == .frames(120))
    #expect(beginning[..<4] == [0, 0, 1, 0])
  }

  @Test func `Frames that are not fetched are lost`() throws {
    let recording = Recording([Int16](repeating: 1, count: 16_000))
    let capture = try WAVCapture(path: recording.path, clock: clock)
    _ = try capture.open(SoundOrder())
    try capture.start(Waiter())
    clock.advance(Int64(Budget.soundBufferMilliseconds) + 1)
    #expect(try read(capture).0 == .gap)
    #expect(try read(capture).0 == .nothing)
  }

  @Test func `At its end a recording that is not repeated has ended`() throws {
    let recording = Recording([1, 2, 3, 4])
    let capture = try WAVCapture(path: recording.path, isRepeated: false, clock: clock)
    _ = try capture.open(SoundOrder())
    try capture.start(Waiter())
    clock.advance(10)
    #expect(try read(capture).0 == .frames(4))
    #expect { try read(capture) } throws: { ($0 as? SoundError)?.isLike(.ended) == true }
  }

  @Test func `A pipe is heard as it comes, wherever its frames are cut`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "talon-\(UUID().uuidString).pipe"
    ).path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let pipe = open(path, O_RDWR)
    defer { close(pipe) }
    let bytes = Recording.bytes([1, 2, 3, 4, 5, 6], rate: 16_000, channels: 2)
    _ = write(pipe, bytes, 47)
    let capture = try WAVCapture(path: path, clock: clock)
    #expect(try capture.open(SoundOrder()).channels == 2)
    try capture.start(Waiter())
    #expect(try read(capture).0 == .nothing)
    bytes.withUnsafeBytes { _ = write(pipe, $0.baseAddress! + 47, 9) }
    let (result, heard) = try read(capture)
    #expect(result == .frames(3))
    #expect(heard[..<12] == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0])
  }

  @Test(arguments: ["RIFF", "RIFX0000WAVEfmt ", ""]) func `A file that is no sound is reported`(text: String)
    throws
  {
    let recording = Recording()
    _ = FileManager.default.createFile(atPath: recording.path, contents: Data(text.utf8))
    let capture = try WAVCapture(path: recording.path, clock: clock)
    #expect { try capture.open(SoundOrder()) } throws: { ($0 as? SoundError)?.isLike(.notWAV("")) == true }
  }

  @Test func `A file that is not there is reported, and looked for again`() throws {
    let capture = try WAVCapture(path: "/nonexistent/a.wav", clock: clock)
    #expect { try capture.look(SoundOrder()) } throws: { ($0 as? SoundError)?.isConfiguration == false }
  }

  // MARK: Playing

  private func player(_ playback: any SoundPlayback) -> SoundPlayer {
    SoundPlayer(playback, SoundOutlet(resampler: PlainResampler()), clock: clock)
  }

  @Test func `What is said stands in the file of a simulated speaker, at its rate and in its channels`()
    throws
  {
    let recording = Recording()
    let playback = try WAVPlayback(path: recording.path, clock: clock)
    var order = SoundOrder()
    (order.rate, order.channels) = (32_000, 2)
    let facts = try playback.open(order)
    let (player, delegate) = (player(playback), Waiter())
    try player.play(Words((0..<16_000).map { Int16($0 % 100) }, rate: 16_000), on: facts, delegate)
    var steps = 0
    while delegate.ends == 0, steps < 1000 {
      playback.advance(to: clock.monotonic)
      player.advance(to: clock.monotonic)
      clock.advance(10)
      steps += 1
    }
    playback.close()
    #expect(delegate.ends == 1 && delegate.error == nil)
    #expect(steps > 95)
    let header = try #require(try WAVHeader.read(recording.content.span))
    #expect(header.channels == 2)
    #expect(header.dataBytes == 32_000 * 4)
    #expect(recording.content[44..<60] == [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0])
  }

  @Test func `A card without room is written later, and nothing is lost`() throws {
    let (playback, delegate) = (MemoryPlayback(), Waiter())
    let player = player(playback)
    try player.play(Words((0..<2000).map { Int16($0) }, rate: 16_000), on: facts(), delegate)
    playback.room = 700
    player.soundReady()
    #expect(playback.isPlaying)
    #expect(delegate.ends == 0)
    playback.room = .max
    player.soundReady()
    player.advance(to: clock.monotonic)
    #expect(delegate.ends == 1 && delegate.error == nil)
    #expect(playback.heard.count == 4000)
    #expect(playback.heard[1400..<1404] == [0xBC, 0x02, 0xBD, 0x02])
  }

  @Test func `A card that fails ends it once`() throws {
    let (playback, delegate) = (MemoryPlayback(), Waiter())
    let player = player(playback)
    try player.play(Words([1, 2, 3], rate: 16_000), on: facts(), delegate)
    playback.failure = .disconnected
    player.soundReady()
    #expect(delegate.ends == 1 && delegate.error?.isLike(.disconnected) == true)
    #expect(!player.isPlaying)
  }
}
