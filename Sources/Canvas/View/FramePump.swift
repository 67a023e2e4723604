import Graphics
import Runtime

/// Gets events of frames, on the loop's thread.
public protocol FrameDelegate: AnyObject {
  /// True when there is something to draw. False during layout; then the delegate has to call `request` afterwards.
  var isReady: Bool { get }
  /// Draws the current contents. `size` is the screen's.
  func draw(into list: DisplayList, _ size: Size)
  /// The display is done with the frame with the number from `request`, and with all earlier ones; without a display,
  /// they are in the snapshot. `isVisible`: what was drawn last is on the panel.
  func frameShown(_ number: UInt64, isVisible: Bool)
  /// The display was added, removed or changed; everything is drawn again.
  func screenChanged()
  /// Another program got the screen, and input is meant for that program; or the screen was given back.
  func screenIsAway(_ isAway: Bool)
}

/// Brings frames to the display: the delegate draws them, a worker paints and copies them, one at a time, and only
/// where they differ from the last one. Idle while nothing changes.
public final class FramePump {
  private let display: any Display
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let finder = DamageFinder()
  private var job: FrameJob! = nil
  /// Drawn next; the job has the one that was painted last.
  private var list = DisplayList()
  /// Without a display, the size that documents are drawn for.
  private let sizeWithoutDisplay: Size
  /// Outlives the pump.
  public unowned(unsafe) var delegate: any FrameDelegate
  private var pixels: PixelBuffer?
  /// The mode of the display; nil while there is none.
  public private(set) var mode: DisplayMode?
  /// Numbers of the frame requested last, painted last, and shown last.
  private var wanted: UInt64 = 0
  private var painted: UInt64 = 0
  private var shown: UInt64 = 0
  /// Another one for every frame that changed pixels: while it is the same, so is the picture of the screen.
  public private(set) var paintings: UInt64 = 0
  /// True while the last frame is not on the panel; true when the panel had it before the worker's job finished.
  private var isOnItsWay = false
  private var isReadyEarly = false
  /// What was painted last is on the panel.
  private var isVisible = false
  private var mustRepaint = true
  private var mustReopen = false
  /// The display has taken a frame since it was opened.
  private var hasTakenFrame = false
  /// True after it was opened and refused a frame: it is not opened again at once, to avoid an endless loop.
  private var takesNoFrames = false
  /// Number of readers of the pixels.
  private var readers = 0
  private var isRunning = false
  private var hasLoggedFault = false
  /// When `advance` has to be called: a display that was not there is looked for again.
  public private(set) var nextDeadline: Int64?

  /// A pump that is not started. `size`: of the screen while there is no display.
  @export(interface)
  public init(
    display: any Display, painter: any Painter, size: Size, runner: any JobRunner, clock: any Clock, log: Log,
    delegate: any FrameDelegate
  ) {
    self.display = display
    self.runner = runner
    self.clock = clock
    self.log = log
    self.delegate = delegate
    sizeWithoutDisplay = size
    job = FrameJob(painter, display) { [unowned(unsafe) self] in self.ended($0) }
  }

  /// The screen in pixels, after rotation.
  public var size: Size { mode?.size ?? sizeWithoutDisplay }

  /// Opens the display.
  public func start() {
    isRunning = true
    reopen()
  }

  /// Closes the display.
  public func stop() {
    isRunning = false
    nextDeadline = nil
    guard !job.isPending else { return }
    display.close()
    mode = nil
  }

  /// True when no worker has anything of it.
  public var isStopped: Bool { !isRunning && !job.isPending && readers == 0 }

  // MARK: Frames

  /// Requests a frame after a change; returns the number of the frame that will show it.
  @discardableResult
  public func request() -> UInt64 {
    if wanted == painted { wanted += 1 }
    pump()
    return wanted
  }

  /// True when the frame with this number was shown.
  public func isShown(_ number: UInt64) -> Bool { shown >= number }

  private func pump() {
    guard isRunning, !job.isPending, !isOnItsWay, readers == 0, painted < wanted, delegate.isReady, let pixels else {
      return
    }
    list.removeAll()
    delegate.draw(into: list, size)
    var damage = Damage(Rect(0, 0, size.width, size.height))
    if !mustRepaint { damage = finder.damage(from: job.list, to: list, size) }
    guard !damage.isEmpty else {
      painted = wanted
      return isSeen()
    }
    let number = wanted
    job.prepare(&list, damage, pixels, isForDisplay: mode != nil)
    // Without room for the job the frame is drawn with the next request.
    guard runner.submit(job) else { return mustRepaint = true }
    painted = number
    paintings &+= 1
    mustRepaint = false
  }

