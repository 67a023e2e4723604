/// What is done with what a permission is for. A grant that answers a question is for the kinds that were asked about:
/// a yes to photos is no yes to films, and the sound of a film is not all that a microphone hears.
public struct UseKinds: OptionSet, Equatable, Sendable {
  public let rawValue: UInt8

  /// Kinds from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let photo = UseKinds(rawValue: 1)
  public static let film = UseKinds(rawValue: 2)
  public static let move = UseKinds(rawValue: 4)
  /// Seeing the photos that were taken last.
  public static let lastPhotos = UseKinds(rawValue: 8)
  public static let listen = UseKinds(rawValue: 16)
  /// Recording the screen.
  public static let record = UseKinds(rawValue: 32)
  /// The request names the camera.
  public static let namedCamera = UseKinds(rawValue: 64)
  /// Seeing where the board was: who may know where it is may not know that.
  public static let track = UseKinds(rawValue: 128)
  /// Whatever there is: what is given before anybody asks.
  public static let all = UseKinds(rawValue: .max)
}
