import CLinux
import Camera
import Runtime
import Testing

@testable import Board

struct CameraModeTests {
  private func mode(_ code: StaticString, _ width: Int, _ height: Int) throws -> V4L2Mode {
    let bytes = code.bytes
    let fourcc = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[$1]) << UInt32(8 * $1) }
    let (across, down) = (UInt32(width), UInt32(height))
    let sizes = tl_video_sizes(
      least_width: across, most_width: across, step_width: 0, least_height: down, most_height: down,
      step_height: 0)
    return V4L2Mode(index: try #require(V4L2Format.index(of: fourcc)), sizes, 1)
  }

  private func best(_ modes: [V4L2Mode], wanted: Int) -> String {
    let best = modes.reduce(modes[0]) { $1.isBetter(than: $0, wanted: wanted) ? $1 : $0 }
    return "\(V4L2Format.all[best.index].format) \(best.width)x\(best.height)"
  }

  @Test(
    "the smallest size that is wide enough is taken, else the widest; JPEG when large, plain when small",
    arguments: [
      (1600, "mjpeg 1920x1080"), (1920, "mjpeg 1920x1080"), (4000, "mjpeg 1920x1080"),
      (1000, "mjpeg 1280x720"),
      (640, "yuyv 640x480"), (500, "yuyv 640x480"), (2, "yuyv 320x240"),
    ])
  func choice(wanted: Int, expected: String) throws {
    let modes = try [
      mode("YUYV", 640, 480), mode("YUYV", 640, 360), mode("YUYV", 320, 240), mode("YUYV", 1280, 720),
      mode("MJPG", 640, 480), mode("MJPG", 1280, 720), mode("MJPG", 1920, 1080),
    ]
    #expect(best(modes, wanted: wanted) == expected)
    #expect(best(modes.reversed(), wanted: wanted) == expected)
  }

  @Test(
    "from a range, the least width that is enough is taken, in the shape of the largest size",
    arguments: [(1600, 1600, 912), (1601, 1616, 912), (10, 64, 64), (9000, 4096, 2304)])
  func range(wanted: Int, width: Int, height: Int) {
    let sizes = tl_video_sizes(
      least_width: 64, most_width: 4096, step_width: 16, least_height: 64, most_height: 2304, step_height: 16)
    let mode = V4L2Mode(index: 0, sizes, wanted)
    #expect((mode.width, mode.height) == (width, height))
  }

  @Test("a frame above the budget is not chosen")
  func budget() throws {
    #expect(try mode("YUYV", 3840, 2160).isUsable)
    #expect(try !mode("YUYV", 3842, 2160).isUsable)
    #expect(try !mode("RGB3", 3840, 2160).isUsable)
    #expect(try !mode("NV12", 0, 0).isUsable)
  }

  @Test("a range without sense does no harm")
  func senseless() {
    let most = UInt32.max
    for sizes in [
      tl_video_sizes(),
      tl_video_sizes(
        least_width: most, most_width: 1, step_width: 0, least_height: most, most_height: 0, step_height: most
      ),
      tl_video_sizes(
        least_width: most, most_width: most, step_width: most, least_height: most, most_height: most,
        step_height: most),
    ] {
      #expect(!V4L2Mode(index: 4, sizes, 1600).isUsable)
    }
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
