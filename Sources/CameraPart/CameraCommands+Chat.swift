import Camera
import Codec
import Node
import Runtime

/// Photos for people's messages to the agent: a use at the board, about which nobody is asked, and which the journal
/// has.
extension CameraCommands: ChatPhotographer {
  /// Milliseconds for such a photo.
  private static let chatTimeout: Int64 = 30_000

  public func takePhoto(for taker: any ChatPhotoTaker) -> DeskFailure? {
    if isHeld { return DeskFailure("HELD", "a person holds this board (panic): talon panic release first") }
    guard policy.isEnabled else { return Self.failure(.disabled) }
    guard chatTaker == nil else { return Self.failure(.busy) }
    // Before it begins: without a free worker it ends at once.
    chatTaker = taker
    do throws(CameraError) {
      var parameters = SnapParameters(defaultDelay: policy.delay)
      parameters.maxWidth = Budget.chatPhotoWidth
      try add(.chat, .photo(parameters), clock.monotonic + Self.chatTimeout)
      return nil
    } catch {
      chatTaker = nil
      return Self.failure(error)
    }
  }

  /// The photo was sent, or is not wanted.
  public func photoReturned() { done() }

  /// The limit of a photo that is sent in a message.
  var chatLimits: PhotoLimits {
    var limits = photoLimits
    limits.bytes = min(limits.bytes, Budget.chatPhotoBytes)
    return limits
  }

  /// Lends the photo until `photoReturned`.
  func lendToChat(_ photo: Photo) {
    journal.learn(nil, after: stream)
    current = nil
    guard let taker = chatTaker else { return done() }
    chatTaker = nil
    taker.photoTaken(photo.bytes)
  }

  /// Ends the wish for a photo without one; nothing happens when there is none.
  func failChat(_ error: CameraError) {
    let taker = chatTaker
    chatTaker = nil
    taker?.photoFailed(Self.failure(error))
  }

  private static func failure(_ error: CameraError) -> DeskFailure {
    DeskFailure(error.code) { line in
      line.add("no photo: ")
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
        var writer = ByteWriter(into: buffer)
        error.writeSentence(to: &writer)
        line.add(UnsafeBufferPointer(rebasing: buffer[..<min(writer.count, buffer.count)]))
      }
    }
  }
}
