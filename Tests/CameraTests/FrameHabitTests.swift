import Runtime
import Testing

@testable import Camera

/// What every frame of a camera lacks is that camera's way; what some lack is damage.
final class FrameHabitTests {
  private let picture = tinyJPEG(width: 64, height: 48)

  /// The frame's fault when it is refused, "accepted" when it is not.
  private func check(_ habits: inout FrameHabits, _ bytes: [UInt8], width: Int = 0, height: Int = 0) -> String {
    var faults = FrameFaults()
    return bytes.withUnsafeBufferPointer { bytes in
      let frame = RawFrame(
        format: .mjpeg, width: width, height: height, rowBytes: 0, isFullRange: true, bytes: bytes, time: 0)
      do throws(CameraError) {
        _ = try habits.check(frame, &faults)
        return "accepted"
      } catch {
        return FrameFault.allCases.first { faults[$0] > 0 }.map { "\($0)" } ?? "uncounted"
      }
    }
  }

  private var coded: Int { picture.count - 2 }

  /// Frames that a decoder survives, each as a camera may send all of them.
  private var odd: [(String, [UInt8])] {
    let bare = Array(picture.dropLast(2))
    var wrongLength = picture
    // An APP0 segment two bytes shorter than what it holds.
    wrongLength.insert(contentsOf: [0xFF, 0xE1, 0, 4, 0x41, 0x56, 0x49, 0x31], at: 2)
    var stray = picture
    stray.insert(contentsOf: [0xFF, 0xBF], at: coded - 4)
    var restart = picture
    restart.insert(contentsOf: [0xFF, 0xD3], at: coded - 4)
    return [
      ("no end marker", bare), ("half an end marker", bare + [0xFF]),
      ("no end marker, padded with zeros", bare + [UInt8](repeating: 0, count: 4096)),
      ("no end marker, padded with ones", bare + [UInt8](repeating: 0xFF, count: 64)),
      ("no end marker, and the frame before after it", bare + picture),
      ("a segment of a wrong length", wrongLength), ("a stray marker", stray), ("a restart marker", restart),
    ]
  }

  @Test("a fault that all frames have is refused at first, and then is the camera's way")
  func habit() {
    for (name, bytes) in odd {
      var habits = FrameHabits()
      let seen = (0..<20).map { _ in check(&habits, bytes) }
      #expect(!seen[..<(FrameHabits.frames - 1)].contains("accepted"), "\(name)")
      #expect(seen[(FrameHabits.frames - 1)...].allSatisfy { $0 == "accepted" }, "\(name): \(seen.last!)")
      #expect(habits.known != nil, "\(name)")
    }
  }

  @Test("the same fault is refused for ever where one frame was whole")
  func damage() {
    for (name, bytes) in odd {
      for whole in 0..<FrameHabits.frames {
        var habits = FrameHabits()
        let seen = (0..<40).map { check(&habits, $0 == whole ? picture : bytes) }
        #expect(seen.filter { $0 == "accepted" }.count == 1, "\(name)")
        #expect(habits.known == nil)
      }
    }
  }

  @Test("what stands before a picture is skipped", arguments: [1, 2, 16, FramePlane.headMax])
  func head(count: Int) {
    var habits = FrameHabits()
    #expect(check(&habits, [UInt8](repeating: 0, count: count) + picture, width: 64, height: 48) == "accepted")
    let tooFar = [UInt8](repeating: 0, count: FramePlane.headMax + 1) + picture
    #expect(check(&habits, tooFar) == "noStart")
  }

  @Test("a camera that is opened anew is asked anew; what was learned is still known")
  func reset() {
    var habits = FrameHabits()
    for _ in 0..<FrameHabits.frames { _ = check(&habits, odd[0].1) }
    habits.reset()
    #expect(check(&habits, odd[0].1) == "cutData" && habits.known == .cutData)
  }

  @Test("frames of which no decoder makes a picture are refused however many there are")
  func hopeless() {
    let cases: [(String, [UInt8])] = [
      ("noStart", [1, 2, 3, 4, 5, 6]), ("noStart", []), ("cutHeader", Array(picture[..<20])),
      ("badHeader", [0xFF, 0xD8, 0xFF, 0xD9, 0, 0]), ("cutData", Array(picture[..<(picture.count - 9)])),
    ]
    for (fault, bytes) in cases {
      var habits = FrameHabits()
      #expect((0..<50).allSatisfy { _ in check(&habits, bytes) == fault }, "\(fault)")
      #expect(habits.known == nil)
    }
  }

