import Canvas
import Consent
import Graphics
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

/// The question whether the agent may use a device, on the screen.
@Suite struct ConsentScreenTests {
  private let bench: CanvasBench

  init() throws { bench = try CanvasBench(restsAfter: 60_000) }

  private func touch(_ what: InputEvent.Pointer, _ x: Int32, _ y: Int32) {
    bench.input.play(.pointer(what, id: 0, Point(x, y)), at: bench.clock.monotonic)
    bench.settle()
  }

  private func ask(
    _ number: Int = 7, _ sentence: StaticString = "The agent (session main) wants to take a photo",
    isHeld: Bool = false, settles: Bool = true
  ) {
    var facts = OverlayFacts()
    facts.isHeld = isHeld
    var consent = ConsentFacts()
    consent.number = number
    consent.sentence = InlineText(cutting: sentence)
    consent.purpose = InlineText(cutting: "to see whether the parcel has come")
    (consent.askedAt, consent.until) = (bench.clock.monotonic, bench.clock.monotonic + 20_000)
    facts.consent = consent
    bench.commands.face.say(facts)
    if settles { bench.settle() } else { bench.runner.runAll() }
  }

  /// Touches every place of a grid, and says how many touches gave each answer.
  private func count() -> [ConsentAnswer: Int] {
    var counts: [ConsentAnswer: Int] = [:]
    for y in stride(from: Int32(2), to: 320, by: 4) {
      for x in stride(from: Int32(2), to: 480, by: 4) {
        touch(.down, x, y)
        touch(.up, x, y)
      }
    }
    for (answer, question) in bench.consents where question == 7 { counts[answer, default: 0] += 1 }
    return counts
  }

