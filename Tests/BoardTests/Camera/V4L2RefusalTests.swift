import CFakeCamera
import CLinux
import Camera
import Runtime
import Testing

@testable import Board
@testable import Camera

/// A driver that refuses what most drivers allow, once and always: the stream goes on the usual way.
struct V4L2RefusalTests {
  private let kernel = FakeKernel()
  private let monotonic: UInt32 = 0x2000

  /// An ioctl of V4L2 by its number in <linux/videodev2.h>, and what is left when it is always refused.
  struct Refusal: CustomTestStringConvertible, Sendable {
    let name: String
    let number: UInt32
    /// "frame", or the error.
    let always: String
    var reason = Errno.invalidArgument

    var testDescription: String { name }

    static let all: [Refusal] = [
      Refusal(name: "VIDIOC_QUERYCAP", number: 0, always: "io"),
      Refusal(name: "VIDIOC_QUERYCAP of a camera in use", number: 0, always: "busy", reason: .busy),
      Refusal(name: "VIDIOC_QUERYCAP with an error of the bus", number: 0, always: "noDevice", reason: .inputOutput),
      Refusal(name: "VIDIOC_ENUM_FMT", number: 2, always: "frame"),
      Refusal(name: "VIDIOC_ENUM_FRAMESIZES", number: 74, always: "frame"),
      Refusal(name: "VIDIOC_ENUM_FRAMEINTERVALS", number: 75, always: "frame"),
      Refusal(name: "VIDIOC_TRY_FMT", number: 64, always: "frame"),
      Refusal(name: "VIDIOC_G_PARM", number: 21, always: "frame"),
      Refusal(name: "VIDIOC_S_PARM", number: 22, always: "frame"),
      Refusal(name: "VIDIOC_G_INPUT", number: 38, always: "frame"),
      Refusal(name: "VIDIOC_ENUMINPUT", number: 26, always: "frame"),
      Refusal(name: "VIDIOC_QUERYCTRL", number: 36, always: "frame"),
      Refusal(name: "VIDIOC_G_CTRL", number: 27, always: "frame"),
      Refusal(name: "VIDIOC_S_CTRL", number: 28, always: "frame"),
      Refusal(name: "VIDIOC_G_EXT_CTRLS", number: 71, always: "frame"),
      Refusal(name: "VIDIOC_STREAMOFF", number: 19, always: "frame"),
      Refusal(name: "VIDIOC_S_FMT", number: 5, always: "io"),
      Refusal(name: "VIDIOC_REQBUFS", number: 8, always: "io"),
      Refusal(name: "VIDIOC_QUERYBUF", number: 9, always: "io"),
      Refusal(name: "VIDIOC_QBUF", number: 15, always: "io"),
      Refusal(name: "VIDIOC_STREAMON", number: 18, always: "io"),
      Refusal(name: "VIDIOC_DQBUF", number: 17, always: "io"),
      Refusal(name: "VIDIOC_S_FMT with an error of the bus", number: 5, always: "disconnected", reason: .inputOutput),
      Refusal(
        name: "VIDIOC_STREAMON with an error of the bus", number: 18, always: "disconnected", reason: .inputOutput),
      Refusal(name: "VIDIOC_DQBUF with an error of the bus", number: 17, always: "disconnected", reason: .inputOutput),
      Refusal(name: "VIDIOC_S_FMT of a camera in use", number: 5, always: "busy", reason: .busy),
      Refusal(name: "VIDIOC_REQBUFS without memory", number: 8, always: "io", reason: .outOfMemory),
      Refusal(name: "VIDIOC_STREAMON without memory", number: 18, always: "io", reason: .outOfMemory),
      Refusal(name: "VIDIOC_QBUF without memory", number: 15, always: "io", reason: .outOfMemory),
    ]
  }

  /// What a camera offers, which decides what its driver is asked for.
  enum Offer: CaseIterable {
    case small, large, compressed, raw, foreign
  }

