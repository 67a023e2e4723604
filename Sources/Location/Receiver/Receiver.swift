import Codec
import Runtime

/// Finds the baud rate of a receiver at a serial line, wakes a silent receiver, polls its version, and configures it.
/// Pure: messages and time go in; bytes and baud rates go out through `line`.
///
/// **Baud rate.* Each rate is tried for a little more than a second, because receivers report once a second. Two
/// messages with good checksums prove a rate; after noise the next one is tried. When nothing is received at all, a
/// burst of 0xFF wakes a sleeping receiver (u-blox 8 protocol specification, 32.10: any edge on its input), and its
/// version is polled, which it always answers.
///
/// **Settings.* Only a receiver that has reported what it is, or whose protocol the configuration names, is configured:
/// u-blox (`ReceiverPlan`) and the families of `VendorPlan`. Before, questions alone are sent. Settings are lost when
/// the receiver loses power, unless `saves`.
public final class Receiver {
  /// The phases of a line.
  public enum Phase: Equatable, Sendable {
    /// No line, or one without commands.
    case idle
    /// Trying baud rates.
    case searching
    /// Polling the version.
    case asking
    /// Configuring.
    case configuring
    /// It reports.
    case running
  }

  /// Baud rates in the order in which they are tried: usual ones first.
  static let speeds: InlineArray<9, UInt32> = [
    9600, 38_400, 115_200, 4800, 57_600, 19_200, 230_400, 460_800, 921_600,
  ]
  /// Milliseconds for which a baud rate is tried; longer in each later round, up to four times.
  static let listening: Int64 = 1_300
  /// Milliseconds from the wake burst to the poll (u-blox: 500 ms until the receiver listens).
  static let waking: Int64 = 500
  /// Timeout in milliseconds for an answer.
  static let answering: Int64 = 1_000
  /// Milliseconds after a command without an answer: a sentence of 46 bytes at 4800 baud takes 96.
  static let settling: Int64 = 200
  /// Number of times that an unanswered command is sent.
  static let tries = 3
  /// Messages that prove a baud rate which nobody has given.
  private static let enough = 2
  /// Milliseconds without a message after which the line counts as lost.
  static let silence: Int64 = 15_000
  /// Milliseconds without a position after which the receiver is configured to send it.
  static let positionTimeout: Int64 = 4_000

  let settings: ReceiverSettings
  let log: Log
  let buffer = FixedBuffer(capacity: Budget.receiverCommandBytes)
  /// The line; nil where there is none.
  public var line: (any ReceiverLine)?
  /// See the type.
  public internal(set) var phase = Phase.idle
  /// The line's baud rate; 0: not known yet.
  public private(set) var speed: UInt32 = 0
  /// Number of changes of the baud rate: bytes of different rates must not be joined.
  private(set) var attempts: UInt32 = 0
  /// Its model, such as "NEO-M9N"; empty: unknown.
  public internal(set) var model = InlineText<30>()
  /// Settings that it refused.
  public internal(set) var refusals = 0

  /// The next deadline.
  var deadline: Int64?
  private var trying = 0
  private var round = 0
  private var hasSentWakeBurst = false
  private var isWaking = false
  /// Anything arrived since the search for the speed began.
  private var hasBytes = false
  /// Messages since then, up to `Self.enough`: a receiver sends for years.
  private var messages = 0
  private var lastMessage: Int64 = 0
  private var hasPosition = false
  private var isSearchLogged = false
  /// Number of times that the last command was sent.
  var sent = 0
  var plan = ReceiverPlan()
  var vendor = VendorPlan()

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
    vendor = VendorPlan()
    if case .vendor(let family) = settings.setUp { vendor.family = family }
    search(from: now)
  }

  /// The line is closed.
  func lost() {
    phase = .idle
    deadline = nil
  }

  /// Bytes arrived; messages in them were reported before.
  func heard(bytes count: Int, at now: Int64) {
    hasBytes = hasBytes || count > 0
    guard phase == .searching, messages >= (settings.speed == 0 ? Self.enough : 1) else { return }
    found(now)
  }

  /// A message arrived.
  func heard(_ message: GNSSMessage, at now: Int64) {
    messages = min(messages + 1, Self.enough)
    lastMessage = now
    switch message {
    case .nmea(.gga), .nmea(.rmc), .nmea(.gns), .nmea(.gll), .ubx(.pvt): hasPosition = true
    case .ubx(.version(let version)): learn(version, now)
    case .ubx(.acknowledged(let id)): answered(id, isTaken: true, now)
    case .ubx(.refused(let id)): answered(id, isTaken: false, now)
    case .vendor(.identity(let family, let name)):
      // As good as two messages: no noise says that.
      messages = Self.enough
      learn(family, name, now)
    case .vendor(.answer(let family, let command, let isTaken)): answered(family, command, isTaken: isTaken, now)
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
    case .configuring: sendSetting(now)
    case .running:
      if !hasPosition { beginAsking(now) }
    }
  }

  // MARK: The speed

  /// The receiver was told another baud rate. If it stays at its own, it is found there.
  func follow(to baud: UInt32, _ now: Int64) {
    speed = baud
    search(from: now)
  }

  private func search(from now: Int64) {
    phase = .searching
    round = 0
    trying = -1
    listen(at: now)
  }

  /// Starts trying a baud rate: first the last one that worked, then those of the table.
  private func listen(at now: Int64) {
    hasBytes = false
    messages = 0
    hasSentWakeBurst = false
    isWaking = false
    attempts &+= 1
    line?.setSpeed(candidate)
    deadline = now + Self.listening * Int64(min(round + 1, 4))
  }

  private var candidate: UInt32 {
    if settings.speed > 0 { return settings.speed }
    return trying < 0 ? (speed > 0 ? speed : Self.speeds[0]) : Self.speeds[trying]
  }

  /// The time for one baud rate is over.
  private func listened(_ now: Int64) {
    if isWaking {
      isWaking = false
      deadline = now + Self.answering
      if round > 0, settings.configuring != .never { openPorts(candidate) }
      return askVersion()
    }
    let isNoise = hasBytes && messages == 0 && settings.speed == 0
    if isNoise || hasSentWakeBurst { return listenNext(now) }
    hasSentWakeBurst = true
    // One message so far: waits for a second one.
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
      logSearching()
    }
    listen(at: now)
  }

  private func logSearching() {
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
    if speed != candidate || isSearchLogged { logFound() }
    speed = candidate
    isSearchLogged = false
    let wants = settings.rate > 0 || settings.systems != UBXSystems()
    if plan.isDone || settings.configuring == .never { return run(now, checks: false) }
    if settings.configuring == .always || wants { return beginAsking(now) }
    run(now, checks: true)
  }

  private func logFound() {
    log.write(.info, "location") { line in
      line.add("a receiver is heard at ")
      line.add(Int64(candidate))
      line.add(" baud")
    }
  }

  /// The receiver works. `checks`: later checks whether it sends positions.
  func run(_ now: Int64, checks: Bool) {
    phase = .running
    lastMessage = now
    deadline = checks ? now + Self.positionTimeout : nil
  }
}
