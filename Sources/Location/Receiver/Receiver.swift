import Codec
import Runtime

/// The receiver at a serial line: finds the speed of the line, wakes a receiver that is mute, learns what it is, and sets it up as the
/// configuration wants. Pure: what is heard and the time go in; bytes and speeds go out through `line`.
///
/// *Speed.* Each speed is listened to for a little more than a second, for that is how often receivers report. Two messages with
/// right checksums are proof; noise is a reason to go on. Where nothing comes at all, a burst of 0xFF wakes a receiver
/// that sleeps (u-blox 8 protocol specification, 32.10: any edge on its input does), and it is asked for its version, which it answers
/// in any mood.
///
/// *Settings.* Only u-blox receivers are set up: they are told from others by that answer. What is set holds until the
/// receiver loses power, unless `saves`.
public final class Receiver {
  /// What is being done about the line.
  public enum Phase: Equatable, Sendable {
    /// No line, or one that cannot be talked to.
    case idle
    /// Looking for the speed; at how many of them so far.
    case searching
    /// Asking what it is.
    case asking
    /// Telling it how to be.
    case configuring
    /// It reports.
    case running
  }

  /// Speeds in the order in which they are tried: the usual first.
  static let speeds: InlineArray<9, UInt32> = [
    9600, 38_400, 115_200, 4800, 57_600, 19_200, 230_400, 460_800, 921_600,
  ]
  /// Milliseconds for which a speed is listened to; longer in each later round, up to four times.
  static let listening: Int64 = 1_300
  /// Milliseconds from the wake burst to the question (u-blox: 500 ms until the receiver hears).
  static let waking: Int64 = 500
  /// Milliseconds for an answer.
  static let answering: Int64 = 1_000
  /// How often something is said that nobody answers.
  static let tries = 3
  /// Milliseconds without a message after which the line counts as lost.
  static let silence: Int64 = 15_000
  /// Milliseconds for which a receiver may leave out its position before it is told to give it.
  static let positionPatience: Int64 = 4_000

  let settings: ReceiverSettings
  let log: Log
  let buffer = FixedBuffer(capacity: Budget.receiverCommandBytes)
  /// The line; nil where there is none.
  public var line: (any ReceiverLine)?
  /// See the type.
  public internal(set) var phase = Phase.idle
  /// The line's speed in bits a second as far as it is known; 0: not yet.
  public private(set) var speed: UInt32 = 0
  /// How often another speed was tried: what was held of the bytes of one makes no sense with those of the next.
  private(set) var attempts: UInt32 = 0
  /// What it calls itself, such as "NEO-M9N"; empty: it does not tell.
  public internal(set) var model = InlineText<30>()
  /// Settings that it did not take.
  public internal(set) var refusals = 0

  /// When the next thing is due.
  var deadline: Int64?
  private var trying = 0
  private var round = 0
  private var hasPoked = false
  private var isWaking = false
  private var bytes = 0
  private var messages = 0
  private var lastMessage: Int64 = 0
  private var runningSince: Int64 = 0
  private var hasPosition = false
  private var isSearchLogged = false
  /// How often the last question or setting was sent.
  var sent = 0
  var plan = ReceiverPlan()

  init(settings: ReceiverSettings, log: Log) {
    self.settings = settings
    self.log = log
  }

  // MARK: The line

  /// The line is open.
  func opened(at now: Int64) {
    guard line != nil else { return }
    speed = 0
    isSearchLogged = false
    hasPosition = false
    plan = ReceiverPlan()
    search(from: now)
  }

  /// The line is closed.
  func lost() {
    phase = .idle
    deadline = nil
  }

  /// Bytes came, whatever they are; messages in them were told before.
  func heard(bytes count: Int, at now: Int64) {
    bytes += count
    guard phase == .searching, messages >= (settings.speed == 0 ? 2 : 1) else { return }
    found(now)
  }

  /// A message came.
  func heard(_ message: GNSSMessage, at now: Int64) {
    messages += 1
    lastMessage = now
    switch message {
    case .nmea(.gga), .nmea(.rmc), .nmea(.gns), .nmea(.gll), .ubx(.pvt): hasPosition = true
    case .ubx(.version(let version)): learn(version, now)
    case .ubx(.acknowledged(let id)): answered(id, isTaken: true, now)
    case .ubx(.refused(let id)): answered(id, isTaken: false, now)
    default: break
    }
  }

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    guard phase == .running else { return deadline }
    let silent = lastMessage + Self.silence
    return min(deadline ?? silent, silent)
  }

  /// Lets time pass.
  func advance(to now: Int64) {
    if phase == .running, now >= lastMessage + Self.silence { return search(from: now) }
    guard let due = deadline, due <= now else { return }
    deadline = nil
    switch phase {
    case .idle: break
    case .searching: listened(now)
    case .asking: ask(now)
    case .configuring: tell(now)
    case .running:
      if !hasPosition { beginAsking(now) }
    }
  }

  // MARK: The speed

  private func search(from now: Int64) {
    phase = .searching
    round = 0
    trying = -1
    listen(at: now)
  }

  /// Begins to listen at the speed at hand: the last one that was right, then those of the table.
  private func listen(at now: Int64) {
    bytes = 0
    messages = 0
    hasPoked = false
    isWaking = false
    attempts &+= 1
    line?.setSpeed(candidate)
    deadline = now + Self.listening * Int64(min(round + 1, 4))
  }

  private var candidate: UInt32 {
    if settings.speed > 0 { return settings.speed }
    return trying < 0 ? (speed > 0 ? speed : Self.speeds[0]) : Self.speeds[trying]
  }

  /// The time at one speed is up.
  private func listened(_ now: Int64) {
    if isWaking {
      isWaking = false
      deadline = now + Self.answering
      if round > 0, settings.configuring != .never { openPorts(candidate) }
      return askVersion()
    }
    let isNoise = bytes > 0 && messages == 0 && settings.speed == 0
    if isNoise || hasPoked { return listenNext(now) }
    hasPoked = true
    // One message so far: perhaps a second comes.
    if messages > 0 {
      deadline = now + Self.listening
      return
    }
    isWaking = true
    deadline = now + Self.waking
    sendWakeBurst()
  }

  private func listenNext(_ now: Int64) {
    trying += 1
    if settings.speed > 0 || trying == Self.speeds.count {
      trying = -1
      round += 1
      saySearching()
    }
    listen(at: now)
  }

  private func saySearching() {
    guard !isSearchLogged else { return }
    isSearchLogged = true
    log.write(.warning, "location") { line in
      if settings.speed > 0 {
        line.add("no receiver is heard at ")
        line.add(Int64(settings.speed))
        line.add(" baud; is it another speed? baud = auto finds it")
      } else {
        line.add("no receiver is heard at any speed; the search goes on")
      }
    }
  }

  private func found(_ now: Int64) {
    if speed != candidate || isSearchLogged { sayFound() }
    speed = candidate
    isSearchLogged = false
    let wants = settings.rate > 0 || settings.systems != UBXSystems()
    if plan.isDone || settings.configuring == .never { return run(now, checks: false) }
    if settings.configuring == .always || wants { return beginAsking(now) }
    run(now, checks: true)
  }

  private func sayFound() {
    log.write(.info, "location") { line in
      line.add("a receiver is heard at ")
      line.add(Int64(candidate))
      line.add(" baud")
    }
  }

  /// It reports. `checks`: whether it tells its position is looked at a little later.
  func run(_ now: Int64, checks: Bool) {
    phase = .running
    lastMessage = now
    deadline = checks ? now + Self.positionPatience : nil
  }
}
