import CLinux
import Canvas
import Runtime

/// All input devices of the board, or those that are named, by the kernel's event interface (/dev/input/event*). While it is started nobody else hears
/// of them, so that what is typed into a form reaches no shell.
public final class EvdevInput: InputSource {
  /// How devices are read.
  struct Plan {
    var size = Size(0, 0)
    var rotation = Rotation.none
    var calibration: TouchCalibration
    var layout: KeyboardLayout
    var grabs: Bool
  }

  /// Ctrl, Alt and a function key: a text console is asked for, by its number.
  public var consoleWanted: ((Int) -> Void)?

  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private let root: String
  /// The devices that are read; empty: all that there are.
  private let paths: [String]
  private let watcher: UeventWatcher
  private var plan: Plan
  private var devices: [EvdevDevice?]
  private let events: UnsafeMutableBufferPointer<tl_input_event>
  private var delegate: (any InputDelegate)?
  private var toldFull = false
  private var toldMissing = false

  /// Reads nothing before `start`. `paths`: the devices to read, all when there are none. `root` stands before /dev: nothing, but
  /// in tests.
  public init(
    calibration: TouchCalibration = .none, layout: KeyboardLayout = .us, grabs: Bool = true,
    paths: [String] = [], loop: Loop, clock: any Clock, log: Log, root: String = ""
  ) {
    self.loop = loop
    self.clock = clock
    self.log = log
    self.root = root
    self.paths = paths
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
        $0.add("input devices that come are not noticed: ")
        $0.add(error.text)
      }
    }
    find()
    tell()
  }

  public func stop() {
    delegate = nil
    watcher.stop()
    for index in 0..<devices.count { remove(index) }
  }

  // MARK: Devices

  /// Opens those that are there and not open.
  private func find() {
    for number in 0..<(paths.isEmpty ? Budget.inputNumbers : paths.count) where !isOpen(number) {
      do throws(Errno) {
        let path = paths.isEmpty ? "/dev/input/event\(number)" : paths[number]
        guard let device = try EvdevDevice(number, try Path(root + path), plan) else { continue }
        add(device)
      } catch {
        // Those that may not be opened are mostly none of ours; one that may is opened when its rights are set.
        if !paths.isEmpty { sayMissing(paths[number], error) }
      }
    }
  }

  /// Once: one that was named is missed.
  private func sayMissing(_ path: String, _ error: Errno) {
    guard !toldMissing else { return }
    toldMissing = true
    log.write(.warning, "canvas") {
      $0.add("the input device ")
      $0.add(path.utf8.span)
      $0.add(" cannot be read: ")
      $0.add(error.text)
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
    if !toldFull { log.write(.warning, "canvas", "there are more input devices than can be read") }
    toldFull = true
  }

  private func remove(_ index: Int) {
    guard var device = devices[index] else { return }
    devices[index] = nil
    loop.unwatch(device.file)
    device.decoder.end(at: clock.monotonic) { output, time in deliver(output, time) }
    device.close()
  }

  private func tell() {
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

  private func read(_ index: Int) throws(Errno) {
    var taken = 0
    while taken < Budget.inputEventsPerTurn, let device = devices[index] {
      let count = tl_input_read(device.file.number, events.baseAddress, numericCast(events.count))
      if count == -Int64(Errno.wouldBlock.number) { return }
      if count < 0 { throw Errno(Int32(truncatingIfNeeded: -count)) }
      for place in 0..<Int(count) { take(index, events[place]) }
      taken += Int(count)
      if Int(count) < events.count { return }
    }
  }

  private func take(_ index: Int, _ event: tl_input_event) {
    // A delegate may stop it all.
    guard var device = devices[index] else { return }
    devices[index]?.decoder.feed(
      RawInput(type: event.type, code: event.code, value: event.value, time: event.time)
    ) { output, time in pending.append((output, time)) }
    if devices[index]?.decoder.needsState == true {
      device = devices[index]!
      let state = device.state()
      devices[index]?.decoder.restore(state, at: event.time) { output, time in pending.append((output, time)) }
    }
    flush()
  }

  /// What one event made, told when the decoder is done: whoever is told may stop the devices.
  private var pending = PendingOutputs()

  private func flush() {
    for index in 0..<pending.count { deliver(pending[index].0, pending[index].1) }
    pending.removeAll()
  }
}

/// More than one event can make: a cancelled and a new finger in each slot, or the steps of an encoder, each with its up.
private typealias PendingOutputs = InlineList<64, (EventDecoder.Output, Int64)>

extension EvdevInput: DescriptorHandler {
  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    for index in 0..<devices.count where devices[index]?.file == descriptor {
      do throws(Errno) {
        try read(index)
      } catch {
        // Unplugged.
        remove(index)
        tell()
      }
      return
    }
  }
}

extension EvdevInput: UeventWatcherDelegate {
  public func devicesChanged() {
    find()
    tell()
  }
}
