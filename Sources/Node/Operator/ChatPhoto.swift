import Codec
import Gateway
import Runtime

/// Takes photos for people's messages, at their wish: the camera, or a substitute in tests.
public protocol ChatPhotographer: AnyObject {
  /// Takes a photo; `taker` hears once how that ended, possibly much later. Why it cannot be begun; nil: it was.
  func takePhoto(for taker: any ChatPhotoTaker) -> DeskFailure?
  /// The photo's bytes are not needed any more.
  func photoReturned()
}

/// Gets a photo from a `ChatPhotographer`.
public protocol ChatPhotoTaker: AnyObject {
  /// A JPEG, lent until `photoReturned`.
  func photoTaken(_ bytes: UnsafeBufferPointer<UInt8>)
  func photoFailed(_ failure: DeskFailure)
}

/// The one message that waits for its photo, or is on its way with it.
final class ChatPhoto: ChatPhotoTaker, BlobDelegate {
  /// The message's id, conversation and sender.
  struct Message {
    var id: InlineText<64>
    var session: SessionKey
    var delegate: any DeskDelegate
    var tag: Int
  }

  private unowned(unsafe) let desk: OperatorDesk
  /// The camera; nil on a board without one. Lives as long as the desk.
  unowned(unsafe) var photographer: (any ChatPhotographer)?
  private var message: Message?
  /// True from the wish until the photo's bytes are free again.
  private(set) var isBusy = false
  /// The message's text; untouched memory without one.
  private let text: ReservedBuffer
  private var count = 0

  init(_ desk: OperatorDesk) throws(Errno) {
    self.desk = desk
    text = try ReservedBuffer(capacity: Budget.chatMessageBytes)
  }

  /// Takes a photo and sends the first `count` bytes of the desk's text with it.
  func send(_ count: Int, _ message: Message) {
    guard let photographer else {
      return message.delegate.deskFailed(
        message.tag, DeskFailure("NO_CAMERA", "this board has no camera for photos: see [camera] of talon.conf"))
    }
    guard !isBusy else {
      return message.delegate.deskFailed(
        message.tag, DeskFailure("BUSY", "a photo for another message is being taken or sent; try again"))
    }
    for index in 0..<count { text.bytes[index] = desk.text.bytes[index] }
    (self.count, self.message, isBusy) = (count, message, true)
    guard let failure = photographer.takePhoto(for: self) else { return }
    photoFailed(failure)
  }

  /// The message is not wanted any more. The photo ends by itself.
  func forget(_ delegate: any DeskDelegate, _ tag: Int) {
    if let message, message.delegate === delegate, message.tag == tag { self.message = nil }
  }

  /// True while this message waits for its photo.
  func isAwaited(by delegate: any DeskDelegate, _ tag: Int) -> Bool {
    guard let message else { return false }
    return message.delegate === delegate && message.tag == tag
  }

  func photoFailed(_ failure: DeskFailure) {
    let message = message
    (self.message, isBusy) = (nil, false)
    text.release()
    message?.delegate.deskFailed(message!.tag, failure)
  }

  func photoTaken(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let message else { return blobReleased() }
    self.message = nil
    for index in 0..<count { desk.text.bytes[index] = text.bytes[index] }
    let isSent = desk.say(
      count, message.id, in: message.session, message.delegate, message.tag,
      photo: OutboundBlob(bytes, .base64, delegate: self))
    if !isSent { blobReleased() }
  }

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    text.release()
    isBusy = false
    photographer?.photoReturned()
  }
}
