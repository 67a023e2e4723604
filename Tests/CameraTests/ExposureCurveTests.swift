import Runtime
import Testing

@testable import Camera

/// Warm-up against cameras that regulate exposure and white balance by curves of real sensors.
struct ExposureCurveTests {
  /// What a camera sends at a frame, with Y, red and blue as parts of their final values.
  private struct Curve: Sendable {
    let name: String
    let rate: Int
    /// True for a camera that begins to regulate with its first frame.
    var isGood = true
    let look: @Sendable (Double) -> (luma: Double, red: Double, blue: Double)
  }

  /// Brightness in 1/4095 that cameras regulate to.
  private static let target = 1900.0

  /// A brightness that begins at `start` and comes near 1 with the time constant `tau`, in seconds, after `pause`.
  private static func lag(_ start: Double, _ tau: Double, after pause: Double = 0) -> @Sendable (Double) -> Double {
    { time in time < pause ? start : 1 + (start - 1) * exp(-(time - pause) / tau) }
  }

  private static func exp(_ x: Double) -> Double {
    // (1 + x / 2^20) ^ (2^20), which is near enough for x of -100...0.
    var power = 1 + x / 1_048_576
    for _ in 0..<20 { power *= power }
    return power
  }

  private static func plain(
    _ name: String, rate: Int = 30, isGood: Bool = true, _ luma: @escaping @Sendable (Double) -> Double
  ) -> Curve {
    Curve(name: name, rate: rate, isGood: isGood) { (luma($0), 1, 1) }
  }

  private static let curves: [Curve] = [
    // Cameras that regulate at once.
    plain("settled from the first frame") { _ in 1 },
    plain("first order from dark", lag(0.05, 0.15)),
    plain("first order from bright", lag(2.1, 0.12)),
    plain("slow first order", lag(0.3, 0.35)),
    plain("steps of a stop, two frames each") { time in min(1, 0.125 * exp(0.693 * (time * 15).rounded(.down))) },
    plain("overshoot") { time in 1 + 0.9 * exp(-time / 0.2) * (time < 0.15 ? -1 : time < 0.4 ? 0.6 : -0.2) },
    plain("flicker of mains light") { time in 1 + (Int(time * 30) % 2 == 0 ? 0.008 : -0.008) },
    plain("15 frames a second", rate: 15, lag(0.1, 0.2)),
    Curve(name: "white balance after exposure", rate: 30) { time in
      (lag(0.2, 0.1)(time), lag(0.6, 0.25)(time), lag(1.5, 0.25)(time))
    },
    // Cameras that begin late.
    plain("8 black frames at 15 a second", rate: 15, isGood: false) { $0 < 0.53 ? 0 : 1 },
    plain("15 black frames", isGood: false) { $0 < 0.5 ? 0 : 1 },
    plain("15 burnt-out frames", isGood: false) { $0 < 0.5 ? 2.16 : 1 },
    plain("black frames with noise", isGood: false) { $0 < 0.9 ? 0.03 + 0.002 * Double(Int($0 * 30) % 3) : 1 },
    plain("black for nearly the whole delay", isGood: false) { $0 < 1.5 ? 0 : 1 },
    plain("burnt out, then from dark", isGood: false) { $0 < 0.4 ? 2.15 : lag(0.02, 0.15, after: 0.4)($0) },
    plain("black, then from bright", isGood: false) { $0 < 0.4 ? 0 : lag(2.1, 0.15, after: 0.4)($0) },
    plain("dim frames before it begins", isGood: false, lag(0.15, 0.1, after: 0.5)),
    plain("60 frames a second, from dark", rate: 60, isGood: false, lag(0.01, 0.2, after: 0.2)),
    plain("black, bright, and black again", isGood: false) { $0 < 0.2 ? 0 : $0 < 0.4 ? 2.15 : $0 < 0.6 ? 0 : 1 },
    Curve(name: "green until white balance begins", rate: 30, isGood: false) { $0 < 0.5 ? (0.8, 0.2, 0.2) : (1, 1, 1) },
  ]

  /// A try: the accepted look, and the milliseconds from the first frame to it, now and by the rule of three alike
  /// frames alone.
  private func attempt(
    _ curve: Curve, _ random: inout Seeded, delay: Int64 = 2000, start: Int64 = 0
  ) -> (frame: FrameStatistics, time: Int64, old: (exposure: FrameExposure, time: Int64)) {
    let renewal = WarmUp.Renewal(delay: delay, latest: start + 10_000)
    var warmUp = WarmUp(until: delay, rate: curve.rate * 1000, renewal)
    var steady = SteadyFrames()
    var accepted: (FrameStatistics, Int64)?
    var old: (FrameExposure, Int64)?
    let phase = Double(Int.random(in: 0..<1000, using: &random)) / 1000
    var number = 0
    while accepted == nil || old == nil {
      let time = (Double(number) + (number == 0 ? 0 : phase)) / Double(curve.rate)
      let now = start + Int64(time * 1000)
      let look = curve.look(time)
      let noise = Int.random(in: -6...6, using: &random)
      var frame = FrameStatistics()
      frame.luma = min(max(Int(look.luma * Self.target) + noise, 0), 4080)
      frame.clipped = look.luma * Self.target >= 4000 ? 1000 : 0
      let green = frame.clipped > 0 ? 0 : frame.luma
      (frame.red, frame.green, frame.blue) = (Int(Double(green) * look.red), green, Int(Double(green) * look.blue))
      if old == nil, steady.add(frame) || now >= delay { old = (frame.exposure(), now) }
      if accepted == nil, warmUp.isOver(frame, at: now) { accepted = (frame, now) }
      number += 1
    }
    return (accepted!.0, accepted!.1, old!)
  }

