import CLinux
import Camera
import Codec
import Runtime

/// A control of a camera, or of one of its subdevices (`VIDIOC_QUERYCTRL`).
struct V4L2Control {
  let id: UInt32
  let type: UInt32
  let flags: UInt32
  let range: ControlRange
  /// The default.
  let home: Int
  /// As `v4l2-ctl -l` prints it.
  let name: CameraText

  private init(_ found: tl_video_control) {
    id = found.id
    type = found.type
    flags = found.flags
    range = ControlRange(minimum: Int(found.minimum), maximum: Int(found.maximum), step: Int(found.step))
    home = Int(found.home)
    var characters = found.name
    name = Self.name(V4L2Device.text(&characters))
  }

  /// True when it holds one number that can be read and written.
  var isNumber: Bool {
    type == TL_CONTROL_INTEGER || type == TL_CONTROL_BOOLEAN || type == TL_CONTROL_MENU
      || type == TL_CONTROL_INTEGER_MENU || type == TL_CONTROL_BITMASK
  }

  /// True for a button: it triggers something and has no value.
  var isButton: Bool { type == TL_CONTROL_BUTTON }

  var isMenu: Bool { type == TL_CONTROL_MENU || type == TL_CONTROL_INTEGER_MENU }

  var isReadOnly: Bool { flags & TL_CONTROL_READ_ONLY != 0 }

  /// True while its driver lets nobody change it: it streams, or another program has the camera.
  var isLocked: Bool { flags & TL_CONTROL_GRABBED != 0 }

  private var isDisabled: Bool { flags & TL_CONTROL_DISABLED != 0 }

  // MARK: Finding

  /// The control by its id; nil when the device has none.
  static func find(_ id: UInt32, of file: Descriptor) -> V4L2Control? {
    var found = tl_video_control()
    guard tl_video_find_control(file.number, id, &found) >= 0 else { return nil }
    let control = V4L2Control(found)
    return control.isDisabled ? nil : control
  }

  /// The control by its name; nil when the device has none.
  static func find(named name: CameraText, of file: Descriptor) -> V4L2Control? {
    var match: V4L2Control?
    forEach(of: file) { control in
      if match == nil, control.name == name { match = control }
    }
    return match
  }

  /// All controls that hold a number, and buttons, in the kernel's order.
  static func forEach(of file: Descriptor, _ body: (V4L2Control) -> Void) {
    var id: UInt32 = 0
    for _ in 0..<Budget.cameraControls {
      var found = tl_video_control()
      guard tl_video_find_control(file.number, id | TL_CONTROL_NEXT, &found) >= 0, found.id > id else {
        if id == 0 { forEachKnown(of: file, body) }
        return
      }
      id = found.id
      let control = V4L2Control(found)
      if !control.isDisabled, control.isNumber || control.isButton { body(control) }
    }
  }

  /// For a driver that does not list its controls: those of V4L2's classes for users and cameras, asked for one by one.
  private static func forEachKnown(of file: Descriptor, _ body: (V4L2Control) -> Void) {
    for index in 0..<known.count {
      for id in known[index] {
        guard let control = find(id, of: file), control.isNumber || control.isButton else { continue }
        body(control)
      }
    }
  }

  /// From `V4L2_CID_BASE` and `V4L2_CID_CAMERA_CLASS_BASE` on, as many as the kernel had defined with 6.12.
  private static let known: InlineArray<2, Range<UInt32>> = [0x98_0900..<0x98_092C, 0x9A_0900..<0x9A_0925]

  /// A name as `v4l2-ctl -l` prints it: lower case, with each run of other characters as one underscore.
  static func name(_ text: CameraText) -> CameraText {
    var name = CameraText()
    name.fill { buffer in
      var count = 0
      var isBetween = false
      for index in 0..<text.count {
        let byte = text.span[index]
        let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        let isWord =
          isUpper || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        guard isWord else {
          isBetween = count > 0
          continue
        }
        if isBetween {
          buffer[count] = UInt8(ascii: "_")
          count += 1
          isBetween = false
        }
        buffer[count] = isUpper ? byte + 0x20 : byte
        count += 1
      }
      return count
    }
    return name
  }

  // MARK: Values

  /// True when it holds a number that is not only written.
  var isReadable: Bool { isNumber && flags & TL_CONTROL_WRITE_ONLY == 0 }

  /// Its value; nil when it cannot be read.
  func value(of file: Descriptor) -> Int? {
    guard isReadable else { return nil }
    do throws(Errno) { return try read(of: file) } catch { return nil }
  }

  /// Its value.
  func read(of file: Descriptor) throws(Errno) -> Int {
    var value: Int32 = 0
    let result = tl_video_control_value(file.number, id, &value)
    if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
    return Int(value)
  }

  /// Sets it; presses a button.
  func set(_ value: Int, of file: Descriptor) throws(Errno) {
    let result = tl_video_set_control(file.number, id, Int32(clamping: value))
    if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
  }

  /// Why it was not set: a driver that holds it answers EBUSY, and says so in the flags that it has by now.
  func reason(of error: Errno, of file: Descriptor) -> ControlMismatch.Reason {
    error == .busy && Self.find(id, of: file)?.isLocked == true ? .locked : .refused(error)
  }

  /// The name of a menu value; nil when there is no such item.
  func item(_ index: Int, of file: Descriptor) -> CameraText? {
    guard type == TL_CONTROL_MENU else { return nil }
    var name: tl_video_text = tl_video_text()
    guard tl_video_menu_item(file.number, id, UInt32(clamping: index), &name) >= 0 else { return nil }
    return V4L2Device.text(&name)
  }
}