  @Test("six frames with several faults are damage, and what was learned of one fault holds for that one alone")
  func oneFault() {
    let (bare, stray, long) = (odd[0].1, odd[6].1, odd[5].1)
    var mixed = FrameHabits()
    let seen = (0..<30).map { check(&mixed, [bare, stray, long][$0 % 3]) }
    #expect(!seen.contains("accepted") && mixed.known == nil)
    var habits = FrameHabits()
    for _ in 0..<FrameHabits.frames { _ = check(&habits, bare) }
    let others = [check(&habits, stray), check(&habits, long), check(&habits, bare, width: 640, height: 480)]
    #expect(others == ["strayMarker", "noMarker", "cutData"])
    // The same way with its size, with zeros, and with another frame after it.
    let same = [check(&habits, bare, width: 64, height: 48), check(&habits, odd[2].1), check(&habits, odd[4].1)]
    #expect(same == ["accepted", "accepted", "accepted"])
  }

  @Test("a camera that first sends no pictures is asked anew when they come")
  func lateHabit() {
    var habits = FrameHabits()
    for _ in 0..<20 { _ = check(&habits, [1, 2, 3, 4, 5, 6]) }
    let seen = (0..<8).map { _ in check(&habits, odd[0].1) }
    #expect(seen == [String](repeating: "cutData", count: 5) + [String](repeating: "accepted", count: 3))
  }

  @Test("a size that no frame keeps is the camera's way as well")
  func size() {
    var habits = FrameHabits()
    let seen = (0..<8).map { _ in check(&habits, picture, width: 640, height: 480) }
    #expect(seen == [String](repeating: "wrongSize", count: 5) + [String](repeating: "accepted", count: 3))
  }

  @Test("a photo of a camera without end markers is decoded and encoded, so that it has one")
  func photo() throws {
    let (camera, codec, clock) = (ScriptedCamera(), ScriptedCodec(), StillClock())
    codec.decoded = (64, 48, .quarter)
    let cut = ScriptedCamera.Frame(format: .mjpeg, bytes: Array(picture.dropLast(2)))
    camera.frames = [ScriptedCamera.Frame](repeating: cut, count: 12)
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    job.prepare(SnapParameters(), deadline: 2000)
    job.run()
    guard case .photo(let photo) = job.outcome else { throw CameraError.noDevice }
    #expect(photo.bytes.last == 0xD9 && codec.attempts.count == 1)
    #expect(camera.offered == FrameHabits.frames && job.habit == .cutData)
    #expect(codec.decodedEnd == [0xFF, 0xD9])
  }

  @Test("of a camera whose frames lack blocks there is no photo")
  func missingBlocks() throws {
    let (camera, codec, clock) = (ScriptedCamera(), ScriptedCodec(), StillClock())
    codec.decoded = (64, 48, .quarter)
    codec.hadAllData = false
    let cut = ScriptedCamera.Frame(format: .mjpeg, bytes: Array(picture.dropLast(2)))
    camera.frames = [ScriptedCamera.Frame](repeating: cut, count: 12)
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    job.prepare(SnapParameters(), deadline: 2000)
    job.run()
    guard case .failed(.brokenFrame) = job.outcome else { throw CameraError.noDevice }
    #expect(camera.offered == 12)
  }

  @Test("damaged bytes are accepted within their length or refused, never anything else", arguments: 0..<20)
  func fuzz(seed: UInt64) {
    var random = Seeded(seed)
    let picture = tinyJPEG(width: 300, height: 200, coded: random.bytes(40))
    for _ in 0..<300 {
      var damaged = Array(picture[..<Int.random(in: 0...picture.count, using: &random)])
      for _ in 0..<Int.random(in: 0...4, using: &random) where !damaged.isEmpty {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] =
          [0, 0xFF, 0xD8, 0xD9, 0xDA, 0xC4, UInt8.random(in: 0...255, using: &random)].randomElement(using: &random)!
      }
      damaged.withUnsafeBufferPointer { bytes in
        for fault in FrameFault.allCases {
          guard let found = try? JPEGLayout(checking: bytes, tolerating: fault) else { continue }
          #expect(found.length <= bytes.count && found.scanOffset < found.length && found.width > 0)
        }
      }
    }
  }
}
