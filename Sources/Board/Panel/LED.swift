import Codec
import Panel
import Runtime

/// One LED of the kernel's LED class, used by a status light: on or off, or blinking by a trigger of the kernel (kernel
/// documents leds-class, ledtrig-pattern, leds-class-multicolor).
///
/// Its files do not block. Files that appear with a trigger belong to root until udev has changed their permissions, so
/// choosing a trigger waits up to `Budget.ledTriggerTries` short pauses.
final class LED {
  private enum Mode { case level, timer, pattern }
  /// Between two tries: a trigger's files become writable shortly after the trigger was chosen.
  private static let pauseMilliseconds: Int32 = 5

  private let files: SysfsFolder
  private let isInverted: Bool
  /// Percent of the maximum level.
  private let brightness: Int64
  private let text = FixedBuffer(capacity: max(Budget.ledTriggersBytes, Budget.ledPatternBytes))
  private var most: Int64 = 1
  private var mode = Mode.level
  /// nil: unknown.
  private var isLit: Bool?
  /// The trigger to restore on close. Its length is bounded by the kernel (TRIG_NAME_MAX).
  private var trigger = InlineText<50>()
  private var lacksTimer = false, lacksPattern = false
  /// The colors of its channels; empty for an LED of one color.
  private var colors = InlineList<8, LEDColors>()
  private var intensity: LEDColors?

  init(name: String, brightness: Int64, isInverted: Bool, root: String) throws(Errno) {
    files = try SysfsFolder(name: name, root: root)
    self.brightness = brightness
    self.isInverted = isInverted
  }

  /// True when it is a multicolor LED (multi_intensity).
  var hasColors: Bool { !colors.isEmpty }

  // MARK: Taking and giving back

  func open() throws(Errno) {
    most = try files.number(in: "max_brightness")
    guard most > 0 else { throw .invalidArgument }
    (lacksTimer, lacksPattern) = (false, false)
    mode = .level
    isLit = nil
    intensity = nil
    try readColors()
    try takeFromTrigger()
    try set(false)
  }

  /// Switches it off and restores its trigger.
  func close() {
    _ = try? set(false)
    guard !trigger.isEmpty else { return }
    let name = trigger
    _ = try? name.span.withUnsafeBufferPointer { bytes throws(Errno) in try files.write(bytes, to: "trigger") }
  }

