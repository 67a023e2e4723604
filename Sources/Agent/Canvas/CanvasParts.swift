import A2UI
import Canvas
import Codec
import Fetch
import Gateway
import Runtime

/// What the canvas needs of the board.
public struct CanvasParts {
  public var display: any Display
  /// Fingers, mice, keys; nil: the screen is for looking only.
  public var input: (any InputSource)?
  public var painter: any Painter
  public var measurer: any TextMeasurer
  public var snapshots: any SnapshotCodec
  public var codes: any QREncoder
  /// Minutes that local time is ahead of UTC, at an instant in milliseconds since the Unix epoch.
  public var offset: (Int64) -> Int64
  public var fetching: FetchParts
  /// Of the screen while there is no display.
  public var size: Size
  public var mode: Theme.Mode
  /// In percent; nil: as the panel wants it.
  public var scale: Int32?
  /// The backlight in percent; nil: as it is.
  public var brightness: Int?
  /// Milliseconds without use after which the screen goes dark; nil: never.
  public var restsAfter: Int64?
  #if TALON_SCRIPT
    /// Nil: no scripts run.
    public var scripts: ScriptParts?
  #endif
  /// When a keyboard comes up on the screen, and its letters.
  public var keyboard: ScreenKeyboardUse
  public var letters: KeyboardLayout
  /// A person at the screen may talk to the agent.
  public var hasChat = false

  /// Parts; see the properties.
  public init(
    display: any Display, input: (any InputSource)? = nil, painter: any Painter, measurer: any TextMeasurer, snapshots: any SnapshotCodec,
    codes: any QREncoder, fetching: FetchParts, size: Size,
    mode: Theme.Mode = .dark, scale: Int32? = nil, brightness: Int? = nil,
    keyboard: ScreenKeyboardUse = .automatic, letters: KeyboardLayout = .us, offset: @escaping (Int64) -> Int64 = { _ in 0 }
  ) {
    self.display = display
    self.input = input
    self.painter = painter
    self.measurer = measurer
    self.snapshots = snapshots
    self.codes = codes
    self.offset = offset
    self.fetching = fetching
    self.size = size
    self.mode = mode
    self.scale = scale
    self.brightness = brightness
    self.keyboard = keyboard
    self.letters = letters
  }
}

/// How the canvas gets what addresses name.
public struct FetchParts {
  /// For the pictures of documents, and for what is navigated to.
  public var documents: any FetchTransport
  public var pages: any FetchTransport
  public var pictures: any PictureCodec
  /// From where may be fetched beside the public internet.
  public var allowed: AllowList
  /// For news of what the gateway hosts; nil: none are listened to.
  public var changes: (any Transport)?

  /// Parts; see the properties.
  public init(
    documents: any FetchTransport, pages: any FetchTransport, pictures: any PictureCodec, allowed: AllowList,
    changes: (any Transport)? = nil
  ) {
    self.changes = changes
    self.documents = documents
    self.pages = pages
    self.pictures = pictures
    self.allowed = allowed
  }
}
