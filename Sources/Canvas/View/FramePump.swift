import Runtime

/// Told of frames, on the loop's thread.
public protocol FrameOwner: AnyObject {
  /// There is something to draw. False while it is being arranged: who says so calls `request` afterwards.
  var isReady: Bool { get }
  /// Draws what is to be seen now. `size` is the screen's.
  func draw(into list: DisplayList, _ size: Size)
  /// The frame that `request` named, and all before it, are on the display; or in the picture of the screen, where there is no
  /// display.
  func frameShown(_ number: UInt64)
  /// The display came, went or changed; everything is drawn anew.
  func screenChanged()
  /// Another program has the screen, and what is typed and touched is for that one; or it is ours again.
  func screenIsAway(_ isAway: Bool)
}

/// Frames on their way to the display: drawn by the owner, painted and copied by a worker, one at a time, and only where they differ
/// from the one before. Nothing runs while nothing changes.
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
  /// Lives as long as the pump.
  public unowned(unsafe) var owner: any FrameOwner
  private var pixels: PixelBuffer?
  /// What the display says of itself; nil while there is none.
  public private(set) var mode: DisplayMode?
  /// Frames that were asked for, painted last, and shown last.
  private var wanted: UInt64 = 0
  private var painted: UInt64 = 0
  private var shown: UInt64 = 0
  /// Another one for every frame that changed pixels: while it is the same, so is the picture of the screen.
  public private(set) var paintings: UInt64 = 0
  /// The panel has not taken the last frame yet; it has, before the worker's news came.
  private var isOnItsWay = false
  private var isReadyEarly = false
  private var mustRepaint = true
  private var mustReopen = false
  /// The display has taken a frame since it was opened.
  private var hasTakenFrame = false
  /// It can be opened and took no frame: to open it again at once would go on for ever.
  private var takesNoFrames = false
  /// Who reads the pixels just now.
  private var readers = 0
  private var isRunning = false
  private var hasSaidFault = false
  /// When `advance` wants to be called: a display that was not there is looked for again.
  public private(set) var nextDeadline: Int64?

  /// A pump that is not started. `size`: of the screen while there is no display.
  public init(
    display: any Display, painter: any Painter, size: Size, runner: any JobRunner, clock: any Clock, log: Log,
    owner: any FrameOwner
  ) {
    self.display = display
    self.runner = runner
    self.clock = clock
    self.log = log
    self.owner = owner
    sizeWithoutDisplay = size
    job = FrameJob(painter, display) { [unowned(unsafe) self] in self.ended($0) }
  }

  /// The screen in pixels, as a person sees it.
  public var size: Size { mode?.size ?? sizeWithoutDisplay }

  /// Opens the display.
  public func start() {
    isRunning = true
    reopen()
  }

  /// Gives it back.
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

  /// What is to be seen has changed. The number of the frame that will show it.
  @discardableResult
  public func request() -> UInt64 {
    if wanted == painted { wanted += 1 }
    pump()
    return wanted
  }

  /// True when a frame by this number is seen.
  public func isShown(_ number: UInt64) -> Bool { shown >= number }

  private func pump() {
    guard isRunning, !job.isPending, !isOnItsWay, readers == 0, painted < wanted, owner.isReady, let pixels else { return }
    list.removeAll()
    owner.draw(into: list, size)
    var damage = Damage(Rect(0, 0, size.width, size.height))
    if !mustRepaint { damage = finder.damage(from: job.list, to: list, size) }
    guard !damage.isEmpty else {
      painted = wanted
      return isSeen()
    }
    let number = wanted
    job.prepare(&list, damage, pixels, isForDisplay: mode != nil)
    // Without room for a job the frame is drawn when something else wants one.
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
      if hasSaidFault { works() }
    }
    if mustReopen { return reopen() }
    if job.isForDisplay, !isReadyEarly {
      isOnItsWay = true
      return
    }
    isReadyEarly = false
    isSeen()
    pump()
  }

  private func isSeen() {
    shown = painted
    owner.frameShown(shown)
  }

  // MARK: Pictures of the screen

  /// Lends the pixels of the screen, of the frame that was painted last, for reading until `takeBack`; several may read. Nil while
  /// a frame is being painted, or one that was asked for is not painted yet: then `frameShown` tells. `evenIfOld`: another frame
  /// may have been asked for.
  public func lend(evenIfOld: Bool = false) -> PixelBuffer? {
    guard !job.isPending, evenIfOld || painted == wanted, let pixels else { return nil }
    readers += 1
    return pixels
  }

  /// Whoever lent the pixels does not read them any more.
  public func takeBack() {
    readers -= 1
    guard readers == 0 else { return }
    if mustReopen { return reopen() }
    pump()
  }

  // MARK: The display

  /// Dark, or lit again. What the display cannot do is left.
  public func setBlank(_ isBlank: Bool) {
    guard mode != nil else { return }
    do throws(DisplayFault) { try display.setBlank(isBlank) } catch { say(error) }
  }

  /// The backlight in percent.
  public func setBrightness(_ percent: Int) {
    do throws(DisplayFault) { _ = try display.setBrightness(percent) } catch { say(error) }
  }

  private func reopen(isRetry: Bool = false) {
    guard !job.isPending, readers == 0 else { return mustReopen = true }
    (mustReopen, isOnItsWay, isReadyEarly) = (false, false, false)
    mustRepaint = true
    display.close()
    mode = nil
    // Without one still, the picture of the screen stays as it is.
    if !open(), isRetry, pixels?.size == size { return mustRepaint = false }
    guard hasPixels() else { return }
    owner.screenChanged()
    wanted += 1
    pump()
  }

  /// Takes memory for a picture of the screen's size; false when there is none, which is tried again later, with the display closed.
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
      if !hasSaidFault { sayMode() }
      return true
    } catch {
      say(error)
      nextDeadline = clock.monotonic + Budget.displayRetryMilliseconds
      return false
    }
  }

  private func works() {
    hasSaidFault = false
    sayMode()
  }

  /// Lets time pass.
  public func advance(to now: Int64) {
    guard let instant = nextDeadline, now >= instant, isRunning else { return }
    nextDeadline = nil
    reopen(isRetry: true)
  }

  private func sayMode() {
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
    guard !hasSaidFault else { return }
    hasSaidFault = true
    log.write(.warning, "canvas") { line in
      line.add("cannot ")
      line.add(fault.what)
      line.add(": ")
      line.add(fault.errno.text)
    }
  }
}

extension FramePump: DisplayDelegate {
  public func displayIsReady() {
    guard isOnItsWay else {
      if job.isPending { isReadyEarly = true }
      return
    }
    isOnItsWay = false
    isSeen()
    pump()
  }

  public func displayChanged() { reopen() }

  public func displayWantsAll() {
    mustRepaint = true
    request()
  }

  public func displayIsAway(_ isAway: Bool) { owner.screenIsAway(isAway) }
}
