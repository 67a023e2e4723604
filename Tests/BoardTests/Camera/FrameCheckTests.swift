import Pictures
import Testing

@testable import Board
@testable import Camera

/// The check of camera frames, on frames that a real encoder made.
struct FrameCheckTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(codec: TurboJPEG()) }

  private func fault(_ bytes: [UInt8]) -> FrameFault? {
    bytes.withUnsafeBufferPointer { bytes in
      do throws(FrameFault) {
        _ = try JPEGLayout(checking: bytes)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("whole frames are taken, with tables and without, of one scan and of several", arguments: MadePicture.allCases)
  func whole(picture: MadePicture) throws {
    for chroma in ChromaLayout.allCases {
      let image = try bench.draw(picture, width: 96, height: 64, chroma: chroma)
      for quality in [5, 50, 100] {
        let jpeg = try bench.encode(image, quality: quality)
        #expect(fault(jpeg) == nil && fault(CameraPictures.withoutTables(jpeg)) == nil)
        #expect(fault(try bench.encode(image, quality: quality, coding: .progressive)) == nil)
      }
    }
  }

  @Test("frames of one colour, which are nearly all zeros when the tables are made for them, are taken")
  func oneColor() throws {
    let image = try bench.draw(.gradient, width: 640, height: 480)
    for plane in [image.luma, image.blue, image.red] {
      plane.base.update(repeating: 128, count: plane.rowBytes * plane.height)
    }
    for coding in [JPEGCoding.standard, .optimized, .progressive] {
      #expect(fault(try bench.encode(image, quality: 50, coding: coding)) == nil)
    }
  }

  @Test("cut frames, and frames whose end was never filled, are refused")
  func damaged() throws {
    let jpeg = try bench.encode(try bench.draw(.foliage, width: 160, height: 120), quality: 80)
    for length in stride(from: 0, to: jpeg.count, by: 37) {
      #expect(fault(Array(jpeg[..<length])) != nil)
      guard length < jpeg.count - 80 else { continue }
      let empty = [UInt8](repeating: 0, count: jpeg.count - length)
      #expect(fault(jpeg[..<length] + empty) != nil)
      // The end stands in a packet of its own.
      if length > 623 { #expect(fault(jpeg[..<length] + empty.dropLast(2) + [0xFF, 0xD9]) == .zeros) }
    }
  }
}
