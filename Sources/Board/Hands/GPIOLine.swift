import CGPIO
import Runtime

/// A line of a GPIO chip.
public struct GPIOPlace: Equatable, Sendable {
  /// A name ("gpiochip0"), a label ("pinctrl-bcm2711") or a path; empty: the chip that has a line of this name, or that
  /// of the Raspberry Pi's header.
  public var chip: String
  /// A number on that chip, a name ("GPIO17"), or a pin of the header ("pin 11").
  public var line: String
  /// True when 0 volts means on.
  public var isActiveLow: Bool

  /// A line; see the properties.
  public init(chip: String, line: String, isActiveLow: Bool) {
    self.chip = chip
    self.line = line
    self.isActiveLow = isActiveLow
  }
}

/// A line that was found.
public struct GPIOLocation: Sendable {
  /// The chip's name and its label.
  public let chip, label: String
  /// The number on that chip.
  public let number: Int
  /// The line's name; empty where it has none.
  public let name: String
  /// The chip is that of a Raspberry Pi's header; nil on other boards.
  public let isHeader: Bool?

  /// For people: `line 17 of gpiochip4 (pinctrl-rp1), GPIO17`.
  public var text: String { "line \(number) of \(chip) (\(label))" + (name.isEmpty ? "" : ", \(name)") }
}

extension GPIOPlace {
  /// Finds the line, and requests nothing.
  public func locate() throws(Errno) -> GPIOLocation {
    var found = tl_gpio_location()
    let answer = chip.withCString { chip in line.withCString { tl_gpio_find(chip, $0, &found) } }
    if answer < 0 { throw Errno(Int32(truncatingIfNeeded: -answer)) }
    return GPIOLocation(
      chip: Self.text(&found.chip), label: Self.text(&found.label), number: Int(found.number),
      name: Self.text(&found.name), isHeader: found.is_header < 0 ? nil : found.is_header == 1)
  }

  /// What a text says of the Raspberry Pi's header.
  public enum HeaderLine: Equatable, Sendable {
    /// A line: "17", "GPIO17", "BCM17", "pin 11" and "BOARD11".
    case line(Int)
    /// A pin without a line, or none of the header.
    case noLine
    /// A name.
    case other
  }

  /// What `line` says of the Raspberry Pi's header.
  public static func headerLine(_ line: String) -> HeaderLine {
    let number = line.withCString { tl_gpio_header_line($0) }
    return number >= 0 ? .line(Int(number)) : number == -2 ? .noLine : .other
  }

  /// True when another place is the same line, as far as can be told without looking: 17 and pin 11.
  public func isSameLine(as other: GPIOPlace) -> Bool {
    guard chip == other.chip || Self.mayBeHeader(chip) && Self.mayBeHeader(other.chip) else { return false }
    if line == other.line { return true }
    guard case .line(let number) = Self.headerLine(line) else { return false }
    return Self.headerLine(other.line) == .line(number)
  }

  private static func mayBeHeader(_ chip: String) -> Bool {
    ["", "gpiochip0", "pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"].contains(chip)
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// The resistor that holds an input while nothing drives it.
public enum GPIOBias: Sendable { case pullUp, pullDown, none, asItIs }

/// A line of a GPIO chip by libgpiod, requested while it is open.
final class GPIOLine {
  /// Options of a line.
  struct Flags: OptionSet {
    let rawValue: Int32
    static let activeLow = Flags(rawValue: TL_GPIO_ACTIVE_LOW)
    static let pullUp = Flags(rawValue: TL_GPIO_PULL_UP)
    static let pullDown = Flags(rawValue: TL_GPIO_PULL_DOWN)
    static let noPull = Flags(rawValue: TL_GPIO_NO_PULL)
  }

  /// The names, zero-terminated.
  private let chip, line: [CChar]
  private var flags: Flags
  private var handle: OpaquePointer?

  /// A closed line.
  init(_ place: GPIOPlace, _ flags: Flags = []) {
    chip = Self.terminated(place.chip)
    line = Self.terminated(place.line)
    self.flags = flags
    if place.isActiveLow { self.flags.formUnion(.activeLow) }
  }

  /// The options of a line with a resistor.
  static func flags(_ bias: GPIOBias) -> Flags {
    switch bias {
    case .pullUp: .pullUp
    case .pullDown: .pullDown
    case .none: .noPull
    case .asItIs: []
    }
  }

  private static func terminated(_ name: String) -> [CChar] {
    var characters: [CChar] = []
    for byte in name.utf8 { characters.append(CChar(bitPattern: byte)) }
    characters.append(0)
    return characters
  }

  deinit { close() }

  var isOpen: Bool { handle != nil }

  /// Requests it as an output with this level from the first instant; nil: the level that it has.
  func openOutput(_ isOn: Bool? = false) throws(Errno) {
    let level: Int32 = isOn.map { $0 ? 1 : 0 } ?? -1
    try take { tl_gpio_output($0, $1, flags.rawValue, level, &handle) }
  }

  /// Requests it as an input with edge events.
  func openInput() throws(Errno) { try take { tl_gpio_input($0, $1, flags.rawValue, &handle) } }

  private func take(_ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int64) throws(Errno) {
    close()
    try result(
      chip.withUnsafeBufferPointer { chip in
        line.withUnsafeBufferPointer { line in body(chip.baseAddress!, line.baseAddress!) }
      })
  }

  func close() {
    if let handle { tl_gpio_close(handle) }
    handle = nil
  }

  func set(_ isOn: Bool) throws(Errno) { try result(tl_gpio_set(try opened(), isOn ? 1 : 0)) }

  func isOn() throws(Errno) -> Bool { try result(tl_gpio_get(try opened())) != 0 }

  /// The descriptor of an input's events.
  var descriptor: Descriptor? { handle.map { Descriptor(tl_gpio_descriptor($0)) } }

  /// The next waiting edge: the level after it, and the kernel's timestamp in nanoseconds.
  func nextEdge() throws(Errno) -> (isOn: Bool, stamp: Int64)? {
    var edge = tl_gpio_edge()
    let answer = tl_gpio_next(try opened(), &edge)
    if answer == -Int64(Errno.wouldBlock.number) { return nil }
    try result(answer)
    return (edge.level != 0, edge.nanoseconds)
  }

  private func opened() throws(Errno) -> OpaquePointer {
    guard let handle else { throw .noSuchDevice }
    return handle
  }

  @discardableResult
  private func result(_ result: Int64) throws(Errno) -> Int64 {
    if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
    return result
  }
}
