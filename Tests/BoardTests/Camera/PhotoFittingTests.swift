import Runtime
import Testing

@testable import Board
@testable import Camera
@testable import Pictures

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
      #expect(fitted.photo.encodings <= 2)
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
    // Of periodic pictures the coded data repeats itself, bytes that need a zero after them too.
    if picture == .stripes || picture == .facade { return }
    let model = try JPEGSizeModel()
    for chroma in [ChromaLayout.quarter, .halfWidth, .gray] {
      let image = try bench.draw(picture, width: 320, height: 240, chroma: chroma)
      model.sample(image, upTo: 90)
      for quality in [35, 70, 90] {
        let real = Double(try bench.encode(image, quality: quality).count)
        let ratio = real / Double(model.bytes(quality: quality, coding: .standard))
        #expect(abs(ratio - 1) < 0.06, "\(picture) \(chroma) at \(quality): \(ratio)")
      }
    }
  }

  @Test("several scans are used when that keeps the size, and only if they may be")
  func severalScans() throws {
    let image = try bench.draw(.text, width: 640, height: 480)
    let limit = try bench.encode(image, quality: 32, coding: .optimized).count * 96 / 100
    let several = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit))
    #expect(several.photo.coding == .progressive && several.photo.width == 640)
    #expect(!CameraPictures.segments(several.jpeg, marker: 0xC2).isEmpty)
    let single = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit, progressive: .never))
    #expect(single.photo.coding != .progressive && single.photo.width < 640)
    let always = try bench.fit(image, quality: 90, PhotoLimits(bytes: 1_000_000, progressive: .always))
    #expect(always.photo.coding == .progressive && always.photo.quality == 90)
  }

  @Test("a picture of one scan after one of several decodes to the same colours")
  func handles() throws {
    let image = try bench.draw(.room, width: 320, height: 240)
    let before = try bench.encode(image, quality: 80)
    _ = try bench.encode(image, quality: 80, coding: .progressive)
    #expect(try bench.encode(image, quality: 80) == before)
  }

  @Test("every limit that even the smallest picture exceeds is said, with what it takes")
  func tooLarge() throws {
    let image = try bench.draw(.noise, width: 400, height: 300)
    let error = #expect(throws: CameraError.self) { try bench.fit(image, quality: 90, PhotoLimits(bytes: 2000)) }
    guard case .tooLarge(let bytes, 2000) = error else { throw CameraError.timeout }
    #expect(bytes > 2000 && bytes < 30_000)
  }

  @Test(
    "where the limit binds, the tables are made for the picture: more quality in as many bytes, and no pixel is given up"
  )
  func tables() throws {
    for (picture, gain) in [(MadePicture.gradient, 5), (.night, 4), (.landscape, 1)] {
      let image = try bench.draw(picture, width: 640, height: 480)
      let limit = try bench.encode(image, quality: 60).count
      let fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit, progressive: .never))
      #expect(fitted.photo.coding == .optimized && fitted.photo.width == 640)
      #expect(fitted.photo.quality >= 60 + gain, "\(picture): \(fitted.photo.quality)")
    }
  }

  @Test("a picture that just fits at the lowest quality keeps its pixels", arguments: MadePicture.allCases)
  func pixels(picture: MadePicture) throws {
    // At this size the stripes are finer than the pixels, and the model is far off.
    if picture == .stripes || picture == .facade { return }
    let image = try bench.draw(picture, width: 640, height: 480)
    let limit = try bench.encode(image, quality: 32, coding: .optimized).count * 101 / 100
    let fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit))
    #expect(fitted.photo.width == 640 && fitted.jpeg.count <= limit)
  }

  @Test(
    "what an encoding does to a picture is foretold within a decibel",
    arguments: [MadePicture.foliage, .landscape, .text])
  func error(picture: MadePicture) throws {
    let model = try JPEGSizeModel()
    let image = try bench.draw(picture, width: 320, height: 240, chroma: .gray)
    model.sample(image, upTo: 100)
    for quality in [35, 60, 85] {
      let likeness = try bench.likeness(of: try bench.encode(image, quality: quality), to: image)
      let foretold = Decibels.of(255 * 255 * 0.75 / model.error(quality: quality))
      #expect(abs(likeness - foretold) < 1, "\(picture) at \(quality): \(likeness), foretold \(foretold)")
    }
  }

  @Test("colours are shared by four where that wins more than it loses, and only there")
  func sharing() throws {
    func layout(_ picture: MadePicture, _ share: Double) throws -> ChromaLayout {
      let image = try bench.draw(picture, width: 640, height: 480, chroma: .full)
      let limit = Int(Double(try bench.encode(image, quality: 90).count) * share)
      let fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit))
      return try bench.read(fitted.jpeg).chroma
    }
    // Soft colors of a rough picture; and colors as rough as the rest, with nearly enough room.
    #expect(try layout(.night, 0.4) == .quarter)
    #expect(try layout(.noise, 0.8) == .full)
  }

  @Test("colours shared less are shared by four before the size is reduced")
  func chroma() throws {
    let image = try bench.draw(.noise, width: 400, height: 300, chroma: .full)
    let limit = try bench.encode(image, quality: 32).count * 9 / 10
    let fitted = try bench.fit(image, quality: 90, PhotoLimits(bytes: limit, progressive: .never))
    #expect((fitted.photo.width, fitted.photo.height) == (400, 300))
  }
}
