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

  @Test("a camera that has a name in the configuration is called so, and looks where that says")
  func named() {
    var cameraSettings = CameraSettingsTable()
    var door = CameraSettings()
    door.name = CameraText(cutting: "door")
    door.device = CameraText(cutting: "usb-1.2")
    door.position = .back
    let isAdded = cameraSettings.append(door)
    #expect(isAdded)
    var list = CameraList()
    list.append(CameraEntry(id: CameraText(cutting: "/dev/video7"), name: CameraText(cutting: "Cam"), bus: door.device))
    let bytes = [UInt8](unsafeUninitializedCapacity: 8192) { buffer, count in
      var writer = JSONWriter(into: buffer)
      list.write(to: &writer, kind: "v4l2", cameraSettings: cameraSettings)
      count = writer.count
    }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"devices":[{"id":"door","name":"Cam","position":"back","deviceType":"v4l2"}]}"#)
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
    let job = ListJob(source: camera)
    job.run()
    #expect(job.cameras.count == 1 && job.cameras[0].id == CameraText(cutting: "one"))
    #expect(job.failure == nil)
    camera.listing = .noPermission
    job.run()
    #expect(job.cameras.count == 0)
    #expect(
      job.failure?.message == "CAMERA_PERMISSION_REQUIRED: this user may not open the video device; "
        + "add the user that runs Talon to the group video")
    camera.listing = nil
    job.run()
    #expect(job.cameras.count == 1 && job.failure == nil)
  }

  @Test(
    "every error has its code, and its message begins with it",
    arguments: [
      (
        CameraError.noDevice,
        "CAMERA_UNAVAILABLE: no camera devices found; plug one in, and look for it with talon camera list"
      ),
      (.busy, "CAMERA_UNAVAILABLE: camera is in use by another program; stop the other program"),
      (.disconnected, "CAMERA_UNAVAILABLE: camera was disconnected; plug it in again; it is found by itself"),
      (
        .io(.noSpace),
        "CAMERA_UNAVAILABLE: camera failed: the USB bus is too slow for pictures of this size (errno 28); "
          + "ask for a smaller picture, or plug the camera into a USB port of its own"
      ),
      (.disabled, "CAMERA_DISABLED: the camera is switched off; set [camera] enabled = yes on the board"),
      (
        .lockedAxis(.zoom),
        "CAMERA_UNAVAILABLE: the camera's driver has locked an axis for now: zoom; "
          + "stop other programs that use the camera, and ask again"
      ),
      (.noAxis(.tilt), "CAMERA_PTZ_AXIS_UNSUPPORTED: camera does not tilt"),
      (.clipTooLarge(9, limit: 8), "PAYLOAD_TOO_LARGE: 9 bytes > 8 bytes"),
      (.tooLarge(4_000_000, limit: Budget.photoBytes), "CAMERA_TOO_LARGE: 4000000 bytes > 3932160 bytes"),
      (.unknownDevice(CameraText(cutting: "X")), "INVALID_REQUEST: camera device not found: X"),
    ])
  func errors(error: CameraError, message: String) {
    #expect(error.message == message)
    #expect(message.hasPrefix(error.code.description + ": "))
  }
}
