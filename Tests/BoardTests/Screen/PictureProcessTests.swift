import Canvas
import Foundation
import Graphics
import Runtime
import TestSupport
import Testing

@testable import Board

/// The program as it was built beside these tests, under a name that it keeps to itself.
func builtProgram(_ name: String) -> ConfinedProgram {
  // The xctest bundle stands in the same folder.
  let folder = Bundle.allBundles.map { $0.bundlePath }.first { $0.hasSuffix(".xctest") }.map {
    ($0 as NSString).deletingLastPathComponent
  }
  return ConfinedProgram(name, path: (folder ?? Repository.path(".build/debug")) + "/talon")
}

/// A child that does what it likes: a script, with the question as its descriptor 0, the answer as 1, and its line as
/// 2.
private func shell(_ script: String) -> PictureProcess {
  var program = ConfinedProgram("", path: "/bin/sh")
  program.arguments = ["sh", "-c", script]
  return PictureProcess(program)
}

@Suite("Pictures in a process of their own") struct PictureProcessTests {
  private static let folder = Repository.fixtures.appendingPathComponent("fuzz")
  private let process = PictureProcess(builtProgram(PictureProcess.name))

  private static func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  /// What a codec makes of bytes, as text: size, all pixels, or why not.
  private func decode(
    _ bytes: [UInt8], _ codec: any PictureCodec, _ wanted: Size = Size(64, 64), _ cancellation: Cancellation? = nil
  ) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      do throws(PictureFault) {
        return try pictureWords(bytes, codec, PictureLimit(wanted: wanted, cancellation: cancellation)) { picture in
          ": " + picture.pixels.map { String($0, radix: 16) }.joined(separator: " ")
        }
      } catch {
        return "\(error.kind) \(faultWords(error))"
      }
    }
  }

  private static let drawing = """
    <svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40" fill="#00f"/>\
    <text x="5" y="30" font-size="24" fill="#fff">Ag</text></svg>
    """

  private static func inputs() throws -> [[UInt8]] {
    let names = [
      "plain.png", "interlaced.png", "plain.webp", "moving.webp", "plain.gif", "interlaced.gif", "plain.jpg",
    ]
    let files = try names.map { try read("picture/\($0)") }
    let texts = [
      drawing, "<!doctype html><html><body>\(drawing)</body></html>", "<!doctype html><p>a page", "plain words", "{}",
      "GIF89a",
      "<svg xmlns='http://www.w3.org/2000/svg'><script>x()</script></svg>", "%PDF-1.4",
    ]
    return files + files.map { Array($0.prefix(60)) } + texts.map { Array($0.utf8) }
  }

  @Test("it makes of every content what the decoders make of it in this process")
  func contract() throws {
    let here = ScreenPictures()
    for input in try Self.inputs() {
      for wanted in [Size(64, 64), Size(7, 5), Size(16_384, 16_384)] {
        #expect(decode(input, process, wanted) == decode(input, here, wanted))
      }
    }
    #expect(decode(try Self.read("picture/plain.png"), process).hasPrefix("20x12 of 20x12: "))
    #expect(decode(Array(Self.drawing.utf8), process).hasPrefix("64x42 of 60x40: "))
  }

  @Test("a drawing without end is drawn as far as its time lets it, which is reported, and the next one is drawn")
  func bomb() throws {
    let depth = 5_000
    let text =
      "<svg xmlns='http://www.w3.org/2000/svg' width='1900' height='1000'>"
      + String(repeating: "<g opacity='.99'><rect width='1900' height='1000' fill='red'/></g>", count: depth) + "</svg>"
    let picture = try Array(text.utf8).withUnsafeBufferPointer {
      try process.decode($0, .svg, PictureLimit(wanted: Size(1_900, 1_000)))
    }
    #expect(picture?.omission == .late)
    #expect(decode(Array(Self.drawing.utf8), process).hasPrefix("64x42 of 60x40: "))
  }

  @Test(
    "one that crashes, fails, hangs up or talks nonsense is an error that says so",
    arguments: [
      ("kill -SEGV $$", "the picture's decoder crashed with signal 11"),
      ("kill -SYS $$", "a forbidden system call"),
      ("kill -KILL $$", "was killed (signal 9)"), ("kill -XCPU $$", "used more processor time than it may"),
      ("exit 3", "the picture's decoder ended with exit code 3"),
      ("exit 72", "could not be confined, so it did not run"), ("exit 71", "ran out of memory"),
      ("exit 0", "the picture's decoder sent an invalid message"), ("exec 2>&-; sleep 1000", "was killed (signal 9)"),
      ("echo x >&2; sleep 1000", "its result is not wanted any more"),
      ("head -c 4000 /dev/zero | tr '\\0' '\\377' >&1", "sent an invalid message"),
    ])
  func deaths(script: String, words: String) {
    let result = decode(Array("GIF89a".utf8), shell(script))
    #expect(result.hasPrefix("notDecoded ") && result.contains(words), "\(result)")
  }

  @Test("a program that is not there is an error")
  func missing() {
    let result = decode(Array("GIF89a".utf8), PictureProcess(ConfinedProgram("x", path: "/nowhere")))
    #expect(result == "notDecoded the picture's decoder cannot be started: no such file or directory")
  }

  @Test("whoever cancels ends it")
  func cancelled() throws {
    let cancellation = Cancellation()
    Thread.detachNewThread { cancellation.request() }
    #expect(
      decode(Array("GIF89a".utf8), shell("sleep 1000"), Size(9, 9), cancellation)
        .contains("its result is not wanted any more"))
  }

  @Test("sizes that the memory does not hold, and other untruths, are no picture")
  func liars() throws {
    typealias Answer = PictureExchange.Answer
    let most = Int64(Budget.pictureSidePixels)
    let sizes: [[Int64]] = [
      [0, 1, 1, 1], [1, 0, 1, 1], [-1, 1, 1, 1], [1, 1, 0, 1], [1, 1, 1, most + 1], [most + 1, 1, 1, 1],
      [.max, .max, 1, 1], [.min, 1, 1, 1],
      [1 << 32, 1, 1, 1], [most, most, 1, 1], [2_000, 1_051, 1, 1], [1 << 31, 1 << 33, 1, 1],
    ]
    for size in sizes {
      let memory = try SharedMemory(capacity: PictureExchange.answerBytes)
      memory[word: Answer.verdict] = PictureExchange.picture
      for (index, value) in size.enumerated() { memory[word: Answer.width + index] = value }
      #expect(throws: PictureFault.self, "\(size)") { _ = try PictureAnswer(memory).read() }
    }
    let memory = try SharedMemory(capacity: PictureExchange.answerBytes)
    for index in [Answer.width, Answer.height, Answer.originalWidth, Answer.originalHeight] {
      memory[word: index] = 1_449
    }
    memory[word: Answer.verdict] = PictureExchange.picture
    let picture = try PictureAnswer(memory).read()
    #expect(picture.pixels.count == 1_449 * 1_449 && picture.pixels.last == 0)
  }

  @Test("whatever stands in the answer, it is read without a fault, and what comes of it can be touched")
  func noise() throws {
    var random = Seeded(1)
    let memory = try SharedMemory(capacity: PictureExchange.answerBytes)
    for _ in 0..<2_000 {
      for index in 0..<8 {
        let values: [Int64] = [
          Int64.random(in: -3...3, using: &random), Int64.random(in: .min ... .max, using: &random),
          1 << Int64.random(in: 0...62, using: &random),
        ]
        memory[word: index] = values.randomElement(using: &random)!
      }
      memory.bytes[PictureExchange.text + Int.random(in: 0..<128, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      check(memory)
    }
  }

  private func check(_ memory: SharedMemory) {
    do throws(PictureFault) {
      let picture = try PictureAnswer(memory).read()
      #expect(picture.pixels.count == Int(picture.size.width) * Int(picture.size.height))
      _ = picture.pixels.last
    } catch {
      let words = faultWords(error)
      #expect(words.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(words)")
    }
  }
}
