// Camera: photos and clips: it chooses modes, exposes raw sensors, checks frames, converts, scales and encodes.
// It knows cameras, codecs and lights only as protocols, and nothing of sessions or the router.

import Runtime

/// The requested camera.
public struct CameraChoice: Equatable, Sendable {
  /// By name in the configuration, id or bus.
  public var device: CameraText?
  /// By its position.
  public var position: CameraPosition?

  /// The first camera by default.
  public init(device: CameraText? = nil, position: CameraPosition? = nil) {
    self.device = device
    self.position = position
  }
}

/// The limits of a job.
struct JobLimits {
  /// When to give up, in milliseconds of `Clock.monotonic`.
  var deadline: Int64 = 0
  let cancellation = Cancellation()
}

/// Work memory that is kept while a camera is open.
protocol StreamMemory: AnyObject {
  /// Releases the memory.
  func releaseWork()
}

/// The one stream of all cameras. A job opens it and takes frames; it stays open for the next job, until it is closed.
/// Used by one job at a time, on its worker; the loop's thread may read it while no job runs.
public final class CameraStream {
  /// Requirements for the privacy light.
  public enum Privacy: Sendable {
    /// No light.
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
  /// True when the light failed at the last opening.
  public private(set) var isLightBroken = false
  /// Configured controls that could not be set at the last opening.
  public private(set) var mismatches = ControlMismatches()
  /// Facts about the open stream.
  private(set) var facts: StreamFacts?
  /// The settings of its camera.
  private(set) var settings = CameraSettings()
  /// True when the camera has settled since it was opened.
  var isWarm = false
  /// Memory that is released when the camera is closed.
  var memory: (any StreamMemory)?

  /// The source of the cameras.
  public let source: any CameraSource
  /// The configuration of the cameras.
  public let cameraSettings: CameraSettingsTable
  private let clock: any Clock
  private let indicator: (any Indicator)?
  private let privacy: Privacy
  private var order: Order?
  private var exposure: AutoExposure?
  /// Frames before this time are too old for the job; microseconds.
  private var begin: Int64 = 0
  /// The time of the last frame, or of opening.
  private var lastFrame: Int64 = 0
  /// Frames in a row that were too old.
  private var oldFrames = 0
  /// The most of these: a driver has no more buffers. If there are more, its clock is another one.
  private static let mostOldFrames = 8

  /// A stream of the cameras of `source`.
  @export(interface)
  public init(
    source: any CameraSource, cameraSettings: CameraSettingsTable, indicator: (any Indicator)? = nil,
    privacy: Privacy = .unlit,
    clock: any Clock
  ) {
    self.source = source
    self.cameraSettings = cameraSettings
    self.indicator = indicator
    self.privacy = privacy
    self.clock = clock
  }

  // MARK: Opening and closing

  /// Opens the chosen camera, or continues an open stream that matches. Only frames from now on are used.
  func open(
    _ choice: CameraChoice, for purpose: StreamOrder.Purpose, width: Int, rate: Int = 0
  ) throws(CameraError) -> StreamFacts {
    let wanted = Order(choice: choice, purpose: purpose, width: width, rate: rate)
    let now = clock.monotonic
    if let facts, order == wanted {
      begin = now * 1000
      lastFrame = now
      oldFrames = 0
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
    settings = cameraSettings.settings(for: facts.camera)
    exposure = facts.exposure.map { AutoExposure(lines: $0.lines, gain: $0.gain, law: $0.law) }
    isWarm = facts.isSteady
    mismatches = facts.mismatches
    begin = 0
    oldFrames = 0
    lastFrame = clock.monotonic
    try startExposure()
    return facts
  }

  /// Closes the camera. Does nothing when there is none.
  /// - Parameter keepsMemory: true when the memory of the last frame is still needed.
  func close(keepsMemory: Bool = false) {
    guard isOpen else { return }
    if !keepsMemory { memory?.releaseWork() }
    source.stop()
    isWarm = false
    (facts, order, exposure) = (nil, nil, nil)
    darken()
  }

  /// Closes the camera, and switches off a light that an earlier process left on.
  func closeAndDarken() {
    close()
    darken()
  }

  /// True when there is a privacy light.
  public var hasLight: Bool { indicator != nil && privacy != .unlit }

  private func start(_ wanted: Order) throws(CameraError) -> StreamFacts {
    func start(_ device: CameraText?) throws(CameraError) -> StreamFacts {
      try source.start(
        StreamOrder(device: device, purpose: wanted.purpose, width: wanted.width, rate: wanted.rate))
    }
    if let name = wanted.choice.device { return try start(cameraSettings.device(named: name) ?? name) }
    let isChosen = wanted.choice.position.map { cameraSettings.has($0) } ?? false
    for index in 0..<cameraSettings.count where !isChosen || cameraSettings[index].position == wanted.choice.position {
      do throws(CameraError) {
        return try start(cameraSettings[index].device)
      } catch {
        // It is not plugged in; tries another one.
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

  /// The next current frame, valid until the next call. Closes a camera that was disconnected.
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
      // A stream that begins anew has as long for its first frame as it had before.
      guard now - max(lastFrame, source.began) < Budget.cameraStall else { throw .stalled }
      let frame = try source.next(within: min(Budget.cameraWait, limits.deadline - now))
      guard let frame else { continue }
      lastFrame = clock.monotonic
      if frame.time == 0 || frame.time >= begin || oldFrames >= Self.mostOldFrames { return frame }
      oldFrames += 1
    }
  }

  // MARK: Exposure

  /// True when the exposure has settled, or the camera controls it by itself.
  var isExposed: Bool { exposure?.isSettled ?? true }

  /// True for a sensor whose exposure is controlled here.
  var exposesByHand: Bool { exposure != nil }

  /// Updates the sensor's exposure from the statistics of its last frame.
  func expose(_ statistics: FrameStatistics) throws(CameraError) {
    guard let before = exposure?.setting, let setting = exposure?.add(statistics), setting != before else { return }
    try set(setting)
  }

  private func startExposure() throws(CameraError) {
    guard let setting = exposure?.setting else { return }
    do throws(CameraError) {
      try set(setting)
    } catch {
      close()
      throw error
    }
  }

  /// Sets the sensor's exposure. A sensor that refuses it keeps the one that it has.
  private func set(_ setting: ExposureSetting) throws(CameraError) {
    do throws(CameraError) {
      try source.expose(setting)
    } catch {
      guard case .io = error else { throw error }
      exposure = nil
    }
  }
}

extension CameraSettingsTable {
  /// The device of a configured name; nil when there is no such name.
  public func device(named name: CameraText) -> CameraText? {
    for index in 0..<count where self[index].name == name { return self[index].device }
    return nil
  }

  /// True when a camera is configured with this position.
  public func has(_ position: CameraPosition) -> Bool {
    for index in 0..<count where self[index].position == position { return true }
    return false
  }
}
