import Runtime
import Terminal

/// A person at a serial line: the screen, the keys, and the running command.
final class ConsoleSession: TimerHandler {
  enum Mode: Equatable {
    /// The board's status is shown; a command runs; it has ended, and its output is shown.
    case status, running, output
  }

  static let escapeTimer = TimerID(0), tickTimer = TimerID(1), repaintTimer = TimerID(2)

  let loop: Loop
  let clock: any Clock
  var setup: ConsoleSetup
  private let wantsPlain: Bool
  private let baud: UInt32?
  private var terminal: TerminalPort?
  private var link: AgentLink?
  private var program: ChildProcess?
  var display: ConsoleDisplay
  var grammar: ConsoleGrammar
  var lock: PinLock?
  var decoder = KeyDecoder()
  let editor = LineEditor()

  var mode = Mode.status
  /// The hint above the prompt until the next key.
  var note = ""
  var isLocked = false
  /// The page is full, and the command has more output.
  var waitsForKey = false
  /// The rest of the command's output is dropped.
  var discards = false
  private var runsUntilStopped = false
  private var command = ""
  private var exitCode: Int32 = 0
  /// Lines on a plain terminal until a key is awaited.
  private var plainLines = 0
  private var lastKey: Int64
  private var lastBell: Int64 = 0
  private var lastRepaint: Int64 = 0
  private(set) var isEnding = false

  init(loop: Loop, clock: any Clock, setup: ConsoleSetup, baud: UInt32?, isPlain: Bool) throws(Errno) {
    self.loop = loop
    self.clock = clock
    self.setup = setup
    self.baud = baud
    wantsPlain = isPlain
    lastKey = clock.monotonic
    display = ConsoleDisplay(rows: Budget.consoleUsualRows, columns: Budget.consoleUsualColumns, isPlain: isPlain)
    grammar = ConsoleGrammar(hasShell: !setup.shell.isEmpty)
    link = try AgentLink(loop: loop, clock: clock, folder: setup.runtimeDirectory, delegate: self)
    terminal = try TerminalPort(Descriptor(0), loop: loop, clock: clock, baud: baud, delegate: self)
    program = ChildProcess(loop: loop, clock: clock, delegate: self)
  }

  func start() {
    closeLock()
    resize()
    link?.look()
    if display.isPlain { display.print("talon \(Version.number): help lists the commands") }
    tick()
  }

  /// The person ends the session, or the line was disconnected.
  func end() {
    isEnding = true
    loop.stop()
  }

  /// Restores the terminal, and ends processes.
  func close() {
    program?.stop()
    if program?.isRunning == true { program?.stop() }
    terminal?.close()
    link?.close()
  }

  // MARK: Time

  /// Every second: the clock, a row that is sent again, the size of the terminal, the lock.
  private func tick() {
    let now = clock.monotonic
    let isIdle = now - lastKey >= Budget.consoleIdleMilliseconds
    link?.isIdle = isIdle
    let pause = Budget.consoleRefreshMilliseconds * (isIdle ? Budget.consoleIdleFactor : 1)
    loop.setTimer(Self.tickTimer, of: self, at: now + (isLocked && lockPause > 0 ? 1000 : pause))
    if setup.lockMinutes > 0, now - lastKey >= setup.lockMinutes * 60_000 { lockAgain() }
    resize()
    display.refresh()
    draw()
  }

  func timerFired(_ id: TimerID) {
    switch id {
    case Self.escapeTimer:
      if let key = decoder.timeOut() { pressed(key) }
      pump()
    case Self.repaintTimer: repaint()
    default: tick()
    }
  }

  /// The screen is drawn again, because noise or another terminal may have left something else on it.
  private func repaint() {
    let now = clock.monotonic
    guard now - lastRepaint >= Budget.consoleRepaintMilliseconds else { return }
    lastRepaint = now
    display.screen.forget()
    pump()
  }

  private func resize() {
    guard let size = terminal?.size, size.rows != display.size.rows || size.columns != display.size.columns else {
      return
    }
    display = ConsoleDisplay(rows: size.rows, columns: size.columns, isPlain: wantsPlain)
    if mode == .output { mode = .status }
  }

