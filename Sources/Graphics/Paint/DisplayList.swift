import Codec
import Runtime

/// What the screen shows, from back to front: commands and the text in them. Of a fixed size; made anew for each frame.
///
/// A class, so that the list of the last frame can be kept beside it and compared. It belongs to one thread at a time.
public final class DisplayList {
  private let commands: UnsafeMutableBufferPointer<DrawCommand>
  private let text: FixedBuffer
  /// Commands in use.
  public private(set) var count = 0
  /// Bytes of text in use.
  public private(set) var textCount = 0
  /// Something had no room and is not drawn.
  public private(set) var isCut = false

  /// Takes the memory for a list.
  @export(interface)
  public init() {
    commands = .allocate(capacity: Budget.drawCommands)
    commands.initialize(repeating: .endClip)
    text = FixedBuffer(capacity: Budget.drawTextBytes)
  }

  deinit { commands.deallocate() }

  /// The command at an index below `count`.
  public subscript(index: Int) -> DrawCommand { commands[index] }

  /// The bytes of a run that `add(_:)` gave.
  @_lifetime(borrow self)
  public func text(_ slice: TextSlice) -> Span<UInt8> {
    let run = UnsafeBufferPointer(text.bytes).extracting(Int(slice.start)..<Int(slice.start + slice.count))
    return _overrideLifetime(run.span, borrowing: self)
  }

  /// Draws something in front of all that is there. Places far beyond any screen are brought nearer
  /// (`Budget.farthestPixel`).
  public func add(_ command: DrawCommand) {
    guard count < Budget.drawCommands else { return isCut = true }
    commands[count] = command.clamped
    count += 1
  }

  /// Keeps a text for commands; cut at the end of a character when there is no room for all of it.
  public func add(_ bytes: Span<UInt8>) -> TextSlice {
    var length = min(bytes.count, Budget.drawTextBytes - textCount)
    if length < bytes.count {
      isCut = true
      while length > 0, bytes[length] & 0xC0 == 0x80 { length -= 1 }
    }
    let slice = TextSlice(start: Int32(textCount), count: Int32(length))
    for index in 0..<length { text.bytes[textCount + index] = bytes[index] }
    textCount += length
    return slice
  }

  /// Keeps a text that runs in a direction, whatever its first letter.
  public func add(_ bytes: Span<UInt8>, _ direction: TextDirection) -> TextSlice {
    let mark = add(direction.mark.utf8Bytes)
    let text = add(bytes)
    return TextSlice(start: mark.start, count: mark.count + text.count)
  }

  /// Makes the list empty.
  public func removeAll() {
    count = 0
    textCount = 0
    isCut = false
  }
}