  /// Why a call may fail for once; EINVAL is an answer for some questions, and asked for all the same.
  private static let reasons: [Errno] = [
    .invalidArgument, .inputOutput, .busy, .wouldBlock, .noSuchDevice, .outOfMemory, .noSpace, .timedOut,
    .brokenPipe,
  ]

  private func prepare(_ offer: Offer) -> V4L2Camera {
    kernel.camera.pointee = fake_camera()
    kernel.camera.pointee.image_bytes = UInt32(FakeKernel.imageBytes)
    switch offer {
    case .small, .large:
      kernel.add("YUYV", 1280, 720)
      kernel.add("YUYV", 640, 480)
      if offer == .large { kernel.camera.pointee.image_bytes = UInt32(Budget.largeFrameBytes + 4096) }
    case .compressed: kernel.add("MJPG", 1280, 720)
    case .foreign: kernel.add("YVYU", 64, 32)
    case .raw:
      kernel.add("RG10", 640, 480)
      kernel.addSensor("imx219 10-0010")
      kernel.add(TL_EXPOSURE, "Exposure", 4...1763, isPart: true)
      kernel.add(TL_ANALOGUE_GAIN, "Analogue Gain", 0...232, isPart: true)
    }
    kernel.add(TL_GAIN, "Gain", 0...100)
    for _ in 0..<8 { kernel.add(frame: 64 * 32 * 2) }
    var settings = CameraSettings()
    settings.controls.gain = .value(50)
    _ = settings.controls.add(NamedControl(name: CameraText(cutting: "gain"), value: 50))
    return kernel.source(settings)
  }

  /// "frame" when one comes, else the error's name, or "none".
  private func attempt(_ source: V4L2Camera, width: Int = 1280, rate: Int = 0) -> String {
    do throws(CameraError) {
      _ = try source.start(StreamOrder(device: nil, purpose: .photo, width: width, rate: rate))
      for _ in 0..<5 where try source.next(within: 0) != nil {
        // The buffer goes back to the driver.
        for _ in 0..<2 where try source.next(within: 0) != nil { return "frame" }
      }
      return "none"
    } catch {
      return String(describing: error).split(separator: "(").first.map(String.init) ?? ""
    }
  }

  @Test("an ioctl that is refused once costs no photo, whatever the reason", arguments: Refusal.all, Offer.allCases)
  func once(refusal: Refusal, offer: Offer) {
    // EINTR, after which every call is made again at once.
    for reason in Self.reasons + [Errno(4)] {
      // These are what VIDIOC_DQBUF says of a frame to come, a camera that is gone, and a source that has changed.
      let isAnswer = reason == .wouldBlock || reason == .noSuchDevice || reason == .brokenPipe
      if refusal.number == 17, isAnswer { continue }
      let source = prepare(offer)
      kernel.camera.pointee.refused = refusal.number
      kernel.camera.pointee.refusal = reason.number
      kernel.camera.pointee.refusals = 1
      #expect(attempt(source, rate: 30_000) == "frame", "\(reason.number)")
      source.stop()
      #expect(kernel.openFiles == 0)
    }
    #expect(kernel.mappings == 0)
  }

  @Test(
    "an ioctl that is always refused costs no photo if there is another way", arguments: Refusal.all,
    [Offer.small, .large])
  func always(refusal: Refusal, offer: Offer) {
    let source = prepare(offer)
    kernel.camera.pointee.refused = refusal.number
    kernel.camera.pointee.refusal = refusal.reason.number
    kernel.camera.pointee.refusals = -1
    #expect(attempt(source, rate: 30_000) == refusal.always)
    source.stop()
    #expect(kernel.openFiles == 0 && kernel.mappings == 0)
    kernel.camera.pointee.refusals = 0
    kernel.camera.pointee.next_frame = 0
    #expect(attempt(source) == "frame")
  }