  // MARK: Keys

  /// A key pressed by a person, not a message of the line.
  func noteKey() {
    let now = clock.monotonic
    if now - lastKey >= Budget.consoleIdleMilliseconds {
      // After so long the terminal may have been plugged in just now.
      lastKey = now
      repaint()
      tick()
      link?.look()
    }
    lastKey = now
  }

  func heardNoise() {
    loop.setTimer(Self.repaintTimer, of: self, at: clock.monotonic + Budget.consoleNoiseMilliseconds)
  }

  func ring() {
    let now = clock.monotonic
    guard now - lastBell >= Budget.consoleBellMilliseconds else { return }
    lastBell = now
    display.rings = true
  }

  // MARK: Commands

  /// Runs a command of talon as its own process, because it may take long, may fail, and is stopped by Ctrl-C.
  func launch(_ words: [String], takesConfiguration: Bool) {
    guard let program, !program.isRunning else { return }
    var arguments = ["talon", words[0]]
    if takesConfiguration { arguments += ["--config", setup.path] }
    arguments += words.dropFirst()
    // Commands run as the agent's user, unless they need root (ConsoleRights).
    Process.setEnvironment(ConsoleRights.variable, "1")
    command = words[0]
    runsUntilStopped = ConsoleGrammar.runsUntilStopped(words)
    display.pane.clear()
    display.pane.scrolls = runsUntilStopped
    (waitsForKey, discards, plainLines, note) = (false, false, 0, "")
    Process.setEnvironment("TALON_LINES", "\(display.pageRows)")
    do throws(Errno) {
      try program.start(try Path("/proc/self/exe"), arguments)
      mode = .running
    } catch {
      say("the command cannot be run: \(String(error.text))")
    }
    Process.setEnvironment("TALON_LINES", "")
    Process.setEnvironment(ConsoleRights.variable, "")
  }

  func stopProgram() {
    discards = waitsForKey
    waitsForKey = false
    program?.stop()
  }

  /// Shows more of the command's output on the page.
  func turnPage(rows: Int) {
    waitsForKey = false
    plainLines -= rows
    display.pane.turn(rows: rows)
    program?.resume()
  }

  /// Input goes to the command.
  func writeToProgram() {
    var newline = UInt8(ascii: "\n")
    program?.write(editor.line)
    withUnsafeBytes(of: &newline) { program?.write($0.bindMemory(to: UInt8.self)) }
    editor.clear()
  }

  func endProgramInput() { program?.endInput() }

  func runShell() {
    // Some shells exit after a time without input (bash, busybox), and the console does not lock itself while a shell
    // runs.
    if lock != nil, setup.lockMinutes > 0 { Process.setEnvironment("TMOUT", "\(setup.lockMinutes * 60)") }
    terminal?.lend { terminal in
      do throws(Errno) {
        _ = try Process.run(try Path(setup.shell), [setup.shell], terminal: terminal)
      } catch {
        note = "\(setup.shell) cannot be run: \(String(error.text))"
      }
    }
    lastKey = clock.monotonic
    display.screen.forget()
  }

  /// Shows a message.
  func say(_ text: String) {
    if display.isPlain { display.print(text) } else { note = text }
  }

  /// Shows lines as if a command had printed them.
  func show(_ lines: [String]) {
    if display.isPlain {
      for line in lines { display.print(line) }
      return
    }
    display.pane.clear()
    display.pane.scrolls = true
    for line in lines {
      _ = display.pane.take(line.utf8.span)
      _ = display.pane.take("\n".utf8.span)
    }
    (mode, exitCode) = (.output, 0)
  }

  // MARK: Drawing

  func draw() {
    guard let link else { return }
    if !display.isPlain {
      display.show(title: StatusView.title(link, clock: clock.wall))
      if mode == .status {
        display.show(StatusView.rows(link, columns: display.screen.columns))
      } else {
        display.showPane()
      }
      display.show(advice: advice)
    }
    drawPrompt()
    pump()
  }

