import ArgumentParser
import Board
import Canvas
import Consent
import Foundation
import Graphics
import Runtime

/// The pictures of the handbook's page about the screen.
struct HandbookCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "handbook",
    abstract: "Draws the handbook's pictures of the screen: home, a pushed card, the conversation and a question.",
    discussion: """
      Writes home.png, face.png, card.png, chat.png, consent.png and approval.png into a folder, in the repository \
      docs/pictures. The card is what card.jsonl in that folder says: messages of A2UI v0.8, one a line.
      """)

  @Argument(help: "The folder, which holds card.jsonl.")
  var folder: String

  /// A small panel, so that the pictures are readable beside text.
  private static let size = Size(480, 320)

  func run() throws {
    try write(try Self.home(), "home")
    try write(try Self.face(), "face")
    try write(try Self.card(from: "\(folder)/card.jsonl"), "card")
    try write(try ConversationCommand.png(Self.size, .dark) { ConversationCommand.talk($0) }, "chat")
    try write(try Self.question(), "consent")
    try write(try Self.request(), "approval")
  }

  private func write(_ png: [UInt8], _ name: String) throws {
    try LabOutput.write(png, toFile: "\(folder)/\(name).png")
  }

  /// Home of a board that waits for approval, in the words of `Screen`.
  static func home() throws -> [UInt8] { try PageBench.png(of: try homePage(), size) }

  private static func homePage() throws -> HomeView {
    let command = "openclaw devices approve 4e0a6d5e-1b7c-4c7e-8a3b-9d2f6a0c1e55"
    var facts = HomeFacts()
    facts.name = InlineText(cutting: "Greenhouse")
    facts.sentence = InlineText(cutting: "This board waits for approval.")
    facts.command = InlineText(cutting: command)
    facts.page = InlineText(cutting: "https://gateway.example/")
    facts.time = InlineText(cutting: "12:30")
    facts.date = InlineText(cutting: "Friday, 27 November 2026")
    let page = HomeView(flow: TextFlow(measurer: try FontShelf()), encoder: QRCodes())
    _ = page.take(facts)
    page.fit(size, theme)
    return page
  }

  /// Home of a board that is connected.
  private static func face() throws -> [UInt8] {
    var facts = HomeFacts()
    facts.name = InlineText(cutting: "Greenhouse")
    facts.link = .up
    facts.time = InlineText(cutting: "12:30")
    facts.date = InlineText(cutting: "Friday, 27 November 2026")
    facts.agent = InlineText(cutting: "Iris")
    facts.message = InlineText(cutting: "The tomatoes have enough water until tomorrow evening.")
    facts.canChat = true
    let page = HomeView(flow: TextFlow(measurer: try FontShelf()), encoder: QRCodes())
    _ = page.take(facts)
    page.fit(size, theme)
    return try PageBench.png(of: page, size)
  }

  private static var theme: Theme { Theme(mode: .dark, scale: Theme.scale(for: size, millimeters: nil)) }

  /// The question whether the agent may take a photo, in front of home.
  static func question() throws -> [UInt8] {
    let overlay = OverlayView(
      flow: TextFlow(measurer: try FontShelf()), answers: ConsentAnswer.allCases.map { $0.label })
    overlay.fit(size, theme)
    var (facts, consent) = (OverlayFacts(), ConsentFacts())
    consent.number = 1
    consent.sentence = InlineText(cutting: "The agent (session main) wants to take a photo")
    consent.purpose = InlineText(cutting: "to see whether the parcel has come")
    consent.until = 25_000
    facts.consent = consent
    _ = overlay.take(facts, at: 0)
    return try PageBench.png(of: Covered(try homePage(), overlay), size)
  }

  /// A request of the gateway in front of home, while the board listens to somebody.
  static func request() throws -> [UInt8] {
    let overlay = OverlayView(flow: TextFlow(measurer: try FontShelf()))
    overlay.fit(size, theme)
    var (facts, approval) = (OverlayFacts(), ConsentFacts())
    approval.number = 1
    approval.sentence = InlineText(cutting: "The gateway asks: may the agent run this program?")
    approval.purpose = InlineText(cutting: "rsync -a /srv/photos backup:/photos (on gateway in /srv, agent main)")
    approval.mostLines = 8
    approval.until = 95_000
    facts.approval = approval
    (facts.orb, facts.orbLevel, facts.isMicrophoneLive) = (.listening, 2, true)
    _ = overlay.take(facts, at: 0)
    return try PageBench.png(of: Covered(try homePage(), overlay), size)
  }

  /// A page with what stands in front of it.
  private final class Covered: ScreenPage {
    let page: HomeView
    let overlay: OverlayView

    init(_ page: HomeView, _ overlay: OverlayView) { (self.page, self.overlay) = (page, overlay) }

    func fit(_ size: Size, _ theme: Theme) {}
    func draw(into list: DisplayList) {
      page.draw(into: list)
      overlay.draw(into: list)
    }
    var scrolled: Int32 = 0
    func reacts(at place: Point) -> Bool { false }
    func input(_ event: InputEvent, at instant: Int64) -> Bool { false }
    var nextDeadline: Int64? { nil }
    func advance(to now: Int64) -> Bool { false }
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
