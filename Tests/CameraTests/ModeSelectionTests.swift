import Runtime
import Testing

@testable import Camera

struct ModeSelectionTests {
  private static let formats: [String: PixelFormat] = [
    "H264": .h264, "MJPG": .mjpeg, "YUYV": .yuyv, "NV12": .nv12, "RGB3": .rgb24, "GREY": .gray,
    "pRAA": .bayer(.rggb, .bits10Packed), "RG10": .bayer(.rggb, .bits10), "RGGB": .bayer(.rggb, .bits8),
  ]

  /// Of "YUYV 640x480 30": a format, a size and a rate, which may be missing.
  private static func offer(_ text: String) -> CameraOffer {
    let words = text.split(separator: " ")
    let sides = words[1].split(separator: "x").map { Int($0)! }
    let code = FourCC(Array(words[0].utf8).span)
    var offer = CameraOffer(
      code: code, format: formats[String(words[0])], width: .init(least: sides[0], most: sides[0]),
      height: .init(least: sides[1], most: sides[1]))
    for rate in words.dropFirst(2) { offer.add(rate: Int(Double(rate)! * 1000)) }
    return offer
  }

  private func name(_ mode: CameraMode) -> String {
    let code = String(decoding: (0..<4).map { mode.code.character($0) }, as: UTF8.self)
    return "\(code) \(mode.width)x\(mode.height)" + (mode.rate > 0 ? " \(mode.rate / 1000)" : "")
  }

  /// The best of the offers, whatever their order.
  private func best(_ offers: [String], _ selection: ModeSelection) -> String? {
    func best(_ offers: [String]) -> String? {
      let modes = offers.compactMap { selection.mode(of: Self.offer($0)) }
      guard let first = modes.first else { return nil }
      return name(modes.reduce(first) { selection.prefers($1, to: $0) ? $1 : $0 })
    }
    let forward = best(offers)
    #expect(forward == best(offers.reversed()))
    return forward
  }

  private func selection(
    _ purpose: StreamOrder.Purpose, _ width: Int, _ rate: Int = 0, _ orientation: Orientation = Orientation()
  ) -> ModeSelection {
    ModeSelection(StreamOrder(device: nil, purpose: purpose, width: width, rate: rate * 1000), orientation)
  }

  /// What a webcam of USB 2 offers.
  private let webcam = [
    "YUYV 640x480 30 15", "YUYV 640x360 30", "YUYV 320x240 30", "YUYV 1280x720 10 5", "YUYV 1920x1080 5",
    "MJPG 640x480 30", "MJPG 1280x720 30 15", "MJPG 1920x1080 30",
  ]

  @Test(
    "for a photo the smallest size that is wide enough is taken, else the widest; JPEG when large, plain when small",
    arguments: [
      (1600, "MJPG 1920x1080 30"), (1920, "MJPG 1920x1080 30"), (4000, "MJPG 1920x1080 30"),
      (1000, "MJPG 1280x720 30"), (640, "YUYV 640x480 30"), (500, "YUYV 640x480 30"), (2, "YUYV 320x240 30"),
    ])
  func photo(width: Int, expected: String) {
    #expect(best(webcam, selection(.photo, width)) == expected)
  }

  @Test(
    "for a clip what is wide and fast enough comes first, then the smallest size, then what is cheap to encode",
    arguments: [
      (640, 30, "YUYV 640x360 30"), (640, 15, "YUYV 640x360 30"), (1280, 10, "YUYV 1280x720 10"),
      (1280, 30, "MJPG 1280x720 30"), (1280, 12, "MJPG 1280x720 15"), (4000, 30, "MJPG 1920x1080 30"),
      (640, 60, "YUYV 640x360 30"),
    ])
  func clip(width: Int, rate: Int, expected: String) {
    #expect(best(webcam, selection(.clip, width, rate)) == expected)
  }

  @Test(
    "H.264 is for clips alone, and there before all when it is wide and fast enough",
    arguments: [(640, 30, "H264 1280x720 30"), (1280, 30, "H264 1280x720 30"), (1920, 30, "MJPG 1920x1080 30")])
  func h264(width: Int, rate: Int, expected: String) {
    let offers = webcam + ["H264 1280x720 30", "H264 320x240 30", "H264 1920x1080 15"]
    #expect(best(offers, selection(.clip, width, rate)) == expected)
    #expect(best(["H264 1280x720 30"], selection(.photo, width)) == nil)
  }

  @Test("of a camera that hangs on its side the heights count; H.264 is turned by players, but not mirrored")
  func transposed() {
    let side = Orientation(quarters: 1)
    #expect(best(["H264 1280x720 30", "YUYV 1280x720 30"], selection(.clip, 640, 30, side)) == "H264 1280x720 30")
    #expect(best(webcam, selection(.photo, 700, 0, side)) == "MJPG 1280x720 30")
    #expect(best(webcam, selection(.photo, 1000, 0, side)) == "MJPG 1920x1080 30")
    #expect(best(["H264 640x480"], selection(.clip, 640, 0, Orientation(isMirrored: true))) == nil)
  }

