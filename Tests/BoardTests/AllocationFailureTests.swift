import CAllocationCounter
import Camera
import Canvas
import Foundation
import Graphics
import Runtime
import TestSupport
import Testing

@testable import Board

/// What each library does whose memory is taken: one allocation after the other fails, alone and with all that follow
/// it. The work then fails in order or is done all the same, nothing crashes, and the next time it is done as ever.
/// Talon's own code allocates nothing once it serves (`AllocationTests`); when Swift gets no memory, the program ends
/// (Sources/CLinux/memory.c). `talon-lab torture --memory` has the kernel refuse it to all of a firmware.
///
/// Left out are those that end the program, which systemd then starts again. By design: OpenSSL's primitives
/// (`OpenSSLCryptography`), FreeType (CFreeType/freetype.c), openh264 (COpenH264/runtime.c), and flite, which calls
/// `exit`; the voice is the last to be asked for some. By a defect: libwebp 1.2.4 uses what it had not yet set (its
/// Huffman tables); pictures of others are decoded in a process for each, and there that is one error. Scripts have a
/// heap of their own (`LimitTests`), and GIFs are read without any.
@Suite("Allocations that fail", .serialized)
struct AllocationFailureTests {
  private static let folder = Repository.fixtures.appendingPathComponent("fuzz/picture")

  /// `work` says whether it was done.
  private func survives(_ what: String, _ work: () -> Bool) {
    // What is made once and kept is made before.
    #expect(work(), "\(what) is not done at all")
    var failures: UInt64 = 0
    for others in [Int32(0), 1] {
      var number: UInt64 = 1
      while number < 20_000 {
        tl_fail_allocation(number, others)
        let isDone = work()
        let failed = tl_failed_allocations()
        if failed == 0 {
          #expect(isDone, "\(what), allocation \(number)")
          break
        }
        failures += 1
        // Each of the first, and then fewer: a codec asks for the same things again and again.
        number += max(1, number / 100)
      }
      #expect(work(), "\(what) is not done any more")
    }
    #expect(failures > 0, "\(what) has no allocation that could fail")
  }

  @Test("pictures are refused or decoded", arguments: ["plain.png", "interlaced.png", "plain.jpg"])
  func decoding(name: String) throws {
    let bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(name)))
    survives(name) {
      bytes.withUnsafeBufferPointer { bytes in
        do throws(PictureFault) {
          return try PictureDecoder.decode(bytes, PictureLimit(wanted: Size(99, 99))).size == Size(20, 12)
        } catch {
          return false
        }
      }
    }
  }

  @Test("a connection is refused or secured")
  func connection() throws {
    let server = try OpenSSLServer.reversing()
    survives("a connection") {
      guard let probe = try? TransportProbe(url: "wss://127.0.0.1:\(server.port)") else { return false }
      try? probe.open()
      defer { probe.transport.close() }
      return probe.isSecured && probe.certificate != nil
    }
  }

  @Test("snapshots are refused or taken", arguments: [true, false])
  func snapshots(isPNG: Bool) throws {
    let pixels = try PixelBuffer(Size(64, 48))
    let target = FixedBuffer(capacity: 65_536)
    survives(isPNG ? "a PNG" : "a JPEG") {
      do throws(SnapshotFault) {
        return try SnapshotEncoder.encode(pixels, isPNG ? .png : .jpeg(quality: 80), atMost: 48, into: target.bytes)
          .count > 0
      } catch {
        return false
      }
    }
  }

  @Test("a photo is refused or encoded")
  func photo() throws {
    let storage = FixedBuffer(capacity: 64 * 48)
    let image = try #require(PlanarImage(in: storage.bytes, width: 64, height: 48, chroma: .gray))
    let target = FixedBuffer(capacity: 65_536)
    survives("a photo") {
      guard let codec = try? TurboJPEG() else { return false }
      return (try? codec.encode(image, quality: 80, into: target.bytes)) != nil
    }
  }

  @Test("a code is left out or made")
  func code() {
    let modules = QRModules()
    survives("a code") {
      QRCodes().encode("https://example.org".utf8.span, into: modules)
      return modules.side > 20
    }
  }

  @Test("sound is refused or encoded")
  func sound() {
    let samples = [Int16](repeating: 900, count: ClipSound.packetSamples)
    let packet = FixedBuffer(capacity: Budget.clipPacketBytes)
    survives("sound") {
      let encoder = OpusEncoder()
      do throws(ClipError) {
        _ = try encoder.start()
        try samples.withUnsafeBufferPointer { (samples) throws(ClipError) in
          try encoder.encode(samples, into: packet.bytes)
        }
        return true
      } catch {
        return false
      }
    }
  }
}
