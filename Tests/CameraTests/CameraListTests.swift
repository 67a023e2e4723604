import Codec
import Runtime
import Testing

@testable import Camera

struct CameraListTests {
  private func json(_ list: CameraList, kind: StaticString) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
      var writer = JSONWriter(into: buffer)
      list.write(to: &writer, kind: kind)
      count = writer.count
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("no camera is an empty list")
  func empty() { #expect(json(CameraList(), kind: "v4l2") == #"{"devices":[]}"#) }

  @Test("each camera has the four keys of the schema")
  func entries() {
    var list = CameraList()
    list.append(CameraEntry(id: "/dev/video0", name: "USB \"Cam\""))
    list.append(CameraEntry(id: "/dev/video2", name: "Other"))
    #expect(
      json(list, kind: "v4l2") == #"{"devices":["#
        + #"{"id":"/dev/video0","name":"USB \"Cam\"","position":"unknown","deviceType":"v4l2"},"#
        + #"{"id":"/dev/video2","name":"Other","position":"unknown","deviceType":"v4l2"}]}"#)
  }

  @Test("cameras beyond the budget are left out")
  func full() {
    var list = CameraList()
    for _ in 0..<Budget.cameras + 1 { list.append(CameraEntry(id: "a", name: "b")) }
    #expect(list.count == Budget.cameras && list.isFull)
  }

  @Test("the list job asks its device and reports a failure with an empty list")
  func job() {
    let camera = ScriptedCamera()
    let job = ListJob(device: camera)
    job.run()
    #expect(job.cameras.count == 1 && job.cameras[0].id == CameraText(cutting: "one"))
    #expect(job.failure == nil)
    camera.listing = .noPermission
    job.run()
    #expect(job.cameras.count == 0)
    #expect(job.failure?.message == "CAMERA_PERMISSION_REQUIRED: grant this user access to the video device")
    camera.listing = nil
    job.run()
    #expect(job.cameras.count == 1 && job.failure == nil)
  }

  @Test(
    "every error has its code, and its message begins with it",
    arguments: [
      (CameraError.noDevice, "CAMERA_UNAVAILABLE: no camera devices found"),
      (.busy, "CAMERA_UNAVAILABLE: camera is in use by another program"),
      (.disconnected, "CAMERA_UNAVAILABLE: camera was disconnected"),
      (.io(.noSpace), "CAMERA_UNAVAILABLE: camera failed: no space left on device"),
      (.tooLarge(4_000_000, limit: Budget.photoBytes), "CAMERA_TOO_LARGE: 4000000 bytes > 3932160 bytes"),
      (.unknownDevice(CameraText(cutting: "X")), "INVALID_REQUEST: camera device not found: X"),
    ])
  func errors(error: CameraError, message: String) {
    #expect(error.message == message)
    #expect(message.hasPrefix(error.code.description + ": "))
  }
}