  func drawPrompt() {
    let line = isLocked ? UnsafeBufferPointer(rebasing: editor.line[..<0]) : editor.line
    display.show(prompt: prompt, line, cursor: isLocked ? 0 : editor.cursor)
  }

  private var prompt: String {
    if isLocked { return lockPause > 0 ? "PIN (in \((lockPause + 999) / 1000) s): " : "PIN: " }
    if waitsForKey { return display.isPlain ? "-- more: Space, Enter, q: " : "" }
    return mode == .running ? "\(command)> " : "talon> "
  }

  private var advice: String {
    if !note.isEmpty { return " " + note }
    if isLocked { return " Commands need the PIN." }
    switch mode {
    case .status: return " help lists the commands; Tab completes them."
    case .running: return waitsForKey ? " More: Space for a page, Enter for a line, q to stop." : " Ctrl-C stops it."
    case .output:
      let end = exitCode == 0 ? "" : "It ended with code \(exitCode). "
      return " \(end)Enter goes back to the board's state."
    }
  }

  /// Sends as much as the terminal accepts now.
  func pump() {
    guard let terminal, !isEnding else { return }
    while !display.isSent {
      let room = terminal.room(atLeast: Budget.consoleFrameBytes / 2)
      guard room > 0 else { return }
      let count = display.update(into: UnsafeMutableBufferPointer(rebasing: terminal.output.bytes[..<room]))
      if count == 0 { return }
      terminal.send(count)
    }
    if display.isPlain, !waitsForKey { program?.resume() }
  }
}

// MARK: -

extension ConsoleSession: TerminalPortDelegate {
  func terminalReceived(_ bytes: Span<UInt8>) {
    var index = 0
    while let key = decoder.next(bytes, at: &index) {
      pressed(key)
      if isEnding { return }
    }
    if decoder.isPartial {
      loop.setTimer(Self.escapeTimer, of: self, at: clock.monotonic + Budget.consoleEscapeMilliseconds)
    } else {
      loop.cancelTimer(Self.escapeTimer, of: self)
    }
    drawPrompt()
    pump()
  }

  func terminalIsWritable() { pump() }

  func terminalClosed() { end() }
}

extension ConsoleSession: AgentLinkDelegate {
  func agentChanged() {
    if !display.isPlain { draw() }
  }
}

extension ConsoleSession: ChildProcessDelegate {
  func childWrote(_ bytes: Span<UInt8>) -> Int {
    if discards || isLocked { return bytes.count }
    if display.isPlain { return pass(bytes) }
    let taken = display.pane.take(bytes)
    waitsForKey = taken < bytes.count
    draw()
    return taken
  }

  /// A command's output on a plain terminal, a page at a time.
  private func pass(_ bytes: Span<UInt8>) -> Int {
    guard display.hasRoom else { return 0 }
    var end = 0
    while end < bytes.count, runsUntilStopped || plainLines < display.pageRows {
      if bytes[end] == UInt8(ascii: "\n") { plainLines += 1 }
      end += 1
    }
    waitsForKey = !runsUntilStopped && plainLines >= display.pageRows && end == 0
    let taken = display.print(bytes.extracting(0..<end))
    // Line ends that did not fit are counted when they do.
    for index in taken..<end where bytes[index] == UInt8(ascii: "\n") { plainLines -= 1 }
    drawPrompt()
    pump()
    return taken
  }

  /// Input for which the terminal has no room is lost.
  func childReadyForInput() {}

  func childEnded(_ code: Int32) {
    (mode, exitCode, waitsForKey) = (isLocked ? .status : .output, code, false)
    if display.isPlain {
      mode = .status
      if code != 0 { display.print("(\(command) ended with code \(code))") }
    }
    if command == "config" { readNewConfiguration() }
    link?.look()
    draw()
  }

  /// The PIN and the shell may have changed. A person who is logged in stays so.
  private func readNewConfiguration() {
    do throws(Failure) {
      let wasLocked = isLocked
      setup = try setup.again()
      grammar = ConsoleGrammar(hasShell: !setup.shell.isEmpty)
      closeLock()
      isLocked = wasLocked
    } catch {
      say(error.text)
    }
  }
}