  @Test func `Each answer has a button that a finger hits`() {
    ask()
    bench.clock.advance(Budget.consentArmMilliseconds)
    let counts = count()
    // A place of the grid stands for 16 pixels, and a finger needs 28 by 44 at least.
    for answer in ConsentAnswer.allCases { #expect(counts[answer, default: 0] * 16 >= 28 * 44, "\(answer)") }
  }

  @Test func `A question that has just appeared takes no answer`() {
    ask()
    bench.clock.advance(Budget.consentArmMilliseconds - 1)
    #expect(count().isEmpty)
  }

  /// Asks whether a program may run.
  private func askAboutProgram(_ number: Int = 7, _ words: String, isOnceOnly: Bool = false, age: Int64 = 0) {
    var facts = OverlayFacts()
    var consent = ConsentFacts()
    consent.number = number
    consent.sentence = InlineText(cutting: "The agent wants to run a program.")
    consent.purpose = InlineText(cutting: words)
    (consent.mustShowAll, consent.mostLines, consent.isOnceOnly) = (true, 24, isOnceOnly)
    (consent.askedAt, consent.until) = (bench.clock.monotonic - age, bench.clock.monotonic + 20_000)
    facts.consent = consent
    bench.commands.face.say(facts)
    bench.settle()
  }

  @Test func `A question that takes the place of another takes no answer at once, however long it has waited`() {
    ask(6)
    bench.clock.advance(1_000)
    touch(.down, 240, 290)
    askAboutProgram(7, #"Command line: "rm""#, age: 10_000)
    touch(.up, 240, 290)
    #expect(count().isEmpty && bench.consents.isEmpty)
    bench.clock.advance(Budget.consentArmMilliseconds)
    #expect(count().count == ConsentAnswer.allCases.count)
  }

  @Test func `A command line that is not shown to its end takes no yes, and one that can be allowed once no other`() {
    askAboutProgram(7, "Command line: " + String(repeating: "\"true\" ", count: 100))
    #expect(bench.painter.texts.joined(separator: " ").contains("no room to show it whole"))
    bench.clock.advance(Budget.consentArmMilliseconds)
    let answers = count()
    #expect(Set(answers.keys) == [.no])
    askAboutProgram(8, #"Command line: "a" and 9 bytes that are not shown"#, isOnceOnly: true)
    bench.clock.advance(Budget.consentArmMilliseconds)
    _ = count()
    #expect(Set(bench.consents.filter { $0.question == 8 }.map { $0.answer }) == [.once, .no])
  }

  /// What the display does while a question is asked and somebody touches the screen.
  enum Moment: CaseIterable {
    case shown, onItsWay, dropped, away, hidden, dark, held, replaced, unplugged
  }

  /// A place of the button "Once", found on another screen.
  private func place() throws -> Point {
    let other = try ConsentScreenTests()
    other.ask()
    other.bench.clock.advance(Budget.consentArmMilliseconds)
    for y in stride(from: Int32(2), to: 320, by: 8) {
      for x in stride(from: Int32(2), to: 480, by: 8) {
        other.touch(.down, x, y)
        other.touch(.up, x, y)
        if other.bench.consents.last?.answer == .once { return Point(x, y) }
      }
    }
    Issue.record("there is no such button")
    return Point(0, 0)
  }

  private func tap(_ place: Point) {
    for what in [InputEvent.Pointer.down, .up] {
      bench.input.play(.pointer(what, id: 0, place), at: bench.clock.monotonic)
    }
  }

  /// Asks, and brings the display to this.
  private func enter(_ moment: Moment) {
    switch moment {
    case .shown: ask()
    case .onItsWay: ask(settles: false)
    case .dropped:
      bench.display.isTaken = true
      ask()
    case .away:
      ask()
      bench.display.setAway(true)
    case .hidden:
      ask()
      bench.commands.face.hide()
    case .dark:
      ask()
      bench.pass(60_000)
    case .held:
      ask()
      ask(isHeld: true)
    case .replaced:
      ask(6, "The agent (session main) wants to know where this board is")
      bench.clock.advance(1_000)
      ask(settles: false)
    case .unplugged:
      ask()
      bench.display.fault = DisplayFault("open a display", .noSuchDevice)
      bench.display.change()
    }
  }

  private func leave(_ moment: Moment) {
    switch moment {
    case .shown, .onItsWay, .replaced, .dark: break
    case .dropped: bench.display.isTaken = false
    case .away: bench.display.setAway(false)
    case .hidden: _ = bench.commands.face.present()
    case .held: ask()
    case .unplugged:
      bench.display.fault = nil
      // It is tried again so long after it was gone.
      bench.pass(Budget.displayRetryMilliseconds - Budget.consentArmMilliseconds)
    }
  }

  @Test(arguments: Moment.allCases)
  func `A question is answered only when the display has shown it for long enough`(moment: Moment) throws {
    let place = try place()
    enter(moment)
    bench.clock.advance(Budget.consentArmMilliseconds)
    tap(place)
    #expect(bench.consents.isEmpty == (moment != .shown))
    // A finger that is down while the display shows it again answers nothing.
    bench.input.play(.pointer(.down, id: 0, place), at: bench.clock.monotonic)
    leave(moment)
    bench.settle()
    bench.clock.advance(Budget.consentArmMilliseconds - 1)
    bench.input.play(.pointer(.up, id: 0, place), at: bench.clock.monotonic)
    tap(place)
    if moment != .shown { #expect(bench.consents.isEmpty) }
    bench.settle()
    bench.clock.advance(Budget.consentArmMilliseconds)
    tap(place)
    #expect(bench.consents.last?.answer == .once && bench.consents.last?.question == 7)
  }

  @Test func `A touch that leaves its button answers nothing`() throws {
    ask()
    bench.clock.advance(1_000)
    touch(.down, 240, 290)
    touch(.up, 240, 4)
    #expect(bench.consents.isEmpty)
    touch(.down, 240, 4)
    touch(.up, 240, 290)
    #expect(bench.consents.isEmpty)
  }

  private func askAboutLink(_ message: String, isCut: Bool = false) {
    var facts = OverlayFacts()
    var link = ConsentFacts()
    (link.kind, link.number) = (.link, 3)
    link.sentence = InlineText(cutting: "A link on this page wants to tell the agent something.")
    link.purpose = InlineText(cutting: message)
    (link.isCut, link.mostLines) = (isCut, 24)
    link.preview = InlineText(cutting: "openclaw://agent?message=" + String(repeating: "water%20", count: 60))
    (link.askedAt, link.until) = (bench.clock.monotonic, bench.clock.monotonic + 20_000)
    facts.consent = link
    bench.commands.face.say(facts)
    bench.settle()
  }

  @Test func `A question about a link has two answers that a finger hits, and no other`() {
    askAboutLink(String(repeating: "water ", count: 14))
    #expect(count().isEmpty)
    bench.clock.advance(Budget.consentArmMilliseconds)
    _ = count()
    #expect(bench.consents.isEmpty)
    for yes in [true, false] {
      let places = bench.linkAnswers.filter { $0.yes == yes && $0.question == 3 }.count
      #expect(places * 16 >= 28 * 44, "\(yes)")
    }
    #expect(bench.linkAnswers.allSatisfy { $0.question == 3 })
  }

  @Test(arguments: [(String(repeating: "water the garden ", count: 40), false), ("water the garden", true)])
  func `A link whose message is not shown whole cannot be sent here`(message: String, isCut: Bool) {
    askAboutLink(message, isCut: isCut)
    #expect(bench.painter.texts.joined(separator: " ").contains("no room to show it whole"))
    bench.clock.advance(Budget.consentArmMilliseconds)
    _ = count()
    #expect(!bench.linkAnswers.isEmpty && bench.linkAnswers.allSatisfy { !$0.yes })
  }

  @Test func `The page under it gets no touch, and has its own again afterwards`() {
    bench.pushButton()
    bench.commands.presses.online(bench.channel)
    ask()
    touch(.down, 40, 40)
    touch(.up, 40, 40)
    #expect(bench.channel.asked.isEmpty)
    bench.commands.face.say(OverlayFacts())
    touch(.down, 40, 40)
    touch(.up, 40, 40)
    #expect(bench.channel.asked.count == 1)
  }

  @Test func `A question lights a screen that is dark, and one that the agent has hidden goes dark again`() {
    bench.pass(60_000)
    #expect(bench.display.isBlank)
    ask()
    #expect(!bench.display.isBlank)
    bench.commands.face.say(OverlayFacts())
    bench.commands.face.hide()
    #expect(bench.display.isBlank)
    ask(8)
    #expect(!bench.display.isBlank)
    bench.commands.face.say(OverlayFacts())
    #expect(bench.display.isBlank)
  }

  @Test func `The seconds that are left are drawn, and then nothing has to be done`() {
    ask()
    let frames = bench.display.frames
    bench.pass(10_000)
    #expect(bench.display.frames >= frames + 9)
    bench.commands.face.say(OverlayFacts())
    bench.settle()
    let after = bench.display.frames
    bench.pass(10_000)
    #expect(bench.display.frames == after)
  }

  @Test func `A grant has a border, and a touch shows its countdown for a moment`() {
    var facts = OverlayFacts()
    var grant = GrantFacts()
    grant.names = InlineText(cutting: "camera")
    grant.end = bench.clock.monotonic + 60_000
    facts.grant = grant
    bench.commands.face.say(facts)
    bench.settle()
    let frames = bench.display.frames
    bench.pass(10_000)
    #expect(bench.display.frames == frames)
    touch(.down, 40, 40)
    touch(.up, 40, 40)
    let touched = bench.display.frames
    #expect(touched > frames)
    bench.pass(10_000)
    #expect(bench.display.frames >= touched + 4)
  }

  // MARK: Requests of the gateway

  private func askForGateway(
    _ number: Int = 3, _ command: String = "rm -r /srv/old", mostLines: Int32 = 24, consent: Bool = false
  ) {
    var (facts, approval) = (OverlayFacts(), ConsentFacts())
    (approval.kind, approval.number) = (.request, number)
    approval.sentence = InlineText(cutting: "The gateway asks: may the agent run this program?")
    approval.purpose = InlineText(cutting: "\(command)\non gateway in /srv, agent main")
    (approval.askedAt, approval.until, approval.mostLines) = (bench.clock.monotonic, .max, mostLines)
    facts.approval = approval
    if consent {
      (approval.kind, approval.number) = (.use, 7)
      facts.consent = approval
    }
    bench.commands.face.say(facts)
    bench.settle()
  }

  @Test func `A request of the gateway has three answers, which a finger hits, and no page under it`() {
    askForGateway()
    #expect(count().isEmpty && bench.approvals.isEmpty)
    bench.clock.advance(Budget.consentArmMilliseconds)
    #expect(count().isEmpty)
    for choice in 0..<3 { #expect(bench.approvals.count { $0.choice == choice } * 16 >= 28 * 44) }
    #expect(bench.approvals.allSatisfy { $0.request == 3 })
  }

  @Test func `The question about the board's own devices comes first`() {
    askForGateway(consent: true)
    bench.clock.advance(Budget.consentArmMilliseconds)
    #expect(!count().isEmpty && bench.approvals.isEmpty)
  }

  /// A command line that is longer than the room for it, and the lines that it may have.
  private static let large: [(String, Int32)] = [
    (String(repeating: "echo 0123456789; ", count: 22), 24), (String(repeating: "true; ", count: 20), 1),
  ]

  @Test(arguments: large) func `What there is no room to show whole cannot be allowed here, but refused and left`(
    command: String, mostLines: Int32
  ) {
    let words = "no room to show it whole"
    askForGateway()
    #expect(!bench.painter.texts.joined(separator: " ").contains(words))
    askForGateway(4, command, mostLines: mostLines)
    #expect(bench.painter.texts.joined(separator: " ").contains(words))
    bench.clock.advance(Budget.consentArmMilliseconds)
    _ = count()
    #expect(!bench.approvals.contains { $0.choice == 0 })
    for choice in 1..<3 { #expect(bench.approvals.count { $0.choice == choice } * 16 >= 28 * 44) }
  }
}