  @Test("colours come before grays, finished pictures before raw ones, more bits before few")
  func cost() {
    let selection = selection(.photo, 640)
    let order = ["NV12", "YUYV", "RGB3", "MJPG", "pRAA", "RG10", "RGGB", "GREY"].map { "\($0) 640x480" }
    for first in order.indices.dropLast() {
      #expect(best(Array(order[first...]), selection) == order[first])
    }
  }

  @Test("an unknown format is used when there is a converter for it, and after all others")
  func foreign() {
    let order = StreamOrder(device: nil, purpose: .photo, width: 640)
    let selection = ModeSelection(order, Orientation(), takesForeign: { $0 == FourCC("PWC2") && $1.height == 480 })
    #expect(best(["PWC2 640x480", "XYZ1 640x480"], selection) == "PWC2 640x480")
    #expect(best(["PWC2 640x480", "GREY 640x480"], selection) == "GREY 640x480")
    #expect(best(["XYZ1 640x480"], selection) == nil)
    #expect(best(["PWC2 640x360"], selection) == nil)
    #expect(best(["PWC2 640x480"], self.selection(.photo, 640)) == nil)
  }

  @Test("a driver that does not say how fast it is gets the benefit of the doubt")
  func unknownRate() {
    #expect(best(["YUYV 640x480", "MJPG 640x480 30"], selection(.clip, 640, 30)) == "YUYV 640x480")
    #expect(best(["YUYV 640x480 5", "YUYV 320x240"], selection(.clip, 640, 30)) == "YUYV 640x480 5")
  }

  @Test("one format or size alone may be wished for")
  func exact() {
    var selection = selection(.photo, 1600)
    selection.code = FourCC("YUYV")
    #expect(best(webcam, selection) == "YUYV 1920x1080 5")
    selection.size = FrameSize(width: 320, height: 240)
    #expect(best(webcam, selection) == "YUYV 320x240 30")
    selection.size = FrameSize(width: 322, height: 240)
    #expect(best(webcam, selection) == nil)
  }

  @Test(
    "from a range, the least size that is enough is taken, in the shape of the largest",
    arguments: [(1600, 1600, 912), (1601, 1616, 912), (10, 64, 64), (9000, 4096, 2304)])
  func range(wanted: Int, width: Int, height: Int) {
    let offer = CameraOffer(
      code: FourCC("NV12"), format: .nv12, width: .init(least: 64, most: 4096, step: 16),
      height: .init(least: 64, most: 2304, step: 16))
    #expect(selection(.photo, wanted).size(of: offer) == FrameSize(width: width, height: height))
    let onSide = selection(.photo, wanted, 0, Orientation(quarters: 3)).size(of: offer)
    #expect(onSide.height >= min(wanted, 2304) && onSide.height < max(wanted, 64) + 16)
  }

  @Test(
    "from a range of rates, the one that is wanted is taken, or the nearest end",
    arguments: [
      (0, 60_000), (1, 5_000), (25_000, 25_000), (90_000, 60_000),
    ])
  func rateRange(wanted: Int, expected: Int) {
    var offer = Self.offer("YUYV 640x480 60 5")
    offer.isRateRange = true
    #expect(offer.rate(for: wanted) == expected)
  }

  @Test("a frame above the budget is not chosen")
  func budget() {
    func isUsable(_ text: String) -> Bool { selection(.photo, 1600).mode(of: Self.offer(text)) != nil }
    #expect(isUsable("YUYV 3840x2160"))
    #expect(!isUsable("YUYV 3844x2160"))
    #expect(!isUsable("RGB3 3840x2160"))
    #expect(!isUsable("NV12 \(Budget.cameraSidePixels + 2)x16"))
    #expect(!isUsable("NV12 0x0"))
    #expect(!isUsable("RGGB 2x2"))
  }

  @Test("sizes and steps without sense do no harm")
  func senseless() {
    let numbers = [Int.min, -1, 0, 1, 65_535, Int.max]
    for least in numbers {
      for most in numbers {
        for step in numbers {
          let side = CameraOffer.Side(least: least, most: most, step: step)
          let offer = CameraOffer(code: FourCC("YUYV"), format: .yuyv, width: side, height: side)
          let size = selection(.photo, 1600).size(of: offer)
          #expect((0...65_535).contains(size.width) && (0...65_535).contains(size.height))
        }
      }
    }
  }

  @Test("no more rates are kept than there is room for")
  func rates() {
    var offer = Self.offer("YUYV 640x480")
    for rate in 1...Budget.cameraRates + 1 { offer.add(rate: rate) }
    #expect(offer.rateCount == Budget.cameraRates)
    #expect(offer.rate(for: 0) == Budget.cameraRates)
  }

  @Test("a code is four characters, and what cannot be shown is a question mark")
  func code() {
    #expect(FourCC("YUYV").value == 0x5659_5559)
    #expect(FourCC("Y10") == FourCC("Y10 "))
    #expect(FourCC(0x8020_3631).character(3) == UInt8(ascii: "?"))
    #expect(FourCC(0xB631_3659 | 1 << 31).character(0) == UInt8(ascii: "Y"))
  }
}
