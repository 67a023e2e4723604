import CFakeCamera
import CLinux
import Camera
import Foundation
import Runtime

@testable import Board

/// A board whose kernel has one camera, and perhaps a sensor that is a part of it: `fake_camera.c` after files of a
/// folder. Calls of the thread that made it go there until it is deallocated.
final class FakeKernel {
  /// Bytes of a buffer; the file has room for eight.
  static let imageBytes = 8192

  let camera: UnsafeMutablePointer<fake_camera>
  let clock = SerialTestClock()
  /// Calls that were refused, by their place among all since the last `count`; nil: none.
  var refused: (index: Int, reason: Errno)?
  /// A system call that is refused, how often (less than 0: always), and why; nil: none.
  var refusedCall: (call: tl_call, times: Int, reason: Errno)?
  /// Calls since they were last counted.
  var calls = 0
  /// Milliseconds that pass with each wait for a frame.
  var pace: Int64 = 0
  /// The place of the first ioctl among them; nil: none.
  var firstControl: Int?
  /// Files that are open.
  private(set) var openFiles = 0
  private let tree = ReadingsTree()
  private var name: String { String(tree.root.split(separator: "/").last!) }

  init() {
    camera = .allocate(capacity: 1)
    camera.initialize(to: fake_camera())
    camera.pointee.image_bytes = UInt32(Self.imageBytes)
    tree.write("/dev/video3", String(repeating: "v", count: 8 * Self.imageBytes))
    tree.write("/dev/videos", "no camera")
    tree.write("/sys/class/video4linux/video3/name", "Field Camera\n")
    tl_interpose_device({ fake_camera_ioctl($0, $1, $2, $3) }, camera)
    tl_interpose_thread(
      { context, call, _ in Unmanaged<FakeKernel>.fromOpaque(context!).takeUnretainedValue().decide(call) },
      Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    tl_interpose_device(nil, nil)
    tl_interpose_thread(nil, nil)
    camera.deallocate()
  }

  private func decide(_ call: Int32) -> Int32 {
    // A file is closed even when that is refused, and with the last one the stream ends.
    if call == Int32(TL_CALL_close.rawValue) {
      openFiles -= 1
      if openFiles == 0 { camera.pointee.is_streaming = 0 }
    }
    defer { calls += 1 }
    if call == Int32(TL_CALL_poll.rawValue) { clock.monotonic += pace }
    if call == Int32(TL_CALL_ioctl.rawValue), firstControl == nil { firstControl = calls }
    if let refused, refused.index == calls { return refused.reason.number }
    if let refusedCall, refusedCall.times != 0, Int32(refusedCall.call.rawValue) == call {
      self.refusedCall?.times -= 1
      return refusedCall.reason.number
    }
    if call == Int32(TL_CALL_open.rawValue) { openFiles += 1 }
    return 0
  }

  func source(_ settings: CameraSettings = CameraSettings()) -> V4L2Camera {
    var cameraSettings = CameraSettingsTable()
    cameraSettings.others = settings
    return V4L2Camera(cameraSettings: cameraSettings, clock: clock, root: CameraText(cutting: tree.root))
  }

  // MARK: What it has

  func add(_ code: StaticString, _ width: UInt32, _ height: UInt32, rate: UInt32 = 30) {
    let mode = fake_mode(fourcc: FourCC(code).value, width: width, height: height, rate: rate)
    withUnsafeMutableBytes(of: &camera.pointee.modes) {
      $0.bindMemory(to: fake_mode.self)[Int(camera.pointee.mode_count)] = mode
    }
    camera.pointee.mode_count += 1
  }

  func add(
    _ id: UInt32, _ name: String, _ range: ClosedRange<Int32>, step: Int32 = 1, home: Int32 = 0, isPart: Bool = false,
    refusal: Errno = Errno(0), flags: UInt32 = 0, speed: Int32 = 0, reach: Int32 = 0
  ) {
    var control = fake_control()
    control.id = id
    withUnsafeMutableBytes(of: &control.name) { $0.copyBytes(from: Array(name.utf8)) }
    (control.minimum, control.maximum, control.step) = (range.lowerBound, range.upperBound, step)
    (control.home, control.value) = (home, home)
    control.is_part = isPart ? 1 : 0
    (control.refusal, control.flags) = (refusal.number, flags)
    (control.speed, control.target, control.reach) = (speed, home, reach)
    controls { $0[Int(camera.pointee.control_count)] = control }
    camera.pointee.control_count += 1
  }

  func addSensor(_ name: String) {
    tree.write("/dev/v4l-subdev0", "")
    tree.write("/sys/class/video4linux/v4l-subdev0/name", name + "\n")
  }

  func add(
    frame bytes: Int, flags: UInt32 = 0, seconds: Int64 = 0, microseconds: Int64 = 0, refusal: Errno = Errno(0)
  ) {
    let frame = fake_frame(
      bytes_used: UInt32(bytes), flags: flags, seconds: seconds, microseconds: microseconds, refusal: refusal.number)
    withUnsafeMutableBytes(of: &camera.pointee.frames) {
      $0.bindMemory(to: fake_frame.self)[Int(camera.pointee.frame_count)] = frame
    }
    camera.pointee.frame_count += 1
  }

  // MARK: What became of it

  /// Buffers that are mapped. The kernel shows neighbors as one, so bytes are counted.
  var mappings: Int {
    let maps = (try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()) ?? Data()
    var bytes = 0
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      guard line.hasSuffix("/dev/video3"), line.contains(name) else { continue }
      let ends = line.prefix { $0 != " " }.split(separator: "-").map { Int($0, radix: 16)! }
      bytes += ends[1] - ends[0]
    }
    return bytes / Int(camera.pointee.image_bytes)
  }

  /// The value of a control; nil when there is none.
  func value(_ id: UInt32) -> Int? {
    controls { controls in
      controls[..<Int(camera.pointee.control_count)].first { $0.id == id }.map { Int($0.value) }
    }
  }

  private func controls<Result>(_ body: (UnsafeMutableBufferPointer<fake_control>) -> Result) -> Result {
    withUnsafeMutableBytes(of: &camera.pointee.controls) { body($0.bindMemory(to: fake_control.self)) }
  }
}
