import Foundation
import Runtime
import Testing
@testable import Benches
@testable import Node

@Suite("A message with a photo of the board")
struct ChatPhotoTests {
  private final class Photographer: ChatPhotographer {
    var taker: (any ChatPhotoTaker)?
    var returned = 0
    var refusal: DeskFailure?
    let photo = FixedBuffer(capacity: 3)

    func takePhoto(for taker: any ChatPhotoTaker) -> DeskFailure? {
      if let refusal { return refusal }
      self.taker = taker
      return nil
    }
    func photoReturned() { returned += 1 }

    func deliver() {
      for index in 0..<3 { photo.bytes[index] = UInt8(65 + index) }
      taker?.photoTaken(UnsafeBufferPointer(photo.bytes))
    }
  }

  private let bench: DeskBench
  private let camera = Photographer()

  init() throws {
    bench = try DeskBench()
    bench.desk.setPhotographer(camera)
    try bench.connect()
    _ = try bench.requests()
  }

  private func say(_ text: String, tag: Int = 1) {
    let bytes = bench.desk.text.bytes
    for (index, byte) in text.utf8.enumerated() { bytes[index] = byte }
    bench.desk.sayWithPhoto(
      text.utf8.count, UUIDText.make(bench.desk.random), in: bench.desk.mainSession, bench.listener, tag)
  }

  @Test("the photo is taken first, and goes with the message; then its memory is free")
  func sends() throws {
    say("look")
    #expect(try bench.requests().isEmpty)
    // Other texts go through the same buffer meanwhile.
    for index in 0..<16 { bench.desk.text.bytes[index] = 0 }
    camera.deliver()
    let request = try #require(try bench.requests().first { $0.method == "chat.send" })
    #expect(request.params["message"] as? String == "look")
    let attachments = try #require(request.params["attachments"] as? [[String: String]])
    #expect(
      attachments == [["type": "image", "mimeType": "image/jpeg", "fileName": "board.jpg", "content": "QUJD"]])
    bench.answer(request, #"{"runId":"\#(request.run)","status":"started"}"#)
    bench.event("chat", #"{"runId":"\#(request.run)","seq":1,"state":"final","message":{"content":"I see"}}"#)
    #expect(bench.listener.heard.suffix(2) == ["1 says I see", "1 final"])
    #expect(camera.returned == 1)
  }

  @Test("one message at a time; the camera's reason is the message's")
  func failures() throws {
    say("one", tag: 1)
    say("two", tag: 2)
    #expect(bench.listener.heard.count == 1 && bench.listener.heard[0].hasPrefix("2 BUSY"))
    camera.taker?.photoFailed(DeskFailure("CAMERA_DISABLED", "the camera is switched off"))
    #expect(bench.listener.heard.last == "1 CAMERA_DISABLED: the camera is switched off")
    camera.refusal = DeskFailure("HELD", "held")
    say("three", tag: 3)
    #expect(bench.listener.heard.last == "3 HELD: held")
    bench.desk.setPhotographer(nil)
    say("four", tag: 4)
    #expect(bench.listener.heard.last?.hasPrefix("4 NO_CAMERA") == true)
    #expect(try bench.requests().isEmpty)
  }

  @Test("without a connection no photo is taken; one that is lost meanwhile gives the photo back")
  func offline() throws {
    say("one")
    bench.lose()
    camera.deliver()
    #expect(camera.returned == 1)
    #expect(bench.listener.heard.last?.hasPrefix("1 NO_OPERATOR") == true)
    camera.taker = nil
    say("two", tag: 2)
    #expect(camera.taker == nil && bench.listener.heard.last?.hasPrefix("2 NO_OPERATOR") == true)
  }

  @Test("nobody waits for it any more: it is not sent")
  func forgotten() throws {
    say("one")
    bench.desk.forget(bench.listener, 1)
    camera.deliver()
    #expect(camera.returned == 1)
    #expect(try bench.requests().isEmpty)
  }
}
