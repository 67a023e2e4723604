import Codec
import Runtime

/// What the configuration says of the screen.
public struct ScreenChoice: Equatable, Sendable {
  /// Where the canvas is seen.
  public enum Output: Equatable, Sendable {
    /// A connected display, else a frame buffer, else a virtual one until there is one of these.
    case automatic
    /// Nowhere: the board has no canvas.
    case none
    /// Nothing is scanned out; the canvas exists for whoever asks for a picture of it.
    case virtual(Size)
    /// /dev/dri/card0, /dev/fb1.
    case device(InlineText<64>)

    public static func == (left: Output, right: Output) -> Bool {
      switch (left, right) {
      case (.automatic, .automatic), (.none, .none): true
      case (.virtual(let size), .virtual(let other)): size == other
      case (.device(let path), .device(let other)): path == other
      default: false
      }
    }
  }

  public var output: Output
  /// nil: the one that the display prefers. Frame buffers keep the one that they have.
  public var mode: ScreenMode?
  /// nil: as the panel says that it is mounted, else none.
  public var rotation: Rotation?
  /// 16 takes half the memory and half the time on slow buses; nil: 32, or 16 where a card knows nothing else.
  public var bitsPerPixel: Int?
  /// The size of the virtual display that stands in while there is no other.
  public var virtualSize: Size

  /// A choice; see the properties.
  public init(
    output: Output = .automatic, mode: ScreenMode? = nil, rotation: Rotation? = nil, bitsPerPixel: Int? = nil,
    virtualSize: Size = Size(800, 480)
  ) {
    self.output = output
    self.mode = mode
    self.rotation = rotation
    self.bitsPerPixel = bitsPerPixel
    self.virtualSize = virtualSize
  }
}

extension ScreenChoice.Output {
  /// A word of the configuration: "auto", "none", "800x480", or a path below /dev. nil: none of these.
  public init?(_ text: Span<UInt8>) {
    if Self.equals(text, "auto") {
      self = .automatic
    } else if Self.equals(text, "none") {
      self = .none
    } else if let mode = ScreenMode(text) {
      guard mode.rate == nil else { return nil }
      self = .virtual(mode.size)
    } else {
      guard text.count > 5, Self.equals(text.extracting(0..<5), "/dev/") else { return nil }
      for index in 0..<text.count where text[index] <= 0x20 || text[index] == 0x7F { return nil }
      var path = InlineText<64>()
      guard path.set(text) else { return nil }
      self = .device(path)
    }
  }

  public static func equals(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<text.count where text[index] != word.utf8Start[index] { return false }
    return true
  }
}

/// A size, and perhaps pictures a second, of a display.
public struct ScreenMode: Equatable, Sendable {
  public var size: Size
  /// Pictures a second; nil: as many as it prefers.
  public var rate: Int?

  /// A mode; see the properties.
  public init(size: Size, rate: Int? = nil) {
    self.size = size
    self.rate = rate
  }

  /// "1280x720" or "1280x720@60". nil when it is neither, or beyond `Budget.displaySide` or `Budget.displayPixels`.
  public init?(_ text: Span<UInt8>) {
    var numbers = InlineList<3, Int32>()
    var (value, digits) = (Int32(0), 0)
    for index in 0...text.count {
      if index < text.count, text[index] >= UInt8(ascii: "0"), text[index] <= UInt8(ascii: "9") {
        digits += 1
        guard digits <= 5 else { return nil }
        value = value * 10 + Int32(text[index] - UInt8(ascii: "0"))
        continue
      }
      guard digits > 0, numbers.append(value) else { return nil }
      if index == text.count { break }
      guard text[index] == (numbers.count == 1 ? UInt8(ascii: "x") : UInt8(ascii: "@")) else { return nil }
      (value, digits) = (0, 0)
    }
    guard numbers.count >= 2 else { return nil }
    let sides = Budget.displaySideMinimum...Budget.displaySide
    guard sides.contains(numbers[0]), sides.contains(numbers[1]),
      Int(numbers[0]) * Int(numbers[1]) <= Budget.displayPixels
    else { return nil }
    if numbers.count == 3 {
      guard (1...240).contains(numbers[2]) else { return nil }
      rate = Int(numbers[2])
    } else {
      rate = nil
    }
    size = Size(numbers[0], numbers[1])
  }
}