  @Test("of 200 tries on 20 curves no photo is black, burnt out, dim or green")
  func noneExtreme() {
    #expect(Self.curves.count == 20)
    var random = Seeded(46)
    for curve in Self.curves {
      for _ in 0..<10 {
        let (frame, time, _) = attempt(curve, &random)
        #expect(frame.exposure() == .right, "\(curve.name) after \(time) ms: \(frame)")
      }
    }
  }

  @Test("cameras that regulate at once are at most a tenth slower than by the rule of three alike frames alone")
  func delay() {
    var random = Seeded(47)
    var (sum, oldSum): (Int64, Int64) = (0, 0)
    for curve in Self.curves where curve.isGood {
      for _ in 0..<10 {
        let (_, time, old) = attempt(curve, &random)
        (sum, oldSum) = (sum + time, oldSum + old.time)
      }
    }
    #expect(oldSum > 0 && sum * 10 <= oldSum * 11)
  }

  @Test("the rule of three alike frames alone takes black and burnt-out photos of these curves")
  func curvesDiscriminate() {
    var random = Seeded(48)
    let wrong = Self.curves.filter { attempt($0, &random).old.exposure != .right }
    #expect(wrong.count > 8 && wrong.allSatisfy { !$0.isGood })
  }

  @Test("of cameras whose first frame comes after the delay no photo is black or burnt out")
  func lateStart() {
    var random = Seeded(49)
    for curve in Self.curves {
      for start in [2000, 2600] as [Int64] {
        let (frame, time, _) = attempt(curve, &random, start: start)
        #expect(!frame.exposure().isExtreme, "\(curve.name) after \(time) ms: \(frame)")
      }
    }
  }

  @Test("a late camera that shows nothing is waited for as long as the delay and the deadline allow")
  func lateAndDark() {
    for (delay, latest, expected) in [(2000, 9000, 4500), (2000, 3000, 3000), (2000, 1000, 2500), (0, 9000, 2500)] {
      var warmUp = WarmUp(
        until: Int64(delay), rate: 30_000, WarmUp.Renewal(delay: Int64(delay), latest: Int64(latest)))
      let accepted = stride(from: 2500, to: 9000, by: 100).first { warmUp.isOver(FrameStatistics(), at: Int64($0)) }
      #expect(accepted == expected && warmUp.exposure == .black)
    }
  }

  @Test("a scene that stays black or white is accepted when the time is over, and is known as that")
  func extremeScene() {
    for (luma, expected) in [(0, FrameExposure.black), (150, .black), (4080, .burntOut)] {
      var warmUp = WarmUp(until: 2000)
      var frame = FrameStatistics()
      (frame.luma, frame.red, frame.green, frame.blue) = (luma, luma, luma, luma)
      let early = stride(from: 0, to: 2000, by: 33).map { warmUp.isOver(frame, at: Int64($0)) }
      #expect(!early.contains(true))
      let isLast = warmUp.isOver(frame, at: 2000)
      #expect(isLast && warmUp.exposure == expected)
    }
  }

  @Test("a dim scene that stays so is accepted before the time is over")
  func dimScene() {
    var warmUp = WarmUp(until: 2000)
    var frame = FrameStatistics()
    (frame.luma, frame.red, frame.green, frame.blue) = (400, 400, 400, 400)
    let accepted = stride(from: 0, to: 2000, by: 33).first { warmUp.isOver(frame, at: Int64($0)) }
    #expect(accepted == 66 + 726)
  }

  @Test(
    "a scene of warm light is right at once, one whose red and blue are both weak or strong is doubted",
    arguments: [
      (100, 100, false), (220, 40, false), (40, 220, false), (60, 90, false), (290, 60, false), (310, 60, true),
      (150, 30, true), (45, 45, true), (45, 80, true), (20, 20, true), (240, 240, true), (210, 120, true),
    ])
  func colorCast(red: Int, blue: Int, isDoubtful: Bool) {
    var frame = FrameStatistics()
    (frame.luma, frame.red, frame.green, frame.blue) = (2000, 20 * red, 2000, 20 * blue)
    #expect((frame.exposure() == .doubtful) == isDoubtful)
    #expect(frame.exposure(isLinear: true) == .right)
  }

  @Test("raw frames are judged by light: middle gray is right, and what is exposed here may be dim")
  func raw() {
    var frame = FrameStatistics()
    frame.luma = AutoExposure.target
    #expect(frame.exposure(isLinear: true) == .right)
    frame.luma = 60
    #expect(frame.exposure(isLinear: true) == .doubtful)
    var warmUp = WarmUp(until: 2000)
    let seen = (0..<3).map { warmUp.isOver(frame, at: 33 * Int64($0), isExposed: true, isLinear: true) }
    #expect(seen == [false, false, true])
    frame.luma = 4
    #expect(frame.exposure(isLinear: true) == .black)
  }

  @Test("a fast camera's frames are compared for as long as those of a usual one", arguments: [30, 60, 90, 120])
  func fast(rate: Int) {
    var warmUp = WarmUp(until: 2000, rate: rate * 1000)
    var frame = FrameStatistics()
    (frame.luma, frame.red, frame.green, frame.blue) = (2000, 2000, 2000, 2000)
    let count = (0..<100).first { warmUp.isOver(frame, at: Int64($0 * 1000 / rate)) }! * 1000 / rate
    #expect((Int(WarmUp.leastMilliseconds)...Int(WarmUp.leastMilliseconds) + 12).contains(count))
  }
}
