import ArgumentParser
import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// Pictures of the conversation on the screen, for a person to look at.
struct ConversationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conversation",
    abstract: "Draws the conversation on the screen at four sizes, dark and light, into a folder.")

  @Argument(help: "The folder, which is made.")
  var folder: String

  private static let sizes = [Size(320, 240), Size(480, 320), Size(800, 480), Size(1280, 800)]
  /// 2026-03-01 12:30.
  private static let noon: Int64 = 1_772_368_200_000

  func run() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for size in Self.sizes {
      for mode in [Theme.Mode.dark, .light] {
        let name = "\(size.width)x\(size.height)-\(mode)"
        try draw("\(name)-talk", size, mode) { Self.talk($0) }
        try draw("\(name)-keys", size, mode) { page in
          Self.talk(page)
          _ = page.devicesChanged(hasKeyboard: false)
          // The button of an encoder.
          _ = page.input(.key(.activate, isDown: true, isRepeat: false, []), at: 1000)
        }
        try draw("\(name)-trouble", size, mode) { Self.trouble($0) }
      }
    }
  }

  private func draw(_ name: String, _ size: Size, _ mode: Theme.Mode, _ fill: (ChatPage) -> Void) throws {
    try LabOutput.write(try Self.png(size, mode, fill), toFile: "\(folder)/\(name).png")
  }

  /// A PNG file of the page, after `fill` has put into it what was said.
  static func png(_ size: Size, _ mode: Theme.Mode, _ fill: (ChatPage) -> Void) throws -> [UInt8] {
    let page = try ChatPage(flow: TextFlow(measurer: try FontShelf()), wall: { noon })
    _ = page.devicesChanged(hasKeyboard: true)
    page.fit(size, Theme(mode: mode, scale: Theme.scale(for: size, millimeters: nil)))
    page.open(at: 0)
    fill(page)
    page.changed(at: 0)
    return try PageBench.png(of: page, size)
  }

  private static func add(
    _ page: ChatPage, _ role: ChatMessage.Role, _ text: String, minute: Int64 = 0, _ state: ChatMessage.State = .done,
    note: String = ""
  ) {
    var message = ChatMessage(role, state, time: minute == 0 ? 0 : noon + minute * 60_000)
    message.note = InlineText(cutting: note)
    page.log.append(message, text.utf8.span)
  }

  /// A conversation in which the agent is replying and the person types.
  static func talk(_ page: ChatPage) {
    _ = page.say(title: "Kitchen".utf8.span, notice: "".utf8.span, isReplying: true)
    add(page, .person, "Is the oven still on?", minute: -1500)
    add(page, .agent, "No. It was switched off at **18:04**.", minute: -1499)
    add(page, .person, "What do I need for pancakes?", minute: -3)
    add(
      page, .agent,
      "For four people:\n\n- 250 g flour\n- 500 ml milk\n- 3 eggs and a pinch of salt\n\n"
        + "Let it rest for *20 minutes*; `timer 20` tells you when.",
      minute: -2)
    _ = page.offer(choice: true, camera: true)
    add(page, .person, "Start it, please, and tell me when half of it is over.", minute: -1)
    var step = ChatMessage(.step)
    step.note = InlineText(cutting: "thought 3 s")
    page.log.insert(step, "Half of 20 minutes is 10.".utf8.span, at: page.log.count)
    step.note = InlineText(cutting: "timer.start (0.4 s)")
    page.log.insert(step, "{\"minutes\":20}".utf8.span, at: page.log.count)
    add(page, .agent, "", .streaming)
    for scalar in "And dim the li".unicodeScalars { _ = page.input(.character(scalar), at: 0) }
  }

  private static func trouble(_ page: ChatPage) {
    _ = page.say(
      title: "Kitchen".utf8.span,
      notice: "the console connection is not online: the gateway does not answer; the next attempt is in 8 s".utf8.span,
      isReplying: false)
    add(page, .person, "Good morning", minute: -30)
    add(page, .agent, "Good morning! It is 4 °C outside, and it will rain from", .stopped)
    add(page, .person, "Read me the news", .failed, note: "the agent's run failed: too many requests (rate_limit)")
    add(page, .person, "Switch the lamp on", .sending)
  }
}
