import Canvas
import Graphics
import Runtime

/// When the screen is dim and warm, and what is read for that.
final class NightKeeper {
  /// One reading of the light, on a worker.
  private final class Reading: Job {
    let light: any AmbientLight
    var illuminance: Float?
    unowned(unsafe) var keeper: NightKeeper! = nil

    init(_ light: any AmbientLight) { self.light = light }

    override func run() { illuminance = light.illuminance() }
    override func finish() { keeper.watch.take(illuminance) }
  }

  private var watch: NightWatch
  private let reading: Reading?
  private let runner: any JobRunner
  private let clock: any Clock
  private let offset: (Int64) -> Int64
  private var nextReading: Int64 = 0
  /// What it was when it was asked last.
  private(set) var isNight = false

  /// Nil when nothing asks for nights.
  init?(
    _ watch: NightWatch, _ light: (any AmbientLight)?, runner: any JobRunner, clock: any Clock,
    offset: @escaping (Int64) -> Int64
  ) {
    guard !watch.isNever else { return nil }
    self.watch = watch
    reading = watch.needsLight ? light.map { Reading($0) } : nil
    self.runner = runner
    self.clock = clock
    self.offset = offset
    reading?.keeper = self
  }

  /// When `advance` is to be called: with the next reading, and the next minute.
  var nextDeadline: Int64 {
    let minute = clock.monotonic + 60_000 - (clock.wall % 60_000 + 60_000) % 60_000
    return reading == nil ? minute : min(minute, max(nextReading, clock.monotonic))
  }

  /// Reads the light when it is time. True when it has become night, or day.
  func advance(to now: Int64) -> Bool {
    if let reading, now >= nextReading, !reading.isPending {
      nextReading = now + Budget.nightReadingMilliseconds
      _ = runner.submit(reading)
    }
    let before = isNight
    let wall = clock.wall
    isNight = watch.isNight(localMinutes: BelievableDate.contains(wall) ? wall / 60_000 + offset(wall) : nil)
    return isNight != before
  }

  /// True when no worker has anything of it.
  var isStopped: Bool { reading?.isPending != true }
}
