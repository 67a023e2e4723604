import Testing

@testable import Camera

struct AutoExposureTests {
  /// A sensor of Raspberry Pi's, and a scene in front of it.
  private struct Bench {
    /// Brightness of the parts of the scene, of equal size: light per line at the least gain, 1 is full exposure.
    let scene: [Double]
    let law: GainLaw
    let delay: Int
    var made: [ExposureSetting]

    init(_ scene: [Double], _ law: GainLaw, delay: Int, first: ExposureSetting) {
      (self.scene, self.law, self.delay) = (scene, law, delay)
      made = Array(repeating: first, count: delay)
    }

    /// The next frame of a sensor that is set to `setting`.
    mutating func frame(_ setting: ExposureSetting) -> FrameStatistics {
      made.append(setting)
      let used = made[made.count - 1 - delay]
      let light = Double(used.lines) * law.factor(used.gain)
      let seen = scene.map { min($0 * light, 1) }
      var result = FrameStatistics()
      result.luma = Int(seen.reduce(0, +) / Double(seen.count) * 4095)
      result.clipped = seen.filter { $0 >= 0.98 }.count * 1000 / seen.count
      return result
    }
  }

  private static let lines = ControlRange(minimum: 4, maximum: 1763)
  private static let gain = ControlRange(minimum: 0, maximum: 232)

  /// Frames until it settles, the last frame, and the setting.
  private func settle(
    _ scene: [Double], delay: Int, law: GainLaw = .reciprocal(full: 256), gain: ControlRange = gain
  ) -> (frames: Int, last: FrameStatistics, setting: ExposureSetting) {
    var exposure = AutoExposure(lines: Self.lines, gain: gain, law: law, delay: delay)
    var bench = Bench(scene, law, delay: delay, first: exposure.setting)
    for count in 1...30 {
      let frame = bench.frame(exposure.setting)
      let setting = exposure.add(frame)
      if exposure.isSettled { return (count, frame, setting) }
    }
    return (99, FrameStatistics(), exposure.setting)
  }

  /// Means that full exposure at the middle setting would give, from far too dark to far too bright.
  private static let brightness = [0.004, 0.01, 0.03, 0.1, 0.165, 0.3, 1, 3, 8]

  @Test("an even scene is as bright as wanted within eight frames", arguments: brightness, [0, 1, 2])
  func even(brightness: Double, delay: Int) {
    let middle = AutoExposure(lines: Self.lines, gain: Self.gain, law: .reciprocal(full: 256))
    let light = Double(middle.setting.lines)
    #expect(middle.setting.gain == 0)
    let (frames, last, _) = settle([brightness / light], delay: delay)
    #expect(frames <= 8)
    #expect(abs(last.luma - AutoExposure.target) <= AutoExposure.target / 9)
  }

  @Test(
    "scenes with lights and shadows settle within eight frames, with few lights lost", arguments: [0, 1, 2])
  func contrast(delay: Int) {
    // A window in a dark room, a dark thing in the snow, a lamp at night.
    let scenes: [[Double]] = [
      Array(repeating: 0.02, count: 70) + Array(repeating: 1.0, count: 30),
      Array(repeating: 2.0, count: 90) + Array(repeating: 0.05, count: 10),
      Array(repeating: 0.004, count: 98) + Array(repeating: 4.0, count: 2),
    ]
    for scene in scenes {
      let (frames, last, _) = settle(scene.map { $0 / 200 }, delay: delay)
      #expect(frames <= 8)
      #expect(last.clipped <= 300 && last.luma >= AutoExposure.target / 3)
    }
  }

  @Test(
    "more light than the least setting stands, or less than the most one needs, settles at the end of the range"
  )
  func limits() {
    let bright = settle([2], delay: 2)
    #expect(bright.frames <= 8)
    #expect(bright.setting.lines == 4 && bright.setting.gain < 16)
    let dark = settle([1e-9], delay: 2)
    #expect(dark.frames <= 8)
    #expect(dark.setting.lines == 1763 && dark.setting.gain > 228)
  }

  @Test("lines come before gain, and both keep to their steps")
  func order() {
    let gain = ControlRange(minimum: 16, maximum: 1023, step: 2)
    let law = GainLaw.linear(one: 16)
    #expect(settle([676 / 4095.0 / 1000], delay: 2, law: law, gain: gain).setting.gain == 16)
    let dim = settle([676 / 4095.0 / 8000], delay: 2, law: law, gain: gain).setting
    #expect(dim.lines == 1763 && dim.gain % 2 == 0)
    #expect(abs(Double(dim.gain) / 16 * 1763 / 8000 - 1) <= 0.12)
  }

