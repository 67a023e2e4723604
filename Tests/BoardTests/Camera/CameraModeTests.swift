import CLinux
import Camera
import Runtime
import Testing

@testable import Board

struct CameraModeTests {
  @Test("no code of the kernel stands twice in the table, and each format of the room has one")
  func formats() {
    var codes: Set<UInt32> = []
    var formats: [PixelFormat] = []
    for index in 0..<V4L2Format.all.count {
      #expect(codes.insert(V4L2Format.all[index].code.value).inserted)
      formats.append(V4L2Format.all[index].format)
      #expect(V4L2Format.format(of: V4L2Format.all[index].code) == formats.last)
    }
    let plain: [PixelFormat] = [
      .mjpeg, .h264, .yuyv, .uyvy, .nv12, .nv21, .yu12, .yv12, .rgb24, .bgr24, .gray, .y10,
    ]
    let raw = BayerOrder.allCases.flatMap { order in BayerPacking.allCases.map { PixelFormat.bayer(order, $0) } }
    for format in plain + raw { #expect(formats.contains(format)) }
    #expect(V4L2Format.format(of: FourCC("YVYU")) == nil)
  }

  @Test(
    "the time between frames becomes a rate",
    arguments: [(1, 30, 30_000), (1001, 30_000, 29_970), (2, 15, 7_500), (10, 1, 100), (0, 30, 0), (1, 0, 0)])
  func rate(numerator: UInt32, denominator: UInt32, expected: Int) {
    #expect(V4L2Device.rate(numerator, denominator) == expected)
  }

  @Test(
    "controls are called what v4l2-ctl calls them",
    arguments: [
      ("Exposure Time, Absolute", "exposure_time_absolute"), ("White Balance, Automatic", "white_balance_automatic"),
      ("  Power Line Frequency ", "power_line_frequency"), ("Gain", "gain"), ("LED1 Mode", "led1_mode"), ("--", ""),
    ])
  func names(kernel: String, expected: String) {
    #expect(V4L2Control.name(CameraText(cutting: kernel)) == CameraText(cutting: expected))
  }

  @Test(
    "an exposure time becomes lines of the sensor",
    arguments: [(100, 527), (1, 5), (0, 1), (Int.max, Int(Int32.max))])
  func lines(time: Int, expected: Int) {
    // 182.4 million pixels a second in lines of 3,448 and 12 (IMX219).
    #expect(V4L2Sensor.lines(time, pixelRate: 182_400_000, lineLength: 3_460) == expected)
  }

  @Test(
    "the kernel's refusals are told apart by what to do next",
    arguments: [
      (Errno.noSuchDevice, "disconnected"), (.inputOutput, "disconnected"), (.noSuchFile, "disconnected"),
      (.busy, "busy"), (.accessDenied, "noPermission"), (.notPermitted, "noPermission"), (.noSpace, "io"),
    ])
  func errors(reason: Errno, kind: String) {
    #expect(String(describing: V4L2Camera.error(reason)).hasPrefix(kind))
  }
}
