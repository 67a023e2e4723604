import CFakeCamera
import CLinux
import Camera
import Runtime
import Testing

@testable import Board

/// The V4L2 driver on a kernel that has what real test drivers have not.
struct V4L2StreamTests {
  private let kernel = FakeKernel()
  // <linux/videodev2.h>
  private let monotonic: UInt32 = 0x2000, copied: UInt32 = 0x4000, damaged: UInt32 = 0x40, noSignal: UInt32 = 2

  private func order(_ purpose: StreamOrder.Purpose, rate: Int = 0) -> StreamOrder {
    StreamOrder(device: nil, purpose: purpose, width: 640, rate: rate * 1000)
  }

  /// The error's name; "none" when nothing is thrown.
  private func failure(_ body: () throws(CameraError) -> Void) -> String {
    do throws(CameraError) {
      try body()
      return "none"
    } catch {
      return String(describing: error).split(separator: "(").first.map(String.init) ?? ""
    }
  }

  @Test("a camera is listed by its file, the kernel's name and its place, and found by file and place")
  func list() throws {
    kernel.add("YUYV", 640, 480)
    let source = kernel.source()
    var list = CameraList()
    try source.enumerate(into: &list)
    #expect(list.count == 1)
    #expect(list[0].id == CameraText(cutting: "/dev/video3"))
    #expect(list[0].name == CameraText(cutting: "Field Camera"))
    #expect(list[0].bus == CameraText(cutting: "usb-fake-1.2"))
    for name in ["/dev/video3", "usb-fake-1.2"] {
      let order = StreamOrder(device: CameraText(cutting: name), purpose: .photo, width: 640)
      #expect(try source.start(order).camera.id == list[0].id)
    }
    source.stop()
    #expect(kernel.openFiles == 0)
  }

  @Test("a camera without a format that can be used is none")
  func useless() throws {
    kernel.add("XYZ1", 640, 480)
    var list = CameraList()
    try kernel.source().enumerate(into: &list)
    #expect(list.count == 0)
    #expect(failure { () throws(CameraError) in _ = try kernel.source().start(order(.photo)) } == "noDevice")
    #expect(kernel.openFiles == 0)
  }

  @Test("an order of colors changes raw formats, in all packings, and no other format")
  func bayerOrder() {
    for index in 0..<V4L2Format.all.count {
      let (code, format) = (V4L2Format.all[index].code, V4L2Format.all[index].format)
      for order in BayerOrder.allCases {
        var expected = format
        if case .bayer(_, let packing) = format { expected = .bayer(order, packing) }
        #expect(format.ordered(order) == expected)
        #expect(VendorFormat.code(code, ordered: order) == code)
      }
    }
  }

  @Test("a raw camera streams with the configured order of colors", arguments: BayerOrder.allCases)
  func configuredBayerOrder(bayer: BayerOrder) throws {
    kernel.add("RG10", 640, 480)
    kernel.add(frame: 100)
    var settings = CameraSettings()
    settings.bayerOrder = bayer
    let source = kernel.source(settings)
    #expect(try source.start(order(.photo)).format == .bayer(bayer, .bits10))
    #expect(try source.next(within: 0)?.format == .bayer(bayer, .bits10))
  }

  @Test("Bayer samples of 16 bits, which are converted, have it as well")
  func wideBayerOrder() {
    let codes: [(StaticString, BayerOrder)] = [("RG16", .rggb), ("GR16", .grbg), ("GB16", .gbrg), ("BYR2", .bggr)]
    for (code, _) in codes {
      for (expected, order) in codes {
        #expect(VendorFormat.code(FourCC(code), ordered: order) == FourCC(expected))
      }
    }
    #expect(VendorFormat.code(FourCC("YVYU"), ordered: .rggb) == FourCC("YVYU"))
  }

  @Test("a foreign format goes through a converter")
  func foreign() throws {
    // Y, Cr, Y and Cb of each two pixels are the letter that the camera's file is full of.
    kernel.add("YVYU", 64, 32)
    kernel.add(frame: 64 * 32 * 2)
    kernel.add(frame: 100)
    let source = kernel.source()
    #expect(try source.start(order(.photo)).format == .yu12)
    let frame = try #require(try source.next(within: 0))
    #expect((frame.format, frame.width, frame.bytes.count) == (.yu12, 64, 64 * 32 * 3 / 2))
    #expect(frame.bytes.allSatisfy { $0 == UInt8(ascii: "v") })
    #expect(try source.next(within: 0) == nil)
    #expect(source.damagedFrames == 1)
  }

