import Canvas
import Graphics
import Runtime

/// A simulated display that keeps its pixels. A test decides when the panel has taken a frame.
public final class MemoryDisplay: Display {
  public let layout: PanelLayout
  public let rotation: Rotation
  private var pages: FramePages
  private let memories: [UnsafeMutableRawBufferPointer]
  private var delegate: (any DisplayDelegate)?

  /// Frames that the panel took since it was opened, and the damage of the last one, in the panel's pixels.
  public private(set) var frames = 0
  public private(set) var written = Damage()
  public private(set) var isOpen = false
  public private(set) var isBlank = false
  /// Percent; nil until it was set.
  public private(set) var brightness: Int?
  /// A frame is pending: the panel has not taken it yet.
  public private(set) var isBusy = false
  /// The error of `open`, `show`, `setBlank` and `setBrightness`; nil: none.
  public var fault: DisplayFault?
  /// The error of `show` alone; nil: none.
  public var frameFault: DisplayFault?
  public var hasBacklight = true
  /// No panel belongs to it.
  public var isVirtual = false
  /// Another program is the master of the card: frames are dropped.
  public var isTaken = false

  /// A dark panel. `pages` is 1 or 2, as drivers have.
  @export(interface)
  public init(_ layout: PanelLayout, _ rotation: Rotation = .none, pages count: Int = 1) {
    self.layout = layout
    self.rotation = rotation
    var memories: [UnsafeMutableRawBufferPointer] = []
    for _ in 0..<count {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: layout.byteCount, alignment: 8)
      for index in 0..<memory.count { memory[index] = 0 }
      memories.append(memory)
    }
    self.memories = memories
    pages = FramePages(layout, rotation, memories[0])
    if count == 2 { pages.add(memories[1]) }
  }

  deinit { for memory in memories { memory.deallocate() } }

  /// The visible pixels: the bytes that are scanned out.
  public var scannedOut: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memories[pages.shown]) }

  // MARK: Display

  public func open(_ delegate: any DisplayDelegate) throws(DisplayFault) -> DisplayMode {
    if let fault { throw fault }
    self.delegate = delegate
    isOpen = true
    pages.forget()
    return DisplayMode(
      size: pages.pictureSize, rotation: rotation, bitsPerPixel: isVirtual ? 0 : layout.format.bitsPerPixel,
      millimeters: nil, driver: "memory", path: InlineText())
  }

  public func close() {
    isOpen = false
    // A pending frame is dropped.
    isBusy = false
    delegate = nil
  }

  public func show(_ pixels: PixelBuffer, _ damage: Damage) throws(DisplayFault) {
    if let fault = fault ?? frameFault { throw fault }
    guard isOpen, !isBusy else { throw DisplayFault("show a frame", .busy) }
    written = pages.draw(pixels, damage)
    isBusy = true
  }

  public func setBlank(_ isBlank: Bool) throws(DisplayFault) {
    if let fault { throw fault }
    defer { self.isBlank = isBlank }
    if self.isBlank, !isBlank { delegate?.displayWantsAll() }
  }

  public func setBrightness(_ percent: Int) throws(DisplayFault) -> Bool {
    if let fault { throw fault }
    if hasBacklight { brightness = percent }
    return hasBacklight
  }

  // MARK: Control by tests

  /// The panel takes the pending frame, or drops it.
  public func takeFrame() {
    guard isBusy else { return }
    isBusy = false
    guard !isTaken, !isBlank else {
      delegate?.displayIsReady(isVisible: false)
      return
    }
    frames += 1
    pages.turn()
    delegate?.displayIsReady(isVisible: true)
  }

  /// Another program had the screen, and its contents are lost.
  public func losePicture() {
    for memory in memories {
      for index in 0..<memory.count { memory[index] = 0xA5 }
    }
    pages.forget()
    delegate?.displayWantsAll()
  }

  /// Another program gets the screen, or gives it back.
  public func setAway(_ isAway: Bool) {
    isTaken = isAway
    delegate?.displayIsAway(isAway)
    if !isAway { losePicture() }
  }

  /// It was unplugged, or exchanged.
  public func change() { delegate?.displayChanged() }
}