  @Test(
    "a gain that nobody knows how to count stays at its least, and one that begins above 0 counts in proportion"
  )
  func unknownGain() {
    var dark = FrameStatistics()
    dark.luma = 5
    for (least, isUsed) in [(0, false), (16, true)] {
      let gain = ControlRange(minimum: least, maximum: 240)
      var exposure = AutoExposure(lines: Self.lines, gain: gain, law: nil, delay: 0)
      for _ in 0..<8 { _ = exposure.add(dark) }
      // The end of the range, but for the last step, which is too small to be worth it.
      #expect(exposure.setting.lines >= 1640)
      #expect(isUsed ? exposure.setting.gain >= 223 : exposure.setting.gain == 0)
      #expect(exposure.isSettled)
    }
  }

  @Test("a steady scene leaves the setting alone, and a change of light starts again")
  func changes() {
    var exposure = AutoExposure(lines: Self.lines, gain: Self.gain, law: .reciprocal(full: 256))
    var frame = FrameStatistics()
    frame.luma = AutoExposure.target
    let first = exposure.setting
    for _ in 0..<10 {
      let setting = exposure.add(frame)
      #expect(setting == first)
    }
    #expect(exposure.isSettled)
    frame.luma = AutoExposure.target / 4
    let longer = exposure.add(frame)
    #expect(longer.lines > first.lines)
    #expect(!exposure.isSettled)
  }

  @Test("gain laws are those of the sensors, forth and back")
  func laws() {
    #expect(Sensor.imx219.gainLaw?.factor(232) == 256.0 / 24)
    #expect(Sensor.imx477.gainLaw?.factor(512) == 2)
    #expect(Sensor.ov5647.gainLaw?.factor(40) == 2.5)
    for law in [GainLaw.linear(one: 16), .reciprocal(full: 256), .reciprocal(full: 1024)] {
      for value in 16...232 { #expect(law.value(law.factor(value)) == value) }
    }
  }

  @Test("controls that make no sense do no harm")
  func nonsense() {
    for (least, most) in [(0, 0), (5, -5), (0, Int(Int32.max)), (-8, 8)] {
      let range = ControlRange(minimum: least, maximum: most, step: 0)
      var exposure = AutoExposure(lines: range, gain: range, law: .reciprocal(full: 256), delay: 99)
      for luma in [0, 4095, 600] {
        var frame = FrameStatistics()
        frame.luma = luma
        let setting = exposure.add(frame)
        #expect((range.minimum...range.maximum).contains(setting.lines))
        #expect((range.minimum...range.maximum).contains(setting.gain))
      }
    }
  }
}

struct SteadyFramesTests {
  private func frame(_ luma: Int, red: Int = 1000, blue: Int = 1000) -> FrameStatistics {
    var result = FrameStatistics()
    (result.luma, result.red, result.green, result.blue) = (luma, red, 1000, blue)
    return result
  }

  @Test("three frames alike are steady, two are not")
  func three() {
    var steady = SteadyFrames()
    let seen = [2000, 2010, 1995, 2005, 2005].map { steady.add(frame($0)) }
    #expect(seen == [false, false, true, true, true])
  }

  @Test("brightness that still changes is not steady, until it stays")
  func brightness() {
    var steady = SteadyFrames()
    let seen = [500, 700, 900, 1100, 1110, 1105, 1100].map { steady.add(frame($0)) }
    #expect(seen == [false, false, false, false, false, true, true])
  }

  @Test("white balance that still changes is not steady")
  func colors() {
    var steady = SteadyFrames()
    let reds = [1000, 1100, 1200, 1300, 1400].map { steady.add(frame(2000, red: $0)) }
    let blues = [1000, 900, 800, 700].map { steady.add(frame(2000, red: 1400, blue: $0)) }
    #expect(!(reds + blues).contains(true))
    let still = [700, 700].map { steady.add(frame(2000, red: 1400, blue: $0)) }
    #expect(still == [false, true])
  }

  @Test("a lens cap is steady, whatever colour its noise has")
  func dark() {
    var steady = SteadyFrames()
    let seen = [1, 9, 4].map { noise -> Bool in
      var frame = FrameStatistics()
      (frame.luma, frame.red, frame.green, frame.blue) = (noise, noise, 5, 10 - noise)
      return steady.add(frame)
    }
    #expect(seen == [false, false, true])
  }

  @Test("warm-up ends when the camera has settled, or when its time has passed")
  func warmUp() {
    var early = WarmUp(until: 1000)
    let calm = [0, 33, 66].map { early.isOver(frame(2000), at: $0) }
    #expect(calm == [false, false, true])
    var late = WarmUp(until: 1000)
    let restless = [0, 500, 999, 1000].map { late.isOver(frame(Int($0)), at: $0) }
    #expect(restless == [false, false, false, true])
    var exposed = WarmUp(until: 1000)
    let controlled = [0, 33, 66, 99].map { exposed.isOver(frame(2000), at: $0, isExposed: $0 > 90) }
    #expect(controlled == [false, false, false, true])
  }
}
