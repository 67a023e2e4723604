import A2UI
import Canvas
import Codec
import Fetch
import Gateway
import Graphics
import Locales
import Node
import Runtime

/// The devices of the canvas.
public struct CanvasParts {
  public var display: any Display
  /// Touch, mouse and keyboard; nil for a screen without input.
  public var input: (any InputSource)?
  public var painter: any Painter
  public var measurer: any TextMeasurer
  public var snapshots: any SnapshotCodec
  public var codes: any QREncoder
  /// Minutes by which local time is ahead of UTC, at a time in milliseconds since the Unix epoch.
  public var offset: (Int64) -> Int64
  public var fetching: FetchParts
  /// The size of the screen while there is no display.
  public var size: Size
  public var mode: Theme.Mode
  /// In percent; nil for the display's own scale.
  public var scale: Int32?
  /// The backlight in percent; nil to leave it.
  public var brightness: Int?
  /// Milliseconds without use after which the screen is blanked; nil for never.
  public var restsAfter: Int64?
  /// Nothing moves that does not have to.
  public var isStill = false
  /// When the screen is dim and warm, and what tells the light; nil: nothing does.
  public var night = NightWatch(hours: nil, darkness: nil)
  public var light: (any AmbientLight)?
  /// When the keyboard is shown on the screen, and its letters.
  public var keyboard: ScreenKeyboardUse
  public var letters: ScreenLetters
  /// How dates, times and numbers are written.
  public var locale = Locale.plain
  /// True when a person at the screen may talk to the agent.
  public var hasChat = false
  /// True when a triple tap where nothing reacts is panic.
  public var hasPanicTap = false
  /// Makes the part that runs scripts on the screen; nil without scripts.
  public var scripts: ((Screen, Router) throws(Errno) -> Part)?

  /// The devices; see the properties.
  public init(
    display: any Display, input: (any InputSource)? = nil, painter: any Painter, measurer: any TextMeasurer,
    snapshots: any SnapshotCodec,
    codes: any QREncoder, fetching: FetchParts, size: Size,
    mode: Theme.Mode = .dark, scale: Int32? = nil, brightness: Int? = nil,
    keyboard: ScreenKeyboardUse = .automatic, letters: ScreenLetters = .english,
    offset: @escaping (Int64) -> Int64 = { _ in 0 }
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

/// How the canvas fetches what addresses name.
public struct FetchParts {
  /// For the pictures of documents, for navigation, and for the video of a drawing.
  public var documents: any FetchTransport
  public var pages: any FetchTransport
  public var videos: any FetchTransport
  public var pictures: any PictureCodec
  /// The addresses from which content may be fetched besides the public internet.
  public var allowed: AllowList
  /// For changes of what the gateway hosts; nil to follow none.
  public var changes: (any Transport)?

  /// The fetchers; see the properties.
  public init(
    documents: any FetchTransport, pages: any FetchTransport, videos: any FetchTransport,
    pictures: any PictureCodec, allowed: AllowList, changes: (any Transport)? = nil
  ) {
    self.changes = changes
    self.documents = documents
    self.pages = pages
    self.videos = videos
    self.pictures = pictures
    self.allowed = allowed
  }
}
