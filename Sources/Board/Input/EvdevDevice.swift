import CLinux
import Canvas
import Runtime

/// One open input device of the kernel.
struct EvdevDevice {
  let file: Descriptor
  /// N of /dev/input/eventN, or the index among the configured paths.
  let number: Int
  var decoder: EventDecoder

  /// nil for a device that the canvas does not use.
  init?(_ number: Int, _ path: Path, _ plan: EvdevInput.Plan) throws(Errno) {
    let file = try Syscall.open(path, [.read, .nonBlocking, .noControllingTerminal])
    guard let (traits, _) = Self.traits(file), traits.kind != .none else {
      file.close()
      return nil
    }
    self.file = file
    self.number = number
    decoder = EventDecoder(
      traits, size: plan.size, rotation: plan.rotation, calibration: plan.calibration, layout: plan.layout)
    // Events report changes only: read the current position and held keys.
    if let now = state() { decoder.restore(now, at: 0) { _, _ in } }
    // An old kernel has only wall-clock timestamps, which are used as they are.
    _ = tl_input_use_monotonic(file.number)
    // If another program has grabbed it, that program gets the events.
    if plan.grabs { _ = tl_input_grab(file.number, 1) }
  }

  /// The capabilities and the name of a device; nil when they cannot be read.
  static func traits(_ file: Descriptor) -> (InputTraits, InlineText<64>)? {
    var found = tl_input_device()
    guard tl_input_describe(file.number, &found) >= 0 else { return nil }
    var traits = InputTraits()
    traits.types = found.types
    traits.properties = found.properties
    traits.relative = found.relative
    traits.absolute = found.absolute
    withUnsafeBytes(of: &found.keys) { keys in
      for index in 0..<keys.count { traits.keys[index] = keys[index] }
    }
    traits.x = range(file, 0x00)
    traits.y = range(file, 0x01)
    traits.touchX = range(file, 0x35)
    traits.touchY = range(file, 0x36)
    var name = InlineText<64>()
    withUnsafeBytes(of: &found.name) { bytes in
      var count = 0
      while count < bytes.count, bytes[count] != 0 { count += 1 }
      let text = UnsafeBufferPointer(rebasing: bytes.assumingMemoryBound(to: UInt8.self)[..<count])
      name = InlineText<64>(cutting: Span(_unsafeElements: text))
    }
    return (traits, name)
  }

  private static func range(_ file: Descriptor, _ code: UInt32) -> AxisRange {
    var axis = tl_input_axis()
    guard tl_input_axis_now(file.number, code, &axis) >= 0 else { return AxisRange(0, 0) }
    return AxisRange(axis.minimum, axis.maximum)
  }

  /// The current state, after events were lost; nil when it cannot be read.
  func state() -> InputState? {
    var state = InputState()
    var keys = state.keys.mutableSpan
    let hasKeys = keys.withUnsafeMutableBufferPointer { tl_input_keys_now(file.number, $0.baseAddress) >= 0 }
    guard hasKeys else { return nil }
    var axis = tl_input_axis()
    if tl_input_axis_now(file.number, 0x00, &axis) >= 0 { state.x = axis.value }
    if tl_input_axis_now(file.number, 0x01, &axis) >= 0 { state.y = axis.value }
    guard decoder.kind == .touchSlots else { return state }
    if tl_input_axis_now(file.number, 0x2F, &axis) >= 0 { state.slot = axis.value }
    guard slots(0x39, &state.fingers), slots(0x35, &state.xs), slots(0x36, &state.ys) else { return nil }
    return state
  }

  private func slots(_ code: UInt32, _ values: inout InlineArray<16, Int32>) -> Bool {
    var span = values.mutableSpan
    return span.withUnsafeMutableBufferPointer {
      tl_input_slots_now(file.number, code, $0.baseAddress, UInt32($0.count)) >= 0
    }
  }

  /// Takes what has arrived, no more than `Budget.inputEventsPerTurn`, until `body` gives false: it is not wanted any
  /// more, and the file may be closed.
  static func read(
    _ file: Descriptor, by events: UnsafeMutableBufferPointer<tl_input_event>, _ body: (RawInput) -> Bool
  ) throws(Errno) {
    var taken = 0
    while taken < Budget.inputEventsPerTurn {
      let count = tl_input_read(file.number, events.baseAddress, numericCast(events.count))
      if count == -Int64(Errno.wouldBlock.number) { return }
      if count < 0 { throw Errno(Int32(truncatingIfNeeded: -count)) }
      for event in events[..<Int(count)] {
        guard body(RawInput(type: event.type, code: event.code, value: event.value, time: event.time)) else { return }
      }
      taken += Int(count)
      if Int(count) < events.count { return }
    }
  }

  func close() {
    _ = tl_input_grab(file.number, 0)
    file.close()
  }
}
