import Camera
import Codec
import Node
import Runtime

/// The operation `snap` of the local socket, one at a time: `{path, device?, width?}` takes a photo to a file that the
/// agent writes.
final class SnapOperation: BoardSnapDelegate {
  unowned(unsafe) var commands: CameraCommands! = nil
  /// The call that waits for a photo.
  private var waiting: (control: Control, call: Int)?

  func begin(_ control: Control, _ call: Int, _ request: borrowing JSONView) {
    if commands.isHeld { return control.fail(call, DeskFailure("HELD", HoldError.reason)) }
    guard waiting == nil else {
      return control.fail(call, DeskFailure("BUSY", "another photo is being taken for this board"))
    }
    var path = InlineText<1024>()
    guard let member = request.member("path"), path.fill({ member.copyString(into: $0) }), !path.isEmpty,
      path.span[0] == UInt8(ascii: "/")
    else { return control.refuse(call, "\"path\" is an absolute path of at most 1024 bytes") }
    do throws(CameraError) {
      waiting = (control, call)
      try path.span.withUnsafeBufferPointer { (path) throws(CameraError) in
        try commands.snap(Self.parameters(request), to: path, self)
      }
    } catch {
      waiting = nil
      control.fail(call, Self.failure(error))
    }
  }

  /// The client of this call has disconnected; its photo is written anyway.
  func forget(_ control: Control, _ call: Int) {
    guard let (delegate, waitingCall) = waiting, delegate === control, waitingCall == call else { return }
    waiting = nil
    commands.forgetSnap()
  }

  private static func parameters(_ request: borrowing JSONView) throws(CameraError) -> SnapParameters {
    var parameters = SnapParameters()
    if let member = request.member("device") {
      var device = CameraText()
      guard device.fill({ member.copyString(into: $0) }) else { throw .unknownDevice(device) }
      parameters.choice.device = device
    }
    if let width = request.member("width")?.int64, (2...65_535).contains(width) { parameters.maxWidth = Int(width) }
    return parameters
  }

  private static func failure(_ error: CameraError) -> DeskFailure {
    DeskFailure(error.code) { line in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeSentence(to: &writer)
        line.add(UnsafeBufferPointer(rebasing: buffer[..<min(writer.count, buffer.count)]))
      }
    }
  }

  // MARK: BoardSnapDelegate

  func snapTaken(_ snap: BoardSnap) {
    guard let (control, call) = waiting else { return }
    waiting = nil
    if let failure = snap.failure {
      return control.fail(
        call,
        DeskFailure("IO") { line in
          line.add("the photo was taken, but could not be written: ")
          line.add(failure)
        })
    }
    control.finish(call) { writer in
      writer.beginObject()
      writer.key("bytes")
      writer.int(Int64(snap.count))
      writer.key("width")
      writer.int(Int64(snap.width))
      writer.key("height")
      writer.int(Int64(snap.height))
      writer.endObject()
    }
  }

  func snapFailed(_ error: CameraError) {
    guard let (control, call) = waiting else { return }
    waiting = nil
    control.fail(call, Self.failure(error))
  }
}
