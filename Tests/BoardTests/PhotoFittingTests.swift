import Pictures
import Runtime
import Testing

@testable import Board
@testable import Camera

/// Photos that fit their limit, with the real codec, over pictures of many kinds.
struct PhotoFittingTests {
  private let bench: Workbench

  init() throws { bench = try Workbench(codec: TurboJPEG()) }

  private static let shares = [1.05, 0.9, 0.6, 0.35, 0.2, 0.1]

  @Test(
    "never above the limit, never below a floor, and the size said is the size there",
    arguments: MadePicture.allCases)
  func grid(picture: MadePicture) throws {
    let image = try bench.draw(picture, width: 400, height: 300)
    let whole = try bench.encode(image, quality: 90).count
    for share in Self.shares {
      let limit = Int(Double(whole) * share)
      let fitted: (photo: FittedPhoto, jpeg: [UInt8])
      do {
        fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit))
      } catch {
        guard case .tooLarge(let bytes, limit) = error else { throw error }
        #expect(bytes > limit)
        continue
      }
      #expect(fitted.jpeg.count <= limit && fitted.photo.count == fitted.jpeg.count)
      #expect(fitted.photo.encodings <= 3)
      #expect((32...90).contains(fitted.photo.quality))
      #expect((256...400).contains(fitted.photo.width))
      let layout = try fitted.jpeg.withUnsafeBufferPointer { try JPEGLayout(checking: $0) }
      #expect((layout.width, layout.height) == (fitted.photo.width, fitted.photo.height))
    }
  }

  @Test("few encodings do, and little room is left")
  func goals() throws {
    var (encodings, counts, tight, bound) = (0, 0, 0, 0)
    for picture in MadePicture.allCases {
      let image = try bench.draw(picture, width: 480, height: 360)
      let whole = try bench.encode(image, quality: 90).count
      for share in [0.85, 0.55, 0.3] {
        let limits = PhotoLimits(bytes: Int(Double(whole) * share))
        guard let fitted = try? bench.fit(image, quality: 90, limits) else { continue }
        encodings += fitted.photo.encodings
        counts += 1
        // At the quality asked and in full size nothing is left to gain.
        if fitted.photo.quality == 90, fitted.photo.width == 480 { continue }
        bound += 1
        if Double(fitted.photo.count) >= 0.92 * Double(limits.bytes) { tight += 1 }
      }
    }
    #expect(counts >= 27)
    #expect(Double(encodings) / Double(counts) <= 1.3)
    #expect(Double(tight) >= 0.9 * Double(bound))
  }

  @Test("what the model foretells is what the encoder makes, within 6 percent", arguments: MadePicture.allCases)
  func model(picture: MadePicture) throws {
    // Of periodic pictures the coded data repeats itself, bytes that need a zero behind them too.
    if picture == .stripes || picture == .facade { return }
    let model = try JPEGSizeModel()
    for chroma in [ChromaLayout.quarter, .halfWidth, .gray] {
      let image = try bench.draw(picture, width: 320, height: 240, chroma: chroma)
      model.sample(image, upTo: 90)
      for quality in [35, 70, 90] {
        let real = Double(try bench.encode(image, quality: quality).count)
        let ratio = real / Double(model.bytes(quality: quality, isProgressive: false))
        #expect(abs(ratio - 1) < 0.06, "\(picture) \(chroma) at \(quality): \(ratio)")
      }
    }
  }

  @Test("several scans are used when that keeps the size, and only if they may be")
  func severalScans() throws {
    let image = try bench.draw(.facade, width: 640, height: 480)
    let limit = try bench.encode(image, quality: 32).count * 9 / 10
    let several = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit))
    #expect(several.photo.isProgressive && several.photo.width == 640)
    #expect(!CameraPictures.segments(several.jpeg, marker: 0xC2).isEmpty)
    let single = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit, progressive: .never))
    #expect(!single.photo.isProgressive && single.photo.width < 640)
    let always = try bench.fit(image, quality: 90, PhotoLimits(bytes: 1_000_000, progressive: .always))
    #expect(always.photo.isProgressive && always.photo.quality == 90)
  }

  @Test("a picture of one scan after one of several decodes to the same colours")
  func handles() throws {
    let image = try bench.draw(.room, width: 320, height: 240)
    let before = try bench.encode(image, quality: 80)
    _ = try bench.encode(image, quality: 80, isProgressive: true)
    #expect(try bench.encode(image, quality: 80) == before)
  }

  @Test("every limit that even the smallest picture exceeds is said, with what it takes")
  func tooLarge() throws {
    let image = try bench.draw(.noise, width: 400, height: 300)
    let error = #expect(throws: CameraError.self) { try bench.fit(image, quality: 90, PhotoLimits(bytes: 2000)) }
    guard case .tooLarge(let bytes, 2000) = error else { throw CameraError.timeout }
    #expect(bytes > 2000 && bytes < 30_000)
  }

  @Test("colours shared less are shared by four before the size is reduced")
  func chroma() throws {
    let image = try bench.draw(.noise, width: 400, height: 300, chroma: .full)
    let limit = try bench.encode(image, quality: 32).count * 9 / 10
    let fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit, progressive: .never))
    #expect((fitted.photo.width, fitted.photo.height) == (400, 300))
  }
}
