import Runtime

/// Which camera is wanted.
public struct CameraChoice: Equatable, Sendable {
  /// By name in the configuration, id or bus.
  public var device: CameraText?
  /// By where it looks.
  public var position: CameraPosition?

  /// Whichever comes first, unless told otherwise.
  public init(device: CameraText? = nil, position: CameraPosition? = nil) {
    self.device = device
    self.position = position
  }
}

/// When a job has to end.
struct JobLimits {
  /// When to give up, in milliseconds of `Clock.monotonic`.
  var deadline: Int64 = 0
  let cancellation = Cancellation()
}

/// Memory that is kept for the next photo while a camera is open.
protocol StreamMemory: AnyObject {
  /// Gives it back to the kernel.
  func releaseWork()
}

/// The one stream of all cameras. A job opens it and takes frames; it stays open for the next job, until it is closed.
/// Used by one job at a time, on its worker; the loop's thread may look at it while no job runs.
public final class CameraStream {
  /// What the light that shows a streaming sensor has to do with it.
  public enum Privacy: Sendable {
    /// There is none.
    case unlit
    /// It should be lit.
    case lit
    /// It must be lit, or there is no stream.
    case required
  }

  private struct Order: Equatable {
    var choice: CameraChoice
    var purpose: StreamOrder.Purpose
    var width, rate: Int
  }

  /// True while a camera is open.
  public var isOpen: Bool { facts != nil }
  /// True when the light did not obey at the last opening.
  public private(set) var isLightBroken = false
  /// What the camera that was opened last did not take of the configuration's controls.
  public private(set) var complaints = ControlComplaints()
  /// What the stream is, while it is open.
  private(set) var facts: StreamFacts?
  /// What counts for its camera.
  private(set) var settings = CameraSettings()
  /// True when the camera has settled since it was opened.
  var isWarm = false
  /// What is given back when the camera is closed.
  var memory: (any StreamMemory)?

  /// Where the cameras are.
  public let source: any CameraSource
  /// What the configuration says of them.
  public let roster: CameraRoster
  private let clock: any Clock
  private let indicator: (any Indicator)?
  private let privacy: Privacy
  private var order: Order?
  private var exposure: AutoExposure?
  /// Frames before this are of an earlier time than that of the job; microseconds.
  private var begin: Int64 = 0
  /// When a frame came last, or the stream was opened.
  private var lastFrame: Int64 = 0

  /// A stream of the cameras of `source`.
  public init(
    source: any CameraSource, roster: CameraRoster, indicator: (any Indicator)? = nil, privacy: Privacy = .unlit,
    clock: any Clock
  ) {
    self.source = source
    self.roster = roster
    self.indicator = indicator
    self.privacy = privacy
    self.clock = clock
  }

  // MARK: Opening and closing

  /// Opens the camera chosen, or goes on with the stream there is when that is the one wanted. Frames from now on count.
  func open(
    _ choice: CameraChoice, for purpose: StreamOrder.Purpose, width: Int, rate: Int = 0
  ) throws(CameraError) -> StreamFacts {
    let wanted = Order(choice: choice, purpose: purpose, width: width, rate: rate)
    let now = clock.monotonic
    if let facts, order == wanted {
      begin = now * 1000
      lastFrame = now
      return facts
    }
    close()
    try light()
    let facts: StreamFacts
    do throws(CameraError) {
      facts = try start(wanted)
    } catch {
      darken()
      throw error
    }
    self.facts = facts
    order = wanted
    settings = roster.settings(for: facts.camera)
    exposure = facts.exposure.map { AutoExposure(lines: $0.lines, gain: $0.gain, law: $0.law) }
    isWarm = facts.isSteady
    complaints = facts.complaints
    begin = 0
    lastFrame = clock.monotonic
    try startExposure()
    return facts
  }

  /// Closes the camera. Harmless when there is none.
  /// - Parameter keepsMemory: true when what the last frame became is still to be used.
  func close(keepsMemory: Bool = false) {
    guard isOpen else { return }
    if !keepsMemory { memory?.releaseWork() }
    source.stop()
    isWarm = false
    (facts, order, exposure) = (nil, nil, nil)
    darken()
  }

  /// Closes the camera, and puts out a light that was left on by whoever was here before.
  func rest() {
    close()
    darken()
  }

  /// True when there is a light to look after.
  public var hasLight: Bool { indicator != nil && privacy != .unlit }

  private func start(_ wanted: Order) throws(CameraError) -> StreamFacts {
    func start(_ device: CameraText?) throws(CameraError) -> StreamFacts {
      try source.start(
        StreamOrder(device: device, purpose: wanted.purpose, width: wanted.width, rate: wanted.rate))
    }
    if let name = wanted.choice.device { return try start(roster.device(named: name) ?? name) }
    let isChosen = wanted.choice.position.map { roster.has($0) } ?? false
    for index in 0..<roster.count where !isChosen || roster[index].position == wanted.choice.position {
      do throws(CameraError) {
        return try start(roster[index].device)
      } catch {
        // It is not plugged in; perhaps another one is.
        guard case .unknownDevice = error else { throw error }
      }
    }
    if isChosen { throw .disconnected }
    return try start(nil)
  }

  private func light() throws(CameraError) {
    guard let indicator, privacy != .unlit else { return }
    isLightBroken = !indicator.light(true)
    guard isLightBroken, privacy == .required else { return }
    _ = indicator.light(false)
    throw .noIndicator
  }

  private func darken() {
    if let indicator, privacy != .unlit { _ = indicator.light(false) }
  }

  // MARK: Frames

  /// The next frame of now, valid until the next call. When the camera has gone, it is closed.
  func next(_ limits: borrowing JobLimits) throws(CameraError) -> RawFrame {
    do throws(CameraError) {
      return try wait(limits)
    } catch {
      switch error {
      case .cancelled, .timeout: break
      default: close()
      }
      throw error
    }
  }

  private func wait(_ limits: borrowing JobLimits) throws(CameraError) -> RawFrame {
    while true {
      if limits.cancellation.isRequested { throw .cancelled }
      let now = clock.monotonic
      guard now < limits.deadline else { throw .timeout }
      guard now - lastFrame < Budget.cameraStall else { throw .stalled }
      let frame = try source.next(within: min(Budget.cameraWait, limits.deadline - now))
      guard let frame else { continue }
      lastFrame = clock.monotonic
      if frame.time == 0 || frame.time >= begin { return frame }
    }
  }

  // MARK: Exposure

  /// True when the sensor is exposed as it should be, or sees to that by itself.
  var isExposed: Bool { exposure?.isSettled ?? true }

  /// True for a sensor that has to be told.
  var exposesByHand: Bool { exposure != nil }

  /// Tells the sensor what the statistics of its last frame ask for.
  func expose(_ statistics: FrameStatistics) throws(CameraError) {
    guard let before = exposure?.setting, let setting = exposure?.add(statistics), setting != before else { return }
    try source.expose(setting)
  }

  private func startExposure() throws(CameraError) {
    guard let setting = exposure?.setting else { return }
    do throws(CameraError) {
      try source.expose(setting)
    } catch {
      close()
      throw error
    }
  }
}

extension CameraRoster {
  /// Where the camera of a name is plugged in; nil when there is no such name.
  public func device(named name: CameraText) -> CameraText? {
    for index in 0..<count where self[index].name == name { return self[index].device }
    return nil
  }

  /// True when a camera is said to look there.
  func has(_ position: CameraPosition) -> Bool {
    for index in 0..<count where self[index].position == position { return true }
    return false
  }
}
