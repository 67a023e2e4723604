import Runtime

/// An indicator light of the kernel's LED class (kernel document leds-class): on a GPIO, on a camera, on the board.
///
/// Blocks for up to `Budget.indicatorReads` short pauses; used by one worker at a time. Opens its files anew in every
/// call, so that a light that was unplugged and plugged in works again.
public final class LEDIndicator: Indicator {
  /// Milliseconds between two reads while the level is not the one that was set.
  private static let pauseMilliseconds: Int32 = 5

  private let files: SysfsFolder

  /// A light by its name in the class folder ("led0", "input0::capslock"). It need not be there yet.
  /// - Throws: `.invalidArgument` for a name that is empty or leads elsewhere, `ENAMETOOLONG`.
  @export(interface)
  public init(name: String, root: String = "/sys/class/leds") throws(Errno) {
    files = try SysfsFolder(name: name, root: root)
  }

  /// See `Indicator`. On is the maximum brightness, with the kernel's trigger set to "none".
  public func light(_ isOn: Bool) -> Bool {
    do throws(Errno) {
      let level = isOn ? try files.number(in: "max_brightness") : 0
      guard level > 0 || !isOn else { return false }
      if isOn { try freeOfTriggers() }
      try files.write(level, to: "brightness")
      return try shows(isOn)
    } catch {
      return false
    }
  }

  /// A kernel without triggers has no such file.
  private func freeOfTriggers() throws(Errno) {
    do throws(Errno) {
      try files.write("none\n", to: "trigger")
    } catch {
      if error != .noSuchFile { throw error }
    }
  }

  /// On a slow bus the kernel sets the light after the write returned, and reads give the old value until then.
  private func shows(_ isOn: Bool) throws(Errno) -> Bool {
    for attempt in 0..<Budget.indicatorReads {
      if attempt > 0 {
        _ = try Syscall.waitReadable(Descriptor(-1), or: nil, milliseconds: Self.pauseMilliseconds)
      }
      let shines = try files.number(in: "brightness") > 0
      if shines == isOn { return true }
    }
    return false
  }
}
