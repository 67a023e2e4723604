import Panel
import Runtime

/// `talon light`: the signal of the status light, for a person at the board. Needs no agent, and says so when one uses
/// the light.
enum LightCommand {
  /// Seconds for each signal of `talon light test`: enough to see the longest pattern once.
  private static let testSeconds: Int64 = 7

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    guard let word = options.words.first else {
      list()
      return .ok
    }
    let seconds = try options.value("--seconds").map(seconds)
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    if word == "test" {
      let show = try LightShow(configuration)
      for signal in Signal.allCases {
        describe(signal)
        if try show.show(signal, seconds: seconds ?? testSeconds) { break }
      }
      return .ok
    }
    guard let signal = SignalTable.signal(word: word.utf8.span) else {
      throw Failure(.usage, "\"\(word)\" is not a signal; talon light lists them")
    }
    let show = try LightShow(configuration)
    describe(signal)
    _ = try show.show(signal, seconds: seconds)
    return .ok
  }

  private static func seconds(_ text: String) throws(Failure) -> Int64 {
    guard let seconds = ConfigurationKey.decimal(text), (1...3600).contains(seconds) else {
      throw Failure(.usage, "--seconds is a whole number from 1 to 3600")
    }
    return seconds
  }

  private static func list() {
    for signal in Signal.allCases {
      let entry = SignalTable.entry(signal)
      Console.show("\(String(entry.word).left(20))\(String(entry.rhythmText).left(36))\(String(entry.colorName))")
      Console.show("    \(String(entry.meaning)) \(String(entry.remedy))")
    }
  }

  private static func describe(_ signal: Signal) {
    let entry = SignalTable.entry(signal)
    Console.out(
      "\(String(entry.word)): \(String(entry.rhythmText)), \(String(entry.colorName)). \(String(entry.meaning))")
  }
}

/// The light and the button of a configuration without an agent: the button's gestures are printed and shown.
private final class LightShow: FrontPanelDelegate, TimerHandler {
  private static let panelTimer = TimerID(0), endTimer = TimerID(1)

  private let loop: Loop
  private let clock = SystemClock()
  private let panel: FrontPanel
  private var signals = SignalSet()
  private var isInterrupted = false
  /// The current press began in panic, and ends it.
  private var isLettingGo = false

  init(_ configuration: Configuration) throws(Failure) {
    let wiring = PanelWiring(configuration: configuration)
    do throws(Errno) {
      loop = try Loop(clock: clock)
      let log = Log(clock: clock)
      guard let light = try wiring.light() else {
        throw Errno.noSuchDevice
      }
      panel = FrontPanel(
        light: light, button: wiring.button(loop: loop, clock: clock, log: log), clock: clock, log: log)
    } catch {
      throw Failure(
        .configuration,
        configuration.light.driver == .none
          ? "[light] driver is none: there is no light"
          : "the light: \(String(DeviceTrouble(error, of: .light).text))")
    }
  }

  /// Shows a signal for a time; true when Ctrl-C ended it.
  func show(_ signal: Signal, seconds: Int64?) throws(Failure) -> Bool {
    do throws(Errno) {
      let interruption = try Signals(loop: loop) { [self] _ in
        isInterrupted = true
        loop.stop()
      }
      defer { interruption.close() }
      signals = SignalSet()
      signals[signal] = true
      panel.show(signals)
      panel.start(self)
      defer { panel.stop() }
      if let seconds { loop.setTimer(Self.endTimer, of: self, at: clock.monotonic + seconds * 1000) }
      try loop.run(beforeSleep: arm)
      return isInterrupted
    } catch {
      throw Failure(.system, "the light: \(String(error.text))")
    }
  }

  private func arm() {
    if let deadline = panel.nextDeadline {
      loop.setTimer(Self.panelTimer, of: self, at: deadline)
    } else {
      loop.cancelTimer(Self.panelTimer, of: self)
    }
  }

  func timerFired(_ id: TimerID) {
    if id == Self.endTimer { return loop.stop() }
    panel.advance(to: clock.monotonic)
  }

  func gestured(_ gesture: Gesture) {
    switch gesture {
    case .acknowledge: Console.out("button: acknowledge")
    case .held: Console.out("button: held (no, to a question)")
    case .panic:
      Console.out("button: panic")
      isLettingGo = signals[.panic]
      signals[.panic] = true
    case .letGo:
      if isLettingGo { signals[.panic] = false }
    case .offerReset:
      Console.out("button: factory reset offered")
      signals[.resetOffered] = true
    case .confirmReset:
      Console.out("button: factory reset confirmed (not here: this only shows the light)")
      signals[.resetOffered] = false
    case .withdrawReset:
      Console.out("button: factory reset withdrawn")
      signals[.resetOffered] = false
    }
    panel.show(signals)
  }
}