  /// Reads the current trigger, which is in brackets in the list. A kernel without triggers has no such file.
  private func takeFromTrigger() throws(Errno) {
    trigger.clear()
    do throws(Errno) {
      let count = try files.read("trigger", into: text.bytes)
      note(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count])))
      try files.write("none", to: "trigger")
    } catch {
      guard error == .noSuchFile else { throw error }
      (lacksTimer, lacksPattern) = (true, true)
    }
  }

  private func note(_ triggers: Span<UInt8>) {
    var start: Int?
    for index in 0..<triggers.count {
      if triggers[index] == UInt8(ascii: "[") { start = index + 1 }
      guard triggers[index] == UInt8(ascii: "]"), let first = start else { continue }
      let name = triggers.extracting(first..<index)
      // A trigger that Talon uses was left by a run that was killed, and is not restored.
      for own: StaticString in ["none", "timer", "pattern"] where equal(own, name) { return }
      trigger.set(name)
      return
    }
  }

  private func equal(_ literal: StaticString, _ text: Span<UInt8>) -> Bool {
    guard literal.utf8CodeUnitCount == text.count else { return false }
    for index in 0..<text.count where literal.utf8Start[index] != text[index] { return false }
    return true
  }

  // MARK: Steady

  /// Switches it on or off; writes nothing when that is its state.
  func set(_ isLit: Bool) throws(Errno) {
    if mode != .level {
      try files.write("none", to: "trigger")
      mode = .level
      self.isLit = nil
    }
    guard isLit != self.isLit else { return }
    self.isLit = nil
    try files.write(level(isLit), to: "brightness")
    self.isLit = isLit
  }

  private func level(_ isLit: Bool) -> Int64 {
    let bright = max(1, most * brightness / 100)
    if isInverted { return isLit ? most - bright : most }
    return isLit ? bright : 0
  }

  // MARK: By the kernel

  /// Blinks with these times in milliseconds. False: the kernel has no such trigger, and nothing changed.
  func blink(lit: Int64, dark: Int64) throws(Errno) -> Bool {
    // The timer trigger uses level 0 for off.
    guard !lacksTimer, !isInverted else { return false }
    // The current level becomes the level of blinking.
    try set(true)
    mode = .timer
    guard try choose("timer"), try writeOfTrigger(lit, to: "delay_on"), try writeOfTrigger(dark, to: "delay_off") else {
      lacksTimer = true
      try set(false)
      return false
    }
    return true
  }

  /// Repeats the steps; `isLit` is called for each. False: the kernel has no such trigger, and nothing changed.
  func play(_ steps: [LightPattern.Step]) throws(Errno) -> Bool {
    guard !lacksPattern, steps.count <= Budget.lightSteps else { return false }
    if mode != .pattern {
      try set(false)
      mode = .pattern
      guard try choose("pattern") else { return try without() }
    }
    var writer = ByteWriter(into: text.bytes)
    for step in steps {
      // The kernel fades between levels, except to a level with duration 0 (ledtrig-pattern).
      let level = level(step.color != .dark)
      add(level, step.duration, to: &writer)
      add(level, 0, to: &writer)
    }
    guard writer.isComplete else { throw .invalidArgument }
    if try writeOfTrigger(UnsafeBufferPointer(rebasing: text.bytes[..<writer.count]), to: "pattern") { return true }
    return try without()
  }

  private func without() throws(Errno) -> Bool {
    lacksPattern = true
    try set(false)
    return false
  }

  private func add(_ level: Int64, _ duration: Int64, to writer: inout ByteWriter) {
    writer.decimal(level)
    writer.byte(UInt8(ascii: " "))
    writer.decimal(duration)
    writer.byte(UInt8(ascii: " "))
  }

  /// False when this kernel has no such trigger.
  private func choose(_ trigger: StaticString) throws(Errno) -> Bool {
    do throws(Errno) {
      try files.write(trigger, to: "trigger")
      return true
    } catch {
      if error == .invalidArgument || error == .noSuchFile { return false }
      throw error
    }
  }

  private func writeOfTrigger(_ number: Int64, to file: StaticString) throws(Errno) -> Bool {
    var writer = ByteWriter(into: text.bytes)
    writer.decimal(number)
    return try writeOfTrigger(UnsafeBufferPointer(rebasing: text.bytes[..<writer.count]), to: file)
  }

  /// Writes to a file of the trigger. False when it does not become writable.
  private func writeOfTrigger(_ bytes: UnsafeBufferPointer<UInt8>, to file: StaticString) throws(Errno) -> Bool {
    for _ in 0..<Budget.ledTriggerTries {
      do throws(Errno) {
        try files.write(bytes, to: file)
        return true
      } catch {
        guard error == .accessDenied else { throw error }
        Syscall.pause(milliseconds: Self.pauseMilliseconds)
      }
    }
    return false
  }
}

/// Red, green and blue.
struct LEDColors: OptionSet, Equatable, Sendable {
  let rawValue: UInt8
  static let red = LEDColors(rawValue: 1)
  static let green = LEDColors(rawValue: 2)
  static let blue = LEDColors(rawValue: 4)
  static let all = LEDColors(rawValue: 7)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The components of a light's color.
  init(_ color: LightColor) {
    rawValue = (color.red ? 1 : 0) | (color.green ? 2 : 0) | (color.blue ? 4 : 0)
  }
}

// MARK: Colors of its own

extension LED {
  /// Reads the channel order from `multi_index`: "red green blue".
  private func readColors() throws(Errno) {
    colors.removeAll()
    let count: Int
    do throws(Errno) {
      count = try files.read("multi_index", into: text.bytes)
    } catch {
      if error == .noSuchFile { return }
      throw error
    }
    var start = 0
    for index in 0...count where index == count || text.bytes[index] <= 0x20 {
      if index > start {
        let word = Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[start..<index]))
        let color: LEDColors =
          equal("red", word) ? .red : equal("green", word) ? .green : equal("blue", word) ? .blue : []
        guard colors.append(color) else { throw .notSupported }
      }
      start = index + 1
    }
  }

  /// Sets the channels that are lit when the LED is on.
  func setColors(_ lit: LEDColors) throws(Errno) {
    guard hasColors, intensity != lit else { return }
    var writer = ByteWriter(into: text.bytes)
    for index in 0..<colors.count {
      writer.decimal(colors[index].isDisjoint(with: lit) ? 0 : most)
      writer.byte(UInt8(ascii: index + 1 == colors.count ? "\n" : " "))
    }
    intensity = nil
    try files.write(UnsafeBufferPointer(rebasing: text.bytes[..<writer.count]), to: "multi_intensity")
    intensity = lit
  }
}
