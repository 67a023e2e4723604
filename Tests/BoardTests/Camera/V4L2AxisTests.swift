import CFakeCamera
import CLinux
import Codec
import Runtime
import Testing

@testable import Board
@testable import Camera

/// Pan, tilt and zoom of drivers that want a stream, take their time, or stop short.
struct V4L2AxisTests {
  private let kernel = FakeKernel()

  private func addCamera(speed: Int32 = 0, reach: Int32 = 0) {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_PAN_ABSOLUTE, "Pan, Absolute", -36_000...36_000, step: 3600, speed: speed, reach: reach)
    kernel.add(TL_ZOOM_ABSOLUTE, "Zoom, Absolute", 100...500, home: 100)
  }

  private struct Movement {
    var steps: [AxisJob.Step] = []
    /// Where pan is by the answer; nil for an error.
    var pan: Int?
    var isAdjusted = false
    /// True when the stream was open at the end.
    var streams = false
  }

  /// Sends pan to 5 degrees, and closes the camera.
  private func turn() throws -> Movement {
    let source = kernel.source()
    let stream = CameraStream(source: source, cameraSettings: CameraSettingsTable(), clock: kernel.clock)
    let job = AxisJob(source: source, cameraSettings: CameraSettingsTable(), stream: stream)
    let request = Array(#"{"deviceId":"usb-fake-1.2","operation":"set","target":{"panDegrees":5}}"#.utf8)
    job.prepare(try AxisParameters(JSONView(request.span), moves: true))
    var movement = Movement()
    job.run()
    while let step = job.next, movement.steps.count < 10 * AxisJob.mostLooks {
      movement.steps.append(step)
      job.run()
    }
    if case .state(let axes, let adjusted) = job.outcome {
      movement.pan = axes.pan?.value
      movement.isAdjusted = adjusted.contains(.pan)
    }
    movement.streams = stream.isOpen
    stream.close()
    return movement
  }

  @Test("a camera that moves at once needs neither a stream nor a second look")
  func immediate() throws {
    addCamera()
    let movement = try turn()
    #expect(movement.steps.isEmpty && movement.pan == 18_000 && !movement.isAdjusted && !movement.streams)
    #expect(kernel.camera.pointee.starts == 0 && kernel.openFiles == 0)
  }

  @Test("a motor is waited for, and one that stops short is told where it is")
  func motor() throws {
    addCamera(speed: 4_000, reach: 10_800)
    let movement = try turn()
    #expect(movement.steps.allSatisfy { $0 == .look })
    #expect(movement.pan == 10_800 && movement.isAdjusted)
    #expect(kernel.value(TL_PAN_ABSOLUTE) == 10_800 && kernel.camera.pointee.starts == 0)
  }

  @Test(
    "a driver that refuses without a stream moves the camera while it streams",
    arguments: [
      Errno.inputOutput, .busy, .invalidArgument, .brokenPipe, .timedOut, .notSupported, .noSuchDevice, .wouldBlock,
    ])
  func refusing(reason: Errno) throws {
    addCamera(speed: 6_000)
    kernel.camera.pointee.still_refusal = reason.number
    let movement = try turn()
    #expect(movement.steps.first == .stream && movement.pan == 18_000 && !movement.isAdjusted && movement.streams)
    #expect(kernel.camera.pointee.starts == 1 && kernel.openFiles == 0)
    #expect(kernel.value(TL_PAN_ABSOLUTE) == 18_000)
  }

  @Test("so does one that ignores it, and one that does not tell the position either")
  func ignoring() throws {
    addCamera()
    kernel.camera.pointee.still_refusal = -1
    let movement = try turn()
    #expect(movement.steps.last == .stream && movement.pan == 18_000 && movement.streams)
    kernel.camera.pointee.still_refusal = Errno.inputOutput.number
    kernel.camera.pointee.is_mute = 1
    let mute = try turn()
    #expect(mute.steps == [.stream] && mute.pan == 18_000)
    #expect(kernel.camera.pointee.starts == 2)
  }

  @Test("a driver that refuses with a stream as well is asked twice, and its refusal is told")
  func stuck() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_PAN_ABSOLUTE, "Pan, Absolute", -36_000...36_000, step: 3600, refusal: .invalidArgument)
    let movement = try turn()
    #expect(movement.steps == [.stream] && movement.pan == nil && movement.streams)
    #expect(kernel.camera.pointee.starts == 1 && kernel.openFiles == 0)
  }

  @Test("an axis that the driver has locked has a sentence of its own, unlike a camera in use")
  func locked() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_PAN_ABSOLUTE, "Pan, Absolute", -36_000...36_000, flags: TL_CONTROL_GRABBED)
    kernel.add(TL_ZOOM_ABSOLUTE, "Zoom, Absolute", 100...500, refusal: .busy)
    let (source, device) = (kernel.source(), CameraText(cutting: "usb-fake-1.2"))
    func failure(_ axis: CameraAxis) -> String {
      do throws(CameraError) {
        try source.move(axis, of: device, to: 200)
        return "none"
      } catch {
        return "\(error.wire.text)"
      }
    }
    #expect(failure(.pan).contains("locked an axis"))
    #expect(failure(.zoom).contains("in use by another program"))
    // It may be free while the camera streams.
    #expect(try turn().steps == [.stream])
    #expect(kernel.openFiles == 0)
  }

  @Test("a position that the driver refuses is an error, unless another axis has one")
  func unreadable() throws {
    addCamera()
    (kernel.camera.pointee.refused, kernel.camera.pointee.refusal) = (27, Errno.brokenPipe.number)  // VIDIOC_G_CTRL
    let (source, device) = (kernel.source(), CameraText(cutting: "usb-fake-1.2"))
    // It is asked for each position twice.
    kernel.camera.pointee.refusals = 2
    let axes = try source.axes(of: device)
    #expect(axes.pan == nil && axes.zoom?.value == 100)
    kernel.camera.pointee.refusals = -1
    #expect(throws: CameraError.self) { try source.axes(of: device) }
  }
}