  private func ended(_ job: FrameJob) {
    guard isRunning else {
      display.close()
      mode = nil
      return
    }
    if let fault = job.fault {
      say(fault)
      mustReopen = true
      takesNoFrames = !hasTakenFrame
    } else if job.isForDisplay {
      hasTakenFrame = true
      if hasLoggedFault { works() }
    }
    if mustReopen { return reopen() }
    if job.isForDisplay, !isReadyEarly {
      isOnItsWay = true
      return
    }
    isReadyEarly = false
    if !job.isForDisplay { isVisible = false }
    isSeen()
    pump()
  }

  private func isSeen() {
    shown = painted
    delegate.frameShown(shown, isVisible: isVisible)
  }

  // MARK: Snapshots

  /// Lends the pixels of the screen, of the frame that was painted last, for reading until `takeBack`; several may
  /// read. Nil while a frame is being painted, or one that was asked for is not painted yet: then `frameShown` tells.
  /// `evenIfOld`: another frame may have been asked for.
  public func lend(evenIfOld: Bool = false) -> PixelBuffer? {
    guard !job.isPending, evenIfOld || painted == wanted, let pixels else { return nil }
    readers += 1
    return pixels
  }

  /// Ends reading of pixels that were lent.
  public func takeBack() {
    readers -= 1
    guard readers == 0 else { return }
    if mustReopen { return reopen() }
    pump()
  }

  // MARK: The display

  /// Blanks or unblanks the display. Ignored where the display cannot do that.
  public func setBlank(_ isBlank: Bool) {
    guard mode != nil else { return }
    do throws(DisplayFault) {
      try display.setBlank(isBlank)
      if isBlank { isVisible = false }
    } catch {
      say(error)
    }
  }

  /// The backlight in percent.
  public func setBrightness(_ percent: Int) {
    do throws(DisplayFault) { _ = try display.setBrightness(percent) } catch { say(error) }
  }

  private func reopen(isRetry: Bool = false) {
    guard !job.isPending, readers == 0 else { return mustReopen = true }
    (mustReopen, isOnItsWay, isReadyEarly, isVisible) = (false, false, false, false)
    mustRepaint = true
    display.close()
    mode = nil
    // Without one still, the picture of the screen stays as it is.
    if !open(), isRetry, pixels?.size == size { return mustRepaint = false }
    guard hasPixels() else { return }
    delegate.screenChanged()
    wanted += 1
    pump()
  }

  /// Takes memory for a picture of the screen's size; false when there is none, which is tried again later, with the
  /// display closed.
  private func hasPixels() -> Bool {
    if pixels?.size == size { return true }
    pixels = nil
    do throws(Errno) {
      pixels = try PixelBuffer(size)
      return true
    } catch {
      say(DisplayFault("take memory for the screen", error))
      display.close()
      mode = nil
      nextDeadline = clock.monotonic + Budget.displayRetryMilliseconds
      return false
    }
  }

  /// Opens the display; false when that is tried again later.
  private func open() -> Bool {
    hasTakenFrame = false
    guard !takesNoFrames else {
      takesNoFrames = false
      nextDeadline = clock.monotonic + Budget.displayRetryMilliseconds
      return false
    }
    do throws(DisplayFault) {
      mode = try display.open(self)
      nextDeadline = nil
      // After a fault it works when it has taken a frame.
      if !hasLoggedFault { logMode() }
      return true
    } catch {
      say(error)
      nextDeadline = clock.monotonic + Budget.displayRetryMilliseconds
      return false
    }
  }

  private func works() {
    hasLoggedFault = false
    logMode()
  }

  /// Advances time.
  public func advance(to now: Int64) {
    guard let instant = nextDeadline, now >= instant, isRunning else { return }
    nextDeadline = nil
    reopen(isRetry: true)
  }

  private func logMode() {
    guard let mode else { return }
    log.write(.notice, "canvas") { line in
      line.add("the screen has ")
      line.add(Int(mode.size.width))
      line.add("x")
      line.add(Int(mode.size.height))
      line.add(" pixels: ")
      line.add(mode.driver)
      line.add(" ")
      line.add(mode.path.span)
    }
  }

  /// Once until it works again.
  private func say(_ fault: DisplayFault) {
    guard !hasLoggedFault else { return }
    hasLoggedFault = true
    log.write(.warning, "canvas") { line in
      line.add("cannot ")
      line.add(fault.what)
      line.add(": ")
      line.add(fault.trouble.text)
      line.add("; ")
      line.add(fault.trouble.step)
    }
  }
}

extension FramePump: DisplayDelegate {
  public func displayIsReady(isVisible: Bool) {
    guard isOnItsWay || job.isPending else { return }
    self.isVisible = isVisible
    // What was dropped is nowhere: the next frame has all of it.
    if !isVisible { mustRepaint = true }
    guard isOnItsWay else { return isReadyEarly = true }
    isOnItsWay = false
    isSeen()
    pump()
  }

  public func displayChanged() { reopen() }

  public func displayWantsAll() {
    mustRepaint = true
    request()
  }

  public func displayIsAway(_ isAway: Bool) {
    if isAway { isVisible = false }
    delegate.screenIsAway(isAway)
  }
}