  @Test(
    "whichever call on a camera's file is refused once, there is a photo", arguments: Offer.allCases,
    [Errno.invalidArgument, .inputOutput, .busy])
  func anyCall(offer: Offer, reason: Errno) throws {
    let first = prepare(offer)
    (kernel.calls, kernel.firstControl) = (0, nil)
    #expect(attempt(first, rate: 30_000) == "frame")
    first.stop()
    // Before its file is opened, which is the call before the first ioctl, /dev is listed.
    let calls = try #require(kernel.firstControl) - 1..<kernel.calls
    #expect(calls.count > 30)
    for index in calls {
      let source = prepare(offer)
      kernel.calls = 0
      kernel.refused = (index, reason)
      #expect(attempt(source, rate: 30_000) == "frame", "call \(index)")
      source.stop()
      kernel.refused = nil
      #expect(kernel.openFiles == 0)
    }
    #expect(kernel.mappings == 0)
  }

  @Test("a camera that refuses once is listed", arguments: reasons)
  func listing(reason: Errno) throws {
    for refused: UInt32 in [0, 2, 74, 75] {
      let source = prepare(.raw)
      (kernel.camera.pointee.refused, kernel.camera.pointee.refusal) = (refused, reason.number)
      kernel.camera.pointee.refusals = 1
      var list = CameraList()
      try source.enumerate(into: &list)
      #expect(list.count == 1)
    }
  }

