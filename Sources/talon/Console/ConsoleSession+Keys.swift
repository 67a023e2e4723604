import Runtime
import Terminal

/// Handling of keys.
extension ConsoleSession {
  func pressed(_ key: Key) {
    if key == .noise { heardNoise() }
    if key != .noise, key != .unknown, !editor.isDamaged { noteKey() }
    if needsPIN { return pressedLocked(key) }
    if waitsForKey, pressedMore(key) { return }
    if !note.isEmpty, key != .noise {
      note = ""
      draw()
    }
    switch editor.take(key) {
    case .nothing, .changed: break
    case .refused: ring()
    case .entered: entered()
    case .completion: complete()
    case .interrupted: interrupted()
    case .ended: if mode == .running { endProgramInput() } else { ring() }
    case .redraw:
      display.screen.forget()
      draw()
    case .escape: if mode == .output { showStatus() }
    case .pageUp, .pageDown: ring()
    }
  }

  private func pressedLocked(_ key: Key) {
    switch key {
    case .enter: tryPIN()
    case .interrupt: editor.clear()
    case .redraw:
      display.screen.forget()
      draw()
    // No history and no completion before the PIN.
    case .tab, .up, .down, .escape, .pageUp, .pageDown: ring()
    default: if editor.take(key) == .refused { ring() }
    }
  }

  /// Keys of a full page; false for others.
  private func pressedMore(_ key: Key) -> Bool {
    switch key {
    case .text(" "), .pageDown: turnPage(rows: display.pageRows)
    case .enter, .down: turnPage(rows: 1)
    case .text("q"), .interrupt, .escape: stopProgram()
    case .redraw: return false
    default: ring()
    }
    draw()
    return true
  }

  private func interrupted() {
    editor.clear()
    if mode == .running { stopProgram() }
    draw()
  }

  private func showStatus() {
    mode = .status
    draw()
  }

  // MARK: Lines

  private func entered() {
    if editor.isDamaged {
      editor.clear()
      ring()
      say("That line had noise in it or was too long, so it was not run: type it again.")
      return draw()
    }
    if mode == .running { return writeToProgram() }
    let line = editor.line
    if display.isPlain { display.print("talon> " + String(decoding: line, as: UTF8.self)) }
    let words = ConsoleGrammar.split(line, most: Budget.consoleWords)
    if words.map(isSecret) ?? false { editor.clear() } else { editor.accept() }
    if let words { run(words) } else { say("A quote does not end, or there are too many words.") }
    draw()
  }

  /// True for lines that the history does not keep.
  private func isSecret(_ words: [String]) -> Bool {
    for word in words where word == "pair" || word == "connect" || ConfigCommand.isSecret(word) { return true }
    return false
  }

  private func run(_ words: [String]) {
    var words = words
    if words.first == "talon" { words.removeFirst() }
    guard let first = words.first else {
      mode = .status
      if display.isPlain { launch(["status"], takesConfiguration: true) }
      return
    }
    switch first {
    case "help" where words.count == 1: return show(grammar.help)
    case "help": return help(words[1])
    case "status" where words.count == 1 && !display.isPlain: return mode = .status
    case "clear":
      mode = .status
      return display.screen.forget()
    case "exit", "logout": return end()
    case "shell" where grammar.hasShell: return runShell()
    default: break
    }
    guard let usage = grammar.usage(first) else { return say("There is no command \"\(first)\"; help lists them.") }
    if let objection = ConsoleRights.objection(words) { return say(objection) }
    launch(words, takesConfiguration: usage.takesConfiguration)
  }

  private func help(_ command: String) {
    for usage in Usage.all where usage.command == command {
      var lines: [String] = []
      for line in Columns.fitted(usage.text).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      {
        lines.append(String(decoding: Array(line), as: UTF8.self))
      }
      return show(lines)
    }
    say("There is no command \"\(command)\"; help lists them.")
  }

  // MARK: Completion

  private func complete() {
    guard mode != .running, let context = ConsoleGrammar.split(editor.context, most: Budget.consoleWords) else {
      return ring()
    }
    let words = grammar.words(after: context)
    switch editor.complete(words) {
    case .none: ring()
    case .complete, .longer: break
    case .ambiguous: say(candidates(words))
    }
    draw()
  }

  /// The words with this beginning, as many as fit in a row.
  private func candidates(_ words: [String]) -> String {
    let stem = editor.stem
    var text = ""
    for word in words where LineEditor.word(word, beginsWith: stem) {
      if text.utf8.count + word.utf8.count + 6 > display.screen.columns { return text + " ..." }
      text += text.isEmpty ? word : "  " + word
    }
    return text
  }
}
