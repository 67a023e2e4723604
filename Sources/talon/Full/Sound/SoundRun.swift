import Board
import Codec
import Node
import Runtime
import Sound

/// The loop of a command that opens a card: ends when `stop` is called, when its time is over, or with Ctrl-C.
final class SoundRun: TimerHandler {
  private static let end = TimerID(0), wake = TimerID(1)

  let loop: Loop
  let clock = SystemClock()
  private var advance: (Int64) -> Void = { _ in }
  private var deadline: () -> Int64? = { nil }

  init() throws(Failure) {
    do throws(Errno) { loop = try Loop(clock: clock) } catch {
      throw Failure(.system, "the event loop could not be set up: \(String(error.text))")
    }
  }

  /// Runs until `stop`, or for so many milliseconds. `advance` is called when `deadline` has come.
  func run(milliseconds: Int64?, advance: @escaping (Int64) -> Void, deadline: @escaping () -> Int64?)
    throws(Failure)
  {
    (self.advance, self.deadline) = (advance, deadline)
    do throws(Errno) {
      let signals = try Signals(loop: loop) { _ in self.stop() }
      defer { signals.close() }
      if let milliseconds { loop.setTimer(Self.end, of: self, at: clock.monotonic + milliseconds) }
      try loop.run { self.arm() }
      loop.cancelTimer(Self.end, of: self)
      loop.cancelTimer(Self.wake, of: self)
    } catch {
      throw Failure(.system, "waiting for events failed: \(String(error.text))")
    }
  }

  private func arm() {
    if let deadline = deadline() { loop.setTimer(Self.wake, of: self, at: deadline) }
  }

  func stop() { loop.stop() }

  func timerFired(_ id: TimerID) { id == Self.end ? stop() : advance(clock.monotonic) }

  // MARK: Texts

  static func text(_ error: SoundError) -> String {
    text { (line: inout LogLine) in error.write(to: &line) }
  }

  static func text(_ facts: SoundFacts) -> String {
    text { (line: inout LogLine) in facts.write(to: &line) }
  }

  /// A card, and which of its channels are heard.
  static func text(_ facts: SoundFacts, _ intake: SoundIntake) -> String {
    text { (line: inout LogLine) in
      facts.write(to: &line)
      intake.writeMixed(to: &line)
    }
  }

  private static func text(_ write: (inout LogLine) -> Void) -> String {
    var bytes = [UInt8](repeating: 0, count: Budget.logLineBytes)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var line = LogLine(buffer)
      write(&line)
      return line.count
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  static func told<Value>(_ body: () throws(SoundError) -> Value) throws(Failure) -> Value {
    do throws(SoundError) { return try body() } catch { throw Failure(.unavailable, text(error)) }
  }

  static func made<Value>(_ body: () throws(Errno) -> Value) throws(Failure) -> Value {
    do throws(Errno) { return try body() } catch { throw Failure(.system, String(error.text)) }
  }

  static func number(_ options: Options, _ name: String, _ range: ClosedRange<Int64>) throws(Failure)
    -> Int64?
  {
    guard let word = options.value(name) else { return nil }
    guard let number = ConfigurationKey.decimal(word), range.contains(number) else {
      throw Failure(.usage, "\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Writes the header of a WAV file of 16 bits and one channel.
  static func writeHeader(to file: Descriptor, rate: UInt32, samples: Int) throws(Errno) {
    let header = WAVHeader(
      coding: .linear, channels: 1, rate: rate, bits: 16, sampleBytes: 2, dataOffset: WAVHeader.writtenBytes,
      dataBytes: 2 * samples)
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: WAVHeader.writtenBytes)
    defer { text.deallocate() }
    var writer = ByteWriter(into: text)
    header.write(to: &writer)
    try Syscall.writeAll(file, UnsafeRawBufferPointer(text), at: 0)
  }

  /// A board without a configuration may use its sound cards, too.
  static func configuration(_ options: Options) throws(Failure) -> SoundConfiguration {
    let path = options.configurationPath
    do throws(Errno) {
      _ = try Syscall.status(try Path(path))
    } catch {
      if path == ConfigurationFile.defaultPath { return SoundConfiguration() }
    }
    return try ConfigCommand.read(path).sound
  }

  /// The cards that capture, or play, and their properties.
  static func list(captures: Bool) -> ExitCode {
    var count = 0
    ALSACards.forEach { card in
      var devices: [String] = []
      ALSACards.forEachDevice(of: card, captures: captures) {
        devices.append("  device \($0.number)  \(string($0.name))")
      }
      if devices.isEmpty { return }
      count += 1
      Console.show("\(string(card.id))  \(string(card.name))")
      Console.show("  plugged in at  \(string(card.place))")
      for device in devices { Console.show(device) }
      do throws(SoundError) {
        try ALSAMixer.forEach(of: card, captures: captures) { Console.show(line($0)) }
      } catch {
        Console.show("  its controls cannot be read: \(text(error))")
      }
    }
    if count > 0 { return .ok }
    Console.err("talon: no sound card that \(captures ? "captures" : "plays") was found")
    return .unavailable
  }

  private static func line(_ control: MixerControl) -> String {
    var line = "  control  \(string(control.name))"
    if let percent = control.percent { line += "  \(percent) %" }
    if let decibels = control.decibels { line += "  \(Decibels.text(hundredths: Int(clamping: decibels)))" }
    if let isOn = control.isOn { line += isOn ? "  on" : "  off" }
    return line
  }

  private static func string(_ text: SoundName) -> String { IdentityCommand.string(text.span) }
}

/// Levels as text.
enum Decibels {
  /// Of a part of full scale: "-23.4 dB"; silence is "-inf dB".
  static func text(_ level: Double) -> String {
    guard level > 0 else { return "-inf dB" }
    return text(
      hundredths: Int(clamping: (2000 * Trigonometry.logarithm(level) / Trigonometry.logarithm(10)).rounded()))
  }

  /// ALSA's "gain mute" (`SND_CTL_TLV_DB_GAIN_MUTE`), below any level.
  private static let silence = -9_999_999

  static func text(hundredths: Int) -> String {
    if hundredths <= silence { return "-inf dB" }
    let tenths = (abs(hundredths) + 5) / 10
    return "\(hundredths < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
  }
}
