import Codec

/// Why a hand does not do what it was asked to. Each is a sentence that tells the agent what to do. Times in
/// milliseconds.
public enum HandRefusal: WireError {
  /// A parameter of the wrong type or value: its name, and what it must be.
  case invalid(StaticString, wanted: StaticString)
  /// A number beyond what the owner allows: its name, and the limits in thousandths.
  case outside(StaticString, ClosedRange<Int64>)
  /// More calls in a minute than the owner allows.
  case tooManyCalls(wait: Int64)
  /// It was switched on or off too short a time ago.
  case mustStayOn(wait: Int64), mustStayOff(wait: Int64)
  /// Another output is on.
  case neverWith(String)
  /// The limits of a day are used up.
  case dayOnTime(wait: Int64), daySwitches(wait: Int64)
  /// The device is not there, or does not work; it is tried again from time to time.
  case broken(StaticString)
  /// The line reads otherwise than it was set.
  case contradicts(isOn: Bool)

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .invalid, .outside: ("INVALID_REQUEST", "")
    case .tooManyCalls: ("UNAVAILABLE", "it was called too often: ")
    case .mustStayOn: ("UNAVAILABLE", "it was switched on too short a time ago, and must stay on: ")
    case .mustStayOff: ("UNAVAILABLE", "it was switched off too short a time ago, and must stay off: ")
    case .neverWith: ("UNAVAILABLE", "the owner never has it on together with ")
    case .dayOnTime: ("UNAVAILABLE", "it has been on for as long as the owner allows in 24 hours: ")
    case .daySwitches: ("UNAVAILABLE", "it was switched on as often as the owner allows in 24 hours: ")
    case .broken: ("UNAVAILABLE", "its device does not work (")
    case .contradicts: ("UNAVAILABLE", "")
    }
  }

  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .invalid(let name, let wanted):
      writer.text(name)
      writer.text(" must be ")
      writer.text(wanted)
    case .outside(let name, let range):
      writer.text(name)
      writer.text(" must be from ")
      Self.write(range.lowerBound, to: &writer)
      writer.text(" to ")
      Self.write(range.upperBound, to: &writer)
    case .tooManyCalls(let wait), .mustStayOn(let wait), .mustStayOff(let wait), .dayOnTime(let wait),
      .daySwitches(let wait):
      writer.text("try again in ")
      writer.decimal(max(wait + 999, 1_000) / 1_000)
      writer.text(" s")
    case .neverWith(let name):
      writer.text(name)
      writer.text(", which is on now: switch that off first")
    case .broken(let reason):
      writer.text(reason)
      writer.text("): tell the owner; it is tried again by itself")
    case .contradicts(let isOn):
      writer.text(isOn ? "it was switched on, but its line reads off" : "it was switched off, but its line reads on")
      writer.text(": something else holds the line, so tell the owner to check the wiring")
    }
  }

  /// Thousandths as a decimal number without needless zeros.
  private static func write(_ thousandths: Int64, to writer: inout ByteWriter) {
    writer.decimal(thousandths / 1_000)
    var rest = thousandths % 1_000
    if rest == 0 { return }
    var width = 3
    while rest % 10 == 0 {
      rest /= 10
      width -= 1
    }
    writer.text(".")
    writer.decimal(rest.magnitude, width: width)
  }
}
