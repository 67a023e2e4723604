import CLinux
import Canvas
import Gateway
import Graphics
import Runtime

/// A scanner of codes that is a keyboard to the kernel (/dev/input/event*), as nearly all with a USB plug are. It is
/// grabbed, so that what it types reaches neither the screen nor a shell.
public final class EvdevScanner: CodeScanner {
  private let path: String
  private let root: String
  private let plan: EvdevInput.Plan
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private let watcher: UeventWatcher
  private let events: UnsafeMutableBufferPointer<tl_input_event>
  private var device: EvdevDevice?
  private let text = ScannedText()
  private var delegate: (any CodeScannerDelegate)?
  /// The last reason why the device cannot be read, which is logged once.
  private var reported: Trouble?

  private enum Trouble: Equatable {
    case error(Errno), notKeyboard, taken
  }

  /// Reads nothing before `start`.
  /// - Parameters:
  ///   - path: of the device, such as /dev/input/by-id/usb-...-event-kbd; it need not exist yet
  ///   - layout: the country that the scanner types for
  ///   - root: the prefix of /dev; empty except in tests
  @export(interface)
  public init(
    _ path: String, layout: KeyboardLayout, loop: Loop, clock: any Clock, log: Log, root: String = ""
  ) {
    self.path = path
    self.root = root
    self.loop = loop
    self.clock = clock
    self.log = log
    plan = EvdevInput.Plan(calibration: .none, layout: layout, grabs: false)
    watcher = UeventWatcher(subsystem: "input", loop: loop, clock: clock)
    events = .allocate(capacity: Budget.inputEventsPerRead)
    events.initialize(repeating: tl_input_event())
  }

  deinit {
    stop()
    events.deallocate()
  }

  public func start(_ delegate: any CodeScannerDelegate) {
    stop()
    self.delegate = delegate
    do throws(Errno) {
      try watcher.start(self)
    } catch {
      log.write(.warning, "links") {
        $0.add("a scanner that is plugged in will not be noticed: ")
        $0.add(error.text)
      }
    }
    find()
  }

  public func stop() {
    delegate = nil
    watcher.stop()
    remove()
  }

  // MARK: Device

  private func find() {
    guard device == nil else { return }
    do throws(Errno) {
      guard let found = try EvdevDevice(0, try Path(root + path), plan) else { return report(.notKeyboard) }
      guard found.decoder.kind == .keyboard else {
        found.file.close()
        return report(.notKeyboard)
      }
      guard tl_input_grab(found.file.number, 1) >= 0 else {
        found.file.close()
        return report(.taken)
      }
      try loop.watch(found.file, for: .readable, self)
      device = found
      reported = nil
      log.write(.info, "links", "the scanner is there")
    } catch {
      report(.error(error))
    }
  }

  private func remove() {
    text.clear()
    guard let device else { return }
    self.device = nil
    loop.unwatch(device.file)
    device.close()
  }

  private func report(_ trouble: Trouble) {
    guard trouble != reported else { return }
    reported = trouble
    log.write(.warning, "links") {
      $0.add("the scanner ")
      $0.add(path.utf8.span)
      switch trouble {
      case .error(let error):
        $0.add(" cannot be read: ")
        $0.add(DeviceTrouble(error, of: .input))
      case .notKeyboard: $0.add(" is no keyboard to the kernel")
      case .taken: $0.add(" is used by another program")
      }
    }
  }

  // MARK: Events

  private func take(_ event: RawInput) {
    var ends = false
    device?.decoder.feed(event) { output, _ in
      switch output {
      case .event(.character(let character)): text.add(character, at: event.time)
      case .event(.key(.enter, true, _, _)), .event(.key(.tab, true, _, _)): ends = true
      case .event, .console: break
      }
    }
    if device?.decoder.needsState == true {
      text.lose(at: event.time)
      let state = device?.state()
      device?.decoder.restore(state, at: event.time) { _, _ in }
    }
    if ends, let delegate { text.end(at: event.time, delegate) }
  }
}

extension EvdevScanner: DescriptorHandler {
  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    guard device?.file == descriptor else { return }
    do throws(Errno) {
      try EvdevDevice.read(descriptor, by: events) { event in
        take(event)
        // The delegate may have called `stop`.
        return device != nil
      }
    } catch {
      log.write(.notice, "links", "the scanner is gone")
      remove()
    }
  }
}

extension EvdevScanner: UeventWatcherDelegate {
  public func devicesChanged() { find() }
}
