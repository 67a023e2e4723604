import ArgumentParser
import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// The pictures of the handbook's page about the screen.
struct HandbookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handbook",
    abstract: "Draws the handbook's pictures of the screen: home, a pushed card and the conversation.",
    discussion: """
      Writes home.png, card.png and chat.png into a folder, in the repository docs/pictures. The card is what \
      card.jsonl in that folder says: messages of A2UI v0.8, one a line.
      """)

  @Argument(help: "The folder, which holds card.jsonl.")
  var folder: String

  /// A small panel, so that the pictures are readable beside text.
  private static let size = Size(480, 320)

  func run() throws {
    try write(try Self.home(), "home")
    try write(try Self.card(from: "\(folder)/card.jsonl"), "card")
    try write(try ConversationCommand.png(Self.size, .dark) { ConversationCommand.talk($0) }, "chat")
  }

  private func write(_ png: [UInt8], _ name: String) throws {
    try LabOutput.write(png, toFile: "\(folder)/\(name).png")
  }

  /// Home of a board that waits for approval, in the words of `Session`.
  static func home() throws -> [UInt8] {
    let command = "openclaw devices approve 4e0a6d5e-1b7c-4c7e-8a3b-9d2f6a0c1e55"
    var facts = HomeFacts()
    facts.name = InlineText(cutting: "Greenhouse")
    facts.state = InlineText(cutting: "awaiting-approval")
    facts.sentence = InlineText(
      cutting: "this board waits for approval. On the gateway's machine run: \(command)")
    facts.command = InlineText(cutting: command)
    facts.time = InlineText(cutting: "12:30")
    let page = HomeView(flow: TextFlow(measurer: try FontShelf()), encoder: QRCodes())
    _ = page.take(facts)
    page.fit(size, Theme(mode: .dark, scale: Theme.scale(for: size, millimeters: nil)))
    return try PageBench.png(of: page, size)
  }

  /// What a file of A2UI messages puts on the screen.
  static func card(from path: String) throws -> [UInt8] {
    guard let text = FileManager.default.contents(atPath: path) else { throw ValidationError("cannot read \(path)") }
    let page = try PageBench(size)
    try page.push([UInt8](text))
    try page.paint()
    return try page.png()
  }
}
