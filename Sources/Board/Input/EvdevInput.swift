import CLinux
import Canvas
import Graphics
import Runtime

/// All input devices of the board, or the configured ones, by the kernel's event interface (/dev/input/event*). While
/// it is started the devices are grabbed, so that text typed into a form reaches no shell.
public final class EvdevInput: InputSource {
  /// How device events are interpreted.
  struct Plan {
    var size = Size(0, 0)
    var rotation = Rotation.none
    var calibration: TouchCalibration
    var layout: KeyboardLayout
    var grabs: Bool
  }

  /// Called for Ctrl, Alt and a function key, with the number of the requested text console.
  public var consoleWanted: ((Int) -> Void)?

  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private let root: String
  /// The devices to read; empty: all.
  private let paths: [String]
  /// A device that is never read; empty: none.
  private let excluded: String
  private let watcher: UeventWatcher
  private var plan: Plan
  private var devices: [EvdevDevice?]
  private let events: UnsafeMutableBufferPointer<tl_input_event>
  private var delegate: (any InputDelegate)?
  private var hasReportedFull = false
  private var hasReportedMissing = false

  /// Reads nothing before `start`.
  /// - Parameters:
  ///   - paths: the devices to read; empty: all
  ///   - excluded: a device that is for something else, by any of its names; empty: none
  ///   - root: the prefix of /dev; empty except in tests
  @export(interface)
  public init(
    calibration: TouchCalibration = .none, layout: KeyboardLayout = .us, grabs: Bool = true,
    paths: [String] = [], excluded: String = "", loop: Loop, clock: any Clock, log: Log, root: String = ""
  ) {
    self.loop = loop
    self.clock = clock
    self.log = log
    self.root = root
    self.paths = paths
    self.excluded = excluded
    plan = Plan(calibration: calibration, layout: layout, grabs: grabs)
    watcher = UeventWatcher(subsystem: "input", loop: loop, clock: clock)
    devices = Array(repeating: nil, count: Budget.inputDevices)
    events = .allocate(capacity: Budget.inputEventsPerRead)
    events.initialize(repeating: tl_input_event())
  }

  deinit {
    stop()
    events.deallocate()
  }

  public func start(_ delegate: any InputDelegate, size: Size, rotation: Rotation) {
    stop()
    self.delegate = delegate
    plan.size = size
    plan.rotation = rotation
    do throws(Errno) {
      try watcher.start(self)
    } catch {
      log.write(.warning, "canvas") {
        $0.add("input devices that are plugged in will not be noticed: ")
        $0.add(error.text)
      }
    }
    find()
    reportTraits()
  }

  public func stop() {
    delegate = nil
    watcher.stop()
    for index in 0..<devices.count { remove(index) }
  }

  // MARK: Devices

  /// Opens present devices that are not open yet.
  private func find() {
    for number in 0..<(paths.isEmpty ? Budget.inputNumbers : paths.count) where !isOpen(number) {
      do throws(Errno) {
        let path = paths.isEmpty ? "/dev/input/event\(number)" : paths[number]
        guard !isExcluded(path), let device = try EvdevDevice(number, try Path(root + path), plan) else { continue }
        add(device)
      } catch {
        // A device without permission is usually not meant for Talon; a device whose permissions are set later is
        // opened then.
        if !paths.isEmpty { logMissing(paths[number], error) }
      }
    }
  }

  private func isExcluded(_ path: String) -> Bool {
    guard !excluded.isEmpty, let name = try? Path(root + excluded), let other = try? Path(root + path) else {
      return false
    }
    guard let its = try? Syscall.status(name), let device = try? Syscall.status(other) else { return false }
    return its.isSame(as: device)
  }

  /// Logged once, for a configured device.
  private func logMissing(_ path: String, _ error: Errno) {
    guard !hasReportedMissing else { return }
    hasReportedMissing = true
    log.write(.warning, "canvas") {
      $0.add("the input device ")
      $0.add(path.utf8.span)
      $0.add(" cannot be read: ")
      $0.add(DeviceTrouble(error, of: .input))
    }
  }

  private func isOpen(_ number: Int) -> Bool {
    for index in 0..<devices.count where devices[index]?.number == number { return true }
    return false
  }

  private func add(_ device: EvdevDevice) {
    for index in 0..<devices.count where devices[index] == nil {
      do throws(Errno) {
        try loop.watch(device.file, for: .readable, self)
        devices[index] = device
      } catch {
        device.close()
      }
      return
    }
    device.close()
    if !hasReportedFull {
      log.write(
        .warning, "canvas", "there are more input devices than can be read: name those needed in [canvas] input")
    }
    hasReportedFull = true
  }

  private func remove(_ index: Int) {
    guard var device = devices[index] else { return }
    devices[index] = nil
    loop.unwatch(device.file)
    device.decoder.end(at: clock.monotonic) { output, time in deliver(output, time) }
    device.close()
  }

  private func reportTraits() {
    var (hasTouch, hasKeyboard, hasKeys) = (false, false, false)
    for index in 0..<devices.count {
      switch devices[index]?.decoder.kind {
      case .touchSlots, .touchContacts, .touchSingle: hasTouch = true
      case .keyboard: hasKeyboard = true
      case .keys, .encoder, .dial: hasKeys = true
      case .mouse, .pointer, .touchPad, .some(.none), nil: break
      }
    }
    delegate?.inputsChanged(hasTouch: hasTouch, hasKeyboard: hasKeyboard, hasKeys: hasKeys)
  }

  private func deliver(_ output: EventDecoder.Output, _ time: Int64) {
    switch output {
    case .event(let event): delegate?.input(event, at: time)
    case .console(let number): consoleWanted?(number)
    }
  }

  // MARK: Events

  private func take(_ index: Int, _ event: RawInput) {
    devices[index]?.decoder.feed(event) { output, time in pending.append((output, time)) }
    if devices[index]?.decoder.needsState == true {
      let state = devices[index]?.state()
      devices[index]?.decoder.restore(state, at: event.time) { output, time in pending.append((output, time)) }
    }
    flush()
  }

  /// The outputs of one event, delivered after the decoder has finished, because the delegate may stop the devices.
  private var pending = PendingOutputs()

  private func flush() {
    for index in 0..<pending.count { deliver(pending[index].0, pending[index].1) }
    pending.removeAll()
  }
}

/// Room for the most outputs of one event: a cancelled and a new finger in each slot, or the steps of an encoder, each
/// with its release.
private typealias PendingOutputs = InlineList<64, (EventDecoder.Output, Int64)>

extension EvdevInput: DescriptorHandler {
  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for index in 0..<devices.count where devices[index]?.file == descriptor {
      do throws(Errno) {
        try EvdevDevice.read(descriptor, by: events) { event in
          take(index, event)
          // The delegate may have called `stop`.
          return devices[index]?.file == descriptor
        }
      } catch {
        // Unplugged.
        remove(index)
        reportTraits()
      }
      return
    }
  }
}

extension EvdevInput: UeventWatcherDelegate {
  public func devicesChanged() {
    find()
    reportTraits()
  }
}
