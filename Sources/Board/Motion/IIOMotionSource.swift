import Codec
import Motion
import Runtime

/// A motion sensor with a kernel driver: an Industrial I/O device with an accelerometer, and a gyroscope in the same or
/// another device. The kernel captures samples into a buffer, so a driver without a buffer, or without a trigger,
/// cannot be used.
///
/// The user needs write access to the device's attributes and read access to its file.
public final class IIOMotionSource: MotionSource {
  /// The standard gravity of ISO 80000-3, in metres per second squared.
  private static let gravity: Float = 9.80665

  private let wanted: String?
  private let root: String
  private let mounting: MountingMatrix
  private let clock: any Clock
  private let accelerations = UnsafeMutableBufferPointer<Vector3>.allocate(capacity: Budget.iioBufferSamples)
  private let rotations = UnsafeMutableBufferPointer<Vector3>.allocate(capacity: Budget.iioBufferSamples)
  private var accelerometer: IIOCapture?
  /// Only when the gyroscope is a separate device.
  private var gyroscope: IIOCapture?
  private var hasRotation = false
  private var lastRotation = Vector3()
  private var lastSample: Int64 = 0

  /// A closed source. `device` is the name of the accelerometer's device ("lsm6ds3_accel"), or nil for the first one.
  /// `root` is the prefix of /sys and /dev; empty except in tests.
  @export(interface)
  public init(device: String? = nil, mounting: MountingMatrix = MountingMatrix(), clock: any Clock, root: String = "") {
    wanted = device
    self.mounting = mounting
    self.clock = clock
    self.root = root
    accelerations.initialize(repeating: Vector3())
    rotations.initialize(repeating: Vector3())
  }

  deinit {
    accelerations.deallocate()
    rotations.deallocate()
  }

  // MARK: Opening

  @export(interface)
  public func open(rate: Float) throws(MotionError) -> MotionFacts {
    close()
    do throws(Errno) {
      return try opened(rate)
    } catch {
      close()
      switch error {
      case .noSuchFile: throw .absent
      case .noSuchDevice, .notSupported: throw .noCapture
      case .accessDenied, .notPermitted, Errno(30): throw .noPermission
      default: throw .io(error)
      }
    }
  }

  private func opened(_ rate: Float) throws(Errno) -> MotionFacts {
    guard let device = try find(.acceleration, wanted) else { throw .noSuchFile }
    guard isCaptured(.acceleration, device) else { throw .notSupported }
    let isBoth = isCaptured(.rotation, device)
    let capture = IIOCapture(device)
    accelerometer = capture
    try capture.start(isBoth ? [.acceleration, .rotation] : [.acceleration], rate: rate, root: root)
    if !isBoth, let other = try find(.rotation, nil), isCaptured(.rotation, other) {
      let capture = IIOCapture(other)
      gyroscope = capture
      try capture.start([.rotation], rate: rate, root: root)
    }
    hasRotation = isBoth || gyroscope != nil
    lastSample = clock.monotonic
    let real = capture.rate > 0 ? Float(capture.rate) : rate
    return MotionFacts(
      name: try device.name(), rate: real, hasGyroscope: hasRotation,
      memory: Int64(clamping: Float(Budget.iioBufferSamples) * 1000 / real))
  }

  /// The first device with this name that can capture this quantity; otherwise one that measures it.
  private func find(_ quantity: IIOQuantity, _ name: String?) throws(Errno) -> IIODevice? {
    var numbers: UInt64 = 0
    try IIODevice.forEach("iio:device", root: root) { numbers |= 1 << UInt64($0) }
    var second: IIODevice?
    for number in 0..<IIODevice.limit where numbers >> UInt64(number) & 1 == 1 {
      let device = try IIODevice(number: number, root: root)
      if let name, try device.name() != InlineText(cutting: name) { continue }
      if isCaptured(quantity, device) { return device }
      if device.exists(IIODevice.Attribute(quantity: quantity, axis: "x_", name: "raw")) { second = second ?? device }
    }
    return second
  }

  private func isCaptured(_ quantity: IIOQuantity, _ device: IIODevice) -> Bool {
    device.exists(IIODevice.Attribute(folder: "scan_elements/", quantity: quantity, axis: "x_", name: "en"))
  }

  public func close() {
    accelerometer?.stop()
    gyroscope?.stop()
    accelerometer = nil
    gyroscope = nil
    lastRotation = Vector3()
  }

  // MARK: Draining

  public func drain(into batch: MotionBatch) throws(MotionError) {
    guard let accelerometer else { throw .vanished }
    let now = clock.monotonic
    do throws(Errno) {
      let (count, isFull) = try accelerometer.read(accelerations, rotations)
      if isFull { batch.hasGap = true }
      let turns = try gyroscope?.read(accelerations, rotations).count
      add(count, turns ?? (hasRotation ? count : 0), to: batch)
      if count > 0 { lastSample = now }
    } catch {
      close()
      throw error == .noSuchDevice ? .vanished : .io(error)
    }
    if now - lastSample >= Budget.motionSilenceMilliseconds {
      close()
      throw .vanished
    }
    batch.end = now * 1000
  }

  /// A separate gyroscope samples at its own times: its samples are spread over those of acceleration.
  private func add(_ count: Int, _ turns: Int, to batch: MotionBatch) {
    for index in 0..<count {
      if turns > 0 { lastRotation = mounting.apply(rotations[index * turns / count]) }
      let felt = mounting.apply(accelerations[index])
      batch.append(
        MotionSample(
          acceleration: Vector3(felt.x / Self.gravity, felt.y / Self.gravity, felt.z / Self.gravity),
          rotation: lastRotation))
    }
  }
}