  @Test(
    "a buffer that cannot be queued or mapped while the stream runs costs a frame", arguments: [9, 15] as [UInt32],
    reasons)
  func whileStreaming(number: UInt32, reason: Errno) throws {
    let source = prepare(.large)
    _ = try source.start(StreamOrder(device: nil, purpose: .photo, width: 1280))
    #expect(kernel.mappings == 0)
    if number == 15 { #expect(try source.next(within: 0) != nil) }
    kernel.camera.pointee.refused = number
    kernel.camera.pointee.refusal = reason.number
    kernel.camera.pointee.refusals = 1
    let frames = try (0..<3).map { _ in try source.next(within: 0) != nil }
    #expect(frames.filter { $0 }.count >= 2)
    #expect(kernel.mappings == Budget.cameraBuffers)
  }

  @Test("memory that cannot be mapped while the stream runs is mapped before it", arguments: [1, -1])
  func mapping(times: Int) {
    let source = prepare(.large)
    kernel.refusedCall = (TL_CALL_mmap, times, .invalidArgument)
    #expect(attempt(source) == (times == 1 ? "frame" : "io"))
  }

  @Test("a driver that cannot be waited for is asked for its frames", arguments: [1, -1])
  func polling(times: Int) {
    let source = prepare(.small)
    kernel.refusedCall = (TL_CALL_poll, times, .invalidArgument)
    #expect(attempt(source) == "frame")
  }

  @Test("a driver that fills no buffer while few are queued gets more of them")
  func fewQueued() throws {
    let source = prepare(.large)
    kernel.camera.pointee.least_queued = 3
    _ = try source.start(StreamOrder(device: nil, purpose: .photo, width: 1280))
    #expect(try source.next(within: 0) == nil)
    // Others take up to two seconds to begin.
    kernel.clock.monotonic += Budget.cameraStall / 2 - 1
    #expect(try source.next(within: 0) == nil)
    #expect(kernel.camera.pointee.asked_buffers == Budget.photoBuffers)
    kernel.clock.monotonic += Budget.cameraSignalMilliseconds
    #expect(try source.next(within: 0) == nil)
    #expect(try source.next(within: 0) != nil)
    #expect(kernel.camera.pointee.asked_buffers == Budget.cameraBuffers)
  }

  /// What a photo's stream gives of a camera whose driver has memory for no more buffers than those of a photo, and
  /// whose first frame takes so many looks, each of half a second: two waits, as a driver that is ready has nothing.
  private func slow(looks: Int, grantsFewer: Bool) -> String {
    let source = prepare(.large)
    kernel.camera.pointee.most_buffers = UInt32(Budget.photoBuffers)
    kernel.camera.pointee.grants_fewer = grantsFewer ? 1 : 0
    kernel.camera.pointee.slowness = Int32(looks)
    kernel.pace = 250
    let stream = CameraStream(source: source, cameraSettings: CameraSettingsTable(), clock: kernel.clock)
    defer { stream.close() }
    var limits = JobLimits()
    limits.deadline = kernel.clock.monotonic + 60_000
    do throws(CameraError) {
      _ = try stream.open(CameraChoice(), for: .photo, width: 1280)
      _ = try stream.next(limits)
      return "frame \(kernel.camera.pointee.starts) \(kernel.mappings)"
    } catch {
      return String(describing: error)
    }
  }

  @Test("a slow camera goes on with the buffers that it had where there is no memory for more, and has its time again")
  func slowWithoutMemory() {
    #expect(slow(looks: 4, grantsFewer: false) == "frame 1 1")
    #expect(slow(looks: 7, grantsFewer: false) == "frame 2 1")
    #expect(kernel.camera.pointee.asked_buffers == Budget.photoBuffers)
    // Here they are all mapped.
    #expect(slow(looks: 7, grantsFewer: true) == "frame 2 \(Budget.photoBuffers)")
    let began = kernel.clock.monotonic
    #expect(slow(looks: 1000, grantsFewer: false) == "stalled")
    #expect(kernel.clock.monotonic - began < 2 * Budget.cameraStall)
  }

  @Test("where there is memory for two buffers alone, a stream has two, of the size that was asked for")
  func fewBuffers() throws {
    let source = prepare(.small)
    kernel.camera.pointee.most_buffers = UInt32(Budget.photoBuffers)
    #expect(attempt(source) == "frame" && kernel.camera.pointee.buffers == Budget.photoBuffers)
    #expect(kernel.camera.pointee.width == 1280)
    // What it does not get any more when its stream begins anew, it goes on without.
    kernel.camera.pointee.refused = 17
    (kernel.camera.pointee.refusal, kernel.camera.pointee.refusals) = (Errno.inputOutput.number, 1)
    kernel.camera.pointee.next_frame = 0
    #expect(try source.next(within: 0) == nil)
    #expect(try source.next(within: 0) != nil)
    #expect(kernel.camera.pointee.buffers == Budget.photoBuffers)
  }

  // MARK: Bandwidth

  @Test("where the bus is too slow for a mode, a smaller one is tried, once")
  func bandwidth() {
    let source = prepare(.small)
    kernel.camera.pointee.most_pixels = 1280 * 720 - 1
    #expect(attempt(source) == "frame")
    #expect((kernel.camera.pointee.width, kernel.camera.pointee.height) == (640, 480))
    #expect(kernel.camera.pointee.starts == 2)
    source.stop()
    kernel.camera.pointee.most_pixels = 1
    #expect(attempt(source) == "io" && kernel.camera.pointee.starts == 4)
    #expect(kernel.openFiles == 0 && kernel.mappings == 0)
  }

  @Test("a camera of one size that is too large for the bus says so")
  func oneSize() {
    kernel.add("YUYV", 640, 480)
    kernel.camera.pointee.most_pixels = 1
    let source = kernel.source()
    do throws(CameraError) {
      _ = try source.start(StreamOrder(device: nil, purpose: .photo, width: 640))
      Issue.record("it started")
    } catch {
      #expect(error.nextStep.map { "\($0)" }?.contains("smaller picture") == true)
    }
  }

  // MARK: Timestamps

  @Test("times that stand still or lie ahead are not the driver's to tell")
  func times() throws {
    kernel.add("YUYV", 640, 480)
    let now = kernel.clock.monotonic / 1000
    for seconds in [now, now, now + 5, now - 3] { kernel.add(frame: 10, flags: monotonic, seconds: seconds) }
    let source = kernel.source()
    _ = try source.start(StreamOrder(device: nil, purpose: .clip, width: 640))
    var times: [Int64] = []
    for _ in 0..<4 {
      kernel.clock.monotonic += 33
      if let frame = try source.next(within: 0) { times.append(frame.time) }
    }
    #expect(times == [now * 1_000_000] + [66, 99, 132].map { (now * 1000 + $0) * 1000 })
    source.stop()
    kernel.camera.pointee.next_frame = 2
    _ = try source.start(StreamOrder(device: nil, purpose: .clip, width: 640))
    #expect(try source.next(within: 0)?.time == kernel.clock.monotonic * 1000)
  }
}
