/// Numbers of the kernel's input events that Talon knows (include/uapi/linux/input-event-codes.h).
enum EventType {
  static let sync: UInt16 = 0, key: UInt16 = 1, relative: UInt16 = 2, absolute: UInt16 = 3
}

enum SyncCode {
  static let report: UInt16 = 0, contact: UInt16 = 2, dropped: UInt16 = 3
}

enum RelativeCode {
  static let x: UInt16 = 0, y: UInt16 = 1, hWheel: UInt16 = 6, dial: UInt16 = 7, wheel: UInt16 = 8, misc: UInt16 = 9
}

enum AbsoluteCode {
  static let x: UInt16 = 0, y: UInt16 = 1, wheel: UInt16 = 8, pressure: UInt16 = 0x18
  static let slot: UInt16 = 0x2F, touchX: UInt16 = 0x35, touchY: UInt16 = 0x36, trackingID: UInt16 = 0x39
}

enum ButtonCode {
  static let left: UInt16 = 0x110, right: UInt16 = 0x111, middle: UInt16 = 0x112
  static let stylus: UInt16 = 0x140, touch: UInt16 = 0x14A
}

/// Keys whose meaning does not hang on a layout.
enum KeyCode {
  static let escape: UInt16 = 1, one: UInt16 = 2, backspace: UInt16 = 14, tab: UInt16 = 15, q: UInt16 = 16
  static let enter: UInt16 = 28, leftControl: UInt16 = 29, a: UInt16 = 30, leftShift: UInt16 = 42, z: UInt16 = 44
  static let m: UInt16 = 50, rightShift: UInt16 = 54, leftAlt: UInt16 = 56, space: UInt16 = 57, capsLock: UInt16 = 58
  static let f1: UInt16 = 59, f2: UInt16 = 60, f10: UInt16 = 68, f11: UInt16 = 87, f12: UInt16 = 88
  static let keypadEnter: UInt16 = 96, rightControl: UInt16 = 97, rightAlt: UInt16 = 100
  static let home: UInt16 = 102, up: UInt16 = 103, pageUp: UInt16 = 104, left: UInt16 = 105, right: UInt16 = 106
  static let end: UInt16 = 107, down: UInt16 = 108, pageDown: UInt16 = 109, delete: UInt16 = 111
  static let volumeDown: UInt16 = 114, volumeUp: UInt16 = 115, back: UInt16 = 158
  /// The key beside the right Ctrl (`KEY_COMPOSE`), a remote control's, and one with a word balloon.
  static let compose: UInt16 = 127, menu: UInt16 = 139, chat: UInt16 = 216
  static let ok: UInt16 = 0x160, select: UInt16 = 0x161, channelUp: UInt16 = 0x192, channelDown: UInt16 = 0x193
  static let next: UInt16 = 0x197, previous: UInt16 = 0x19C
  static let buttonsFirst: UInt16 = 0x100, buttonsLast: UInt16 = 0x15F
}

/// One event of the kernel.
public struct RawInput: Equatable, Sendable {
  public var type: UInt16
  public var code: UInt16
  public var value: Int32
  /// A monotonic instant in milliseconds, by the kernel's stamp.
  public var time: Int64

  /// An event; see the properties.
  public init(type: UInt16, code: UInt16, value: Int32, time: Int64) {
    self.type = type
    self.code = code
    self.value = value
    self.time = time
  }
}
