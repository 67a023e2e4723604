import CFakeCamera
import CLinux
import Camera
import Runtime
import Testing

@testable import Board

/// What the driver does with controls: those of the configuration, of bare sensors and of encoders.
struct V4L2ControlTests {
  private let kernel = FakeKernel()
  private let photo = StreamOrder(device: nil, purpose: .photo, width: 640)

  private func settings(_ change: (inout CameraControls) -> Void) -> CameraSettings {
    var settings = CameraSettings()
    change(&settings.controls)
    return settings
  }

  private func mismatches(_ facts: StreamFacts) -> [String] {
    (0..<facts.mismatches.count).map { index in
      let complaint = facts.mismatches[index]
      let name = complaint.name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      return switch complaint.reason {
      case .missing: "\(name) missing"
      case .locked: "\(name) locked"
      case .refused(let reason): "\(name) refused \(reason.number)"
      case .differs(let value, let wanted): "\(name) \(value), not \(wanted)"
      }
    }
  }

  // MARK: Configuration

  @Test("controls are set as the configuration says, and switches before what they free")
  func applied() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_EXPOSURE_AUTO, "Auto Exposure", 1...3, step: 2, home: 3)
    kernel.add(TL_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute", 1...5000, home: 157)
    kernel.add(TL_AUTOGAIN, "Gain, Automatic", 0...1)
    kernel.add(TL_AUTO_WHITE_BALANCE, "White Balance, Automatic", 0...1, home: 1)
    kernel.add(TL_WHITE_BALANCE_TEMPERATURE, "White Balance Temperature", 2800...6500, home: 4600)
    kernel.add(TL_FOCUS_AUTO, "Focus, Automatic Continuous", 0...1)
    kernel.add(TL_POWER_LINE_FREQUENCY, "Power Line Frequency", 0...2)
    kernel.add(TL_ZOOM_ABSOLUTE, "Zoom, Absolute", 100...500, home: 100)
    let source = kernel.source(
      settings { controls in
        controls.exposure = .value(300)
        controls.gain = .automatic
        controls.whiteBalance = .value(5000)
        controls.focus = .automatic
        controls.powerLine = .hertz50
        _ = controls.add(NamedControl(name: CameraText(cutting: "zoom_absolute"), value: 200))
      })
    #expect(try mismatches(source.start(photo)) == [])
    #expect(kernel.value(TL_EXPOSURE_AUTO) == 1 && kernel.value(TL_EXPOSURE_ABSOLUTE) == 300)
    #expect(kernel.value(TL_AUTOGAIN) == 1 && kernel.value(TL_FOCUS_AUTO) == 1)
    #expect(kernel.value(TL_AUTO_WHITE_BALANCE) == 0 && kernel.value(TL_WHITE_BALANCE_TEMPERATURE) == 5000)
    #expect(kernel.value(TL_POWER_LINE_FREQUENCY) == 1 && kernel.value(TL_ZOOM_ABSOLUTE) == 200)
  }

  @Test("automatic exposure is whichever of the two kinds the camera has")
  func automatic() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_EXPOSURE_AUTO, "Auto Exposure", 1...3, step: 2, home: 1)
    let source = kernel.source(settings { $0.exposure = .automatic })
    #expect(try mismatches(source.start(photo)) == [])
    #expect(kernel.value(TL_EXPOSURE_AUTO) == 3)
  }

  @Test("what a camera does not take is said once each, and keeps it from nothing")
  func mismatches() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute", 1...250)
    kernel.add(TL_GAIN, "Gain", 0...100, step: 10)
    kernel.add(TL_POWER_LINE_FREQUENCY, "Power Line Frequency", 0...2, refusal: .busy)
    let source = kernel.source(
      settings { controls in
        controls.exposure = .value(300)
        controls.gain = .value(15)
        controls.whiteBalance = .automatic
        controls.focus = .value(1)
        controls.powerLine = .hertz60
        _ = controls.add(NamedControl(name: CameraText(cutting: "sharpness"), value: 1))
      })
    #expect(
      try mismatches(source.start(photo)) == [
        "exposure_time_absolute 250, not 300", "gain 10, not 15", "white_balance_automatic missing",
        "focus_absolute missing", "power_line_frequency refused 16", "sharpness missing",
      ])
    #expect(try source.start(photo).mismatches.count == 6)
  }

  @Test("a control that the driver has locked is told as such, and so in the list")
  func locked() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_EXPOSURE_AUTO, "Auto Exposure", 1...3, flags: TL_CONTROL_GRABBED)
    kernel.add(TL_GAIN, "Gain", 0...100, flags: TL_CONTROL_GRABBED)
    kernel.add(TL_FOCUS_ABSOLUTE, "Focus, Absolute", 0...100, refusal: .busy)
    let source = kernel.source(
      settings { controls in
        controls.exposure = .automatic
        controls.gain = .value(15)
        controls.focus = .value(15)
      })
    #expect(
      try mismatches(source.start(photo)) == [
        "auto_exposure locked", "gain locked", "focus_absolute refused 16",
      ])
    source.stop()
    var locked: [Bool] = []
    try source.controls(of: nil) { locked.append($0.isLocked) }
    #expect(locked.filter { $0 }.count == 2 && locked.count == 3)
  }

  // MARK: Sensors

  private func addSensor(pixelRate: Int64 = 0) {
    kernel.add("RG10", 640, 480)
    kernel.add(frame: 100)
    kernel.addSensor("imx219 10-0010")
    kernel.add(TL_EXPOSURE, "Exposure", 4...1763, isPart: true)
    kernel.add(TL_ANALOGUE_GAIN, "Analogue Gain", 0...232, isPart: true)
    kernel.add(TL_HBLANK, "Horizontal Blanking", 168...168, home: 168, isPart: true)
    kernel.camera.pointee.pixel_rate = pixelRate
  }

  @Test("a bare sensor is found among the parts of the camera, and told how to expose")
  func sensor() throws {
    addSensor()
    let source = kernel.source()
    let exposure = try #require(try source.start(photo).exposure)
    #expect(exposure.lines == ControlRange(minimum: 4, maximum: 1763))
    #expect(exposure.gain == ControlRange(minimum: 0, maximum: 232))
    #expect(exposure.law == .reciprocal(full: 256))
    #expect(try source.next(within: 0)?.sensor == .imx219)
    var setting = AutoExposure(lines: exposure.lines, gain: exposure.gain, law: exposure.law).setting
    (setting.lines, setting.gain) = (77, 99)
    try source.expose(setting)
    #expect(kernel.value(TL_EXPOSURE) == 77 && kernel.value(TL_ANALOGUE_GAIN) == 99)
    source.stop()
    #expect(kernel.openFiles == 0)
  }

  @Test("a sensor with a configured exposure gets it in lines, and nothing else")
  func configured() throws {
    addSensor(pixelRate: 8_080_000)
    let source = kernel.source(
      settings { controls in
        controls.exposure = .value(100)
        controls.gain = .value(64)
      })
    let facts = try source.start(photo)
    #expect(facts.exposure == nil && mismatches(facts) == [])
    // 10 ms at 808 pixels a line and 10,000 lines a second.
    #expect(kernel.value(TL_EXPOSURE) == 100 && kernel.value(TL_ANALOGUE_GAIN) == 64)
  }

  @Test(
    "a sensor whose exposure is locked gives photos with the one that it has", arguments: [Errno.busy, .inputOutput])
  func lockedSensor(reason: Errno) throws {
    kernel.add("RG10", 640, 480)
    kernel.add(frame: 100)
    kernel.addSensor("imx219 10-0010")
    kernel.add(TL_EXPOSURE, "Exposure", 4...1763, isPart: true, refusal: reason)
    kernel.add(TL_ANALOGUE_GAIN, "Analogue Gain", 0...232, isPart: true)
    let source = kernel.source()
    let exposure = try #require(try source.start(photo).exposure)
    do throws(CameraError) {
      try source.expose(AutoExposure(lines: exposure.lines, gain: exposure.gain, law: exposure.law).setting)
      Issue.record("it was set")
    } catch {
      // With this one the stream goes on.
      guard case .io(reason) = error else { throw error }
    }
    #expect(try source.next(within: 0) != nil)
  }

  @Test("one whose gain alone is configured keeps to it")
  func gain() throws {
    addSensor()
    let source = kernel.source(settings { $0.gain = .value(64) })
    #expect(try source.start(photo).exposure?.gain == ControlRange(minimum: 64, maximum: 64))
    #expect(kernel.value(TL_ANALOGUE_GAIN) == 64)
  }

  @Test("a sensor that does not say how fast it reads cannot be told a time")
  func unknownRate() throws {
    addSensor()
    let source = kernel.source(settings { $0.exposure = .value(100) })
    #expect(try mismatches(source.start(photo)) == ["pixel_rate missing"])
  }

  @Test("controls on the camera's own file come first, and the configured sensor counts")
  func ownControls() throws {
    kernel.add("RG10", 640, 480)
    kernel.add(frame: 100)
    kernel.add(TL_EXPOSURE, "Exposure", 1...500)
    kernel.add(TL_GAIN, "Gain", 16...255)
    var settings = CameraSettings()
    settings.sensor = .ov5647
    let source = kernel.source(settings)
    let exposure = try #require(try source.start(photo).exposure)
    #expect(exposure.gain == ControlRange(minimum: 16, maximum: 255) && exposure.law == .linear(one: 16))
    #expect(try source.next(within: 0)?.sensor == .ov5647)
  }

  // MARK: Clips

  @Test("H.264 for a clip comes with parameter sets and a key frame each second, at the rate that was asked for")
  func h264() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add("H264", 640, 480, rate: 25)
    kernel.add(TL_REPEAT_SEQ_HEADER, "Repeat Sequence Header", 0...1)
    kernel.add(TL_H264_I_PERIOD, "H264 I-Frame Period", 0...300)
    let source = kernel.source()
    let facts = try source.start(StreamOrder(device: nil, purpose: .clip, width: 640, rate: 20_000))
    #expect(facts.format == .h264 && facts.rate == 25_000)
    #expect(kernel.camera.pointee.rate == 25)
    #expect(kernel.value(TL_REPEAT_SEQ_HEADER) == 1 && kernel.value(TL_H264_I_PERIOD) == 25)
    #expect(try source.start(photo).format == .yuyv)
  }

  @Test("controls are listed for people, and set by name")
  func listing() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_GAIN, "Gain", 0...100, step: 10, home: 50)
    kernel.add(TL_ZOOM_ABSOLUTE, "Zoom, Absolute", 100...500, home: 100)
    let source = kernel.source()
    var wanted = CameraControls()
    _ = wanted.add(NamedControl(name: CameraText(cutting: "gain"), value: 70))
    #expect(try source.set(wanted, of: nil).count == 0)
    var seen: [String] = []
    try source.controls(of: nil) { control in
      let name = control.name.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      seen.append("\(name) \(control.value ?? -1) \(control.range.maximum) \(control.home)")
    }
    #expect(seen == ["gain 70 100 50", "zoom_absolute 100 500 100"])
    #expect(kernel.openFiles == 0)
  }

  @Test("no more controls are looked at than the budget allows")
  func endless() throws {
    kernel.add("YUYV", 640, 480)
    kernel.add(TL_GAIN, "Gain", 0...100)
    // A driver that never comes to its end: each id has one after it.
    tl_interpose_device(
      { context, fd, request, argument in
        let isQuery = request & 0xFF == 36  // VIDIOC_QUERYCTRL
        guard isQuery, let argument else { return fake_camera_ioctl(context, fd, request, argument) }
        let id = argument.assumingMemoryBound(to: UInt32.self)
        id.pointee = (id.pointee & 0x7FFF_FFFF) + 1
        argument.assumingMemoryBound(to: UInt32.self)[1] = TL_CONTROL_INTEGER
        return 0
      }, kernel.camera)
    var count = 0
    try kernel.source().controls(of: nil) { _ in count += 1 }
    #expect(count == Budget.cameraControls)
  }
}