  // MARK: Frames

  @Test("a frame's time is the driver's where it counts as we do, and ours where it does not")
  func time() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(frame: 10, flags: monotonic, seconds: 12, microseconds: 345_678)
    kernel.add(frame: 10, flags: copied, seconds: 99)
    let source = kernel.source()
    _ = try source.start(order(.photo))
    kernel.clock.monotonic = 20_000
    #expect(try source.next(within: 0)?.time == 12_345_678)
    #expect(try source.next(within: 0)?.time == 20_000_000)
    #expect(try source.next(within: 0) == nil)
  }

  @Test("damaged and empty buffers are no frames; they are counted, and go back to the driver")
  func damage() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(frame: 10, flags: damaged)
    kernel.add(frame: 0)
    for _ in 0..<4 { kernel.add(frame: 10) }
    let source = kernel.source()
    _ = try source.start(order(.photo))
    #expect(try source.next(within: 0) == nil)
    #expect(try source.next(within: 0) == nil)
    for _ in 0..<4 { #expect(try source.next(within: 0)?.bytes.count == 10) }
    #expect(source.damagedFrames == 2)
  }

  @Test("a photo of large frames takes two buffers and maps one, all else more, and the driver may ask for more")
  func buffers() throws {
    kernel.add("YUYV", 640, 480)
    let source = kernel.source()
    _ = try source.start(order(.photo))
    #expect(kernel.camera.pointee.asked_buffers == Budget.cameraBuffers)
    #expect(kernel.mappings == Budget.cameraBuffers)
    kernel.camera.pointee.image_bytes = UInt32(Budget.largeFrameBytes + 4096)
    _ = try source.start(order(.photo))
    #expect(kernel.camera.pointee.asked_buffers == Budget.photoBuffers)
    #expect(kernel.mappings == 0)
    for _ in 0..<3 { kernel.add(frame: 10) }
    for _ in 0..<3 {
      #expect(try source.next(within: 0)?.bytes.count == 10)
      #expect(kernel.mappings == 1)
    }
    _ = try source.start(order(.clip))
    #expect(kernel.camera.pointee.asked_buffers == Budget.cameraBuffers)
    #expect(kernel.mappings == Budget.cameraBuffers)
    kernel.camera.pointee.image_bytes = UInt32(FakeKernel.imageBytes)
    kernel.camera.pointee.least_buffers = 6
    _ = try source.start(order(.photo))
    #expect(kernel.camera.pointee.queued == 6)
    kernel.camera.pointee.image_bytes = UInt32(Budget.cameraFrameBytes + 1)
    #expect(failure { () throws(CameraError) in _ = try source.start(order(.photo)) } == "unsupportedFormat")
  }

  @Test(
    "what ends a stream, at once or the second time, is told by what to do next",
    arguments: [
      (Errno.noSuchDevice, 1, "disconnected"), (.inputOutput, 2, "disconnected"), (.brokenPipe, 1, "stalled"),
      (.invalidArgument, 2, "io"),
    ])
  func end(reason: Errno, times: Int, expected: String) throws {
    kernel.add("YUYV", 640, 480)
    for _ in 0..<times { kernel.add(frame: 10, refusal: reason) }
    kernel.add(frame: 10)
    let source = kernel.source()
    _ = try source.start(order(.photo))
    for _ in 1..<times { #expect(try source.next(within: 0) == nil) }
    #expect(failure { () throws(CameraError) in _ = try source.next(within: 0) } == expected)
    source.stop()
    #expect(kernel.openFiles == 0 && kernel.camera.pointee.is_streaming == 0)
    _ = try source.start(order(.photo))
    #expect(try source.next(within: 0) != nil)
  }

  @Test("an input without a signal is reported at the start, and when the stream ends for it")
  func signal() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(frame: 10, refusal: .brokenPipe)
    let source = kernel.source()
    kernel.camera.pointee.input_status = noSignal
    #expect(failure { () throws(CameraError) in _ = try source.start(order(.photo)) } == "noSignal")
    kernel.camera.pointee.input_status = 0
    _ = try source.start(order(.photo))
    kernel.camera.pointee.input_status = noSignal
    #expect(failure { () throws(CameraError) in _ = try source.next(within: 0) } == "noSignal")
  }

  @Test("while no frames come, the input is asked for its signal now and then")
  func lostSignal() throws {
    kernel.add("YUYV", 640, 480)
    let source = kernel.source()
    _ = try source.start(order(.photo))
    kernel.camera.pointee.input_status = noSignal
    kernel.clock.monotonic += Budget.cameraSignalMilliseconds - 1
    #expect(try source.next(within: 0) == nil)
    kernel.clock.monotonic += 1
    #expect(failure { () throws(CameraError) in _ = try source.next(within: 0) } == "noSignal")
    kernel.camera.pointee.input_status = 0
    kernel.clock.monotonic += Budget.cameraSignalMilliseconds
    #expect(try source.next(within: 0) == nil)
  }

  @Test("no more formats, sizes and rates are looked at than the budget allows")
  func endless() throws {
    kernel.add("YUYV", 640, 480)
    tl_interpose_device(
      { context, fd, request, argument in
        // VIDIOC_ENUM_FMT, _FRAMESIZES and _FRAMEINTERVALS answer every index with that of the first.
        if [2, 74, 75].contains(request & 0xFF), let argument { argument.storeBytes(of: UInt32(0), as: UInt32.self) }
        return fake_camera_ioctl(context, fd, request, argument)
      }, kernel.camera)
    var count = 0
    let (_, chosen) = try kernel.source().modes(for: order(.photo)) { offer, _ in
      count += 1
      if count == 1 { #expect(offer.rateCount == Budget.cameraRates) }
    }
    #expect(count == Budget.cameraFormats * Budget.cameraModes)
    #expect(chosen?.width == 640)
  }

  // MARK: Failures

  @Test("whichever call is refused, nothing stays open or streams, and the next start works")
  func torture() throws {
    kernel.add("pRAA", 640, 480)
    kernel.add(TL_EXPOSURE, "Exposure", 4...1000, isPart: true)
    kernel.add(TL_ANALOGUE_GAIN, "Analogue Gain", 0...232, isPart: true)
    kernel.addSensor("imx219 10-0010")
    let source = kernel.source()
    kernel.calls = 0
    _ = try source.start(order(.photo))
    #expect(kernel.mappings > 0)
    source.stop()
    let count = kernel.calls
    #expect(count > 30)
    var refusals = 0
    for index in 0..<count {
      kernel.calls = 0
      kernel.refused = (index, .invalidArgument)
      if failure({ () throws(CameraError) in _ = try source.start(order(.photo)) }) != "none" { refusals += 1 }
      source.stop()
      kernel.refused = nil
      #expect(kernel.openFiles == 0 && kernel.mappings == 0, "after call \(index)")
      #expect(failure { () throws(CameraError) in _ = try source.start(order(.photo)) } == "none")
      source.stop()
    }
    // These are about /dev itself. Others cost nothing: the camera is asked once more.
    #expect((1..<6).contains(refusals))
  }

  @Test("a driver that ends in the middle of a stream leaves nothing open")
  func ending() throws {
    kernel.add("YUYV", 640, 480)
    do {
      let source = kernel.source()
      _ = try source.start(order(.clip))
      #expect(kernel.openFiles == 1)
    }
    #expect(kernel.openFiles == 0 && kernel.mappings == 0)
  }

  // MARK: Axes

  @Test("pan, tilt and zoom are the camera's controls; it is moved without being streamed from")
  func axes() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_PAN_ABSOLUTE, "Pan, Absolute", -36_000...36_000, step: 3600, home: 0)
    kernel.add(TL_ZOOM_ABSOLUTE, "Zoom, Absolute", 100...500, home: 100)
    let (source, device) = (kernel.source(), CameraText(cutting: "usb-fake-1.2"))
    try source.move(.pan, of: device, to: 7200)
    let axes = try source.axes(of: device)
    let range = ControlRange(minimum: -36_000, maximum: 36_000, step: 3600)
    #expect(axes.pan == AxisState(value: 7200, range: range, home: 0))
    #expect(axes.zoom?.value == 100 && axes.zoom?.home == 100)
    #expect(axes.tilt == nil)
    #expect(failure { () throws(CameraError) in try source.move(.tilt, of: device, to: 0) } == "noAxis")
    #expect(failure { () throws(CameraError) in try source.move(.zoom, of: device, to: 501) } == "io")
    let other = CameraText(cutting: "/dev/video4")
    #expect(failure { () throws(CameraError) in _ = try source.axes(of: other) } == "unknownDevice")
    #expect(kernel.openFiles == 0)
  }
}
