/// A register of a clock's time, and what it can hold. Clocks at the address of many motion chips are told by all of
/// them.
struct ClockField {
  /// Of the clocks here.
  static let address: UInt8 = 0x68

  let register: UInt8
  /// Bits of the number, in decimal digits.
  let mask: UInt8
  let values: ClosedRange<UInt8>

  /// DS1307 and DS3231 ("Timekeeping Registers"): day of the week and of the month, month, seconds, minutes.
  static let ds3231: InlineArray<5, ClockField> = [
    ClockField(register: 0x03, mask: 0xFF, values: 1...7), ClockField(register: 0x04, mask: 0xFF, values: 0x01...0x31),
    ClockField(register: 0x05, mask: 0x7F, values: 0x01...0x12),
    ClockField(register: 0x00, mask: 0x7F, values: 0x00...0x59),
    ClockField(register: 0x01, mask: 0xFF, values: 0x00...0x59),
  ]

  /// PCF8523 ("Time and date registers"): day of the week and of the month, month, year, seconds, minutes, hours, which
  /// are up to 0x32 of 12 hours with the bit for the afternoon.
  static let pcf8523: InlineArray<7, ClockField> = [
    ClockField(register: 0x07, mask: 0xFF, values: 0...6), ClockField(register: 0x06, mask: 0xFF, values: 0x01...0x31),
    ClockField(register: 0x08, mask: 0xFF, values: 0x01...0x12),
    ClockField(register: 0x09, mask: 0xFF, values: 0x00...0x99),
    ClockField(register: 0x03, mask: 0x7F, values: 0x00...0x59),
    ClockField(register: 0x04, mask: 0xFF, values: 0x00...0x59),
    ClockField(register: 0x05, mask: 0xFF, values: 0x00...0x32),
  ]

  /// True when a clock can hold this byte here.
  func isValid(_ byte: UInt8) -> Bool { values.contains(byte & mask) && byte & 0x0F <= 9 }
}
