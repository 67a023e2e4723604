import Foundation
import Runtime
import TestSupport
import Testing

@testable import Panel

@Suite struct SignalTests {
  @Test func `Of all that holds the most urgent is said`() {
    var signals = SignalSet()
    #expect(signals.first == nil)
    signals[.connected] = true
    signals[.panic] = true
    #expect(signals.first == .panic)
    signals[.live] = true
    #expect(signals.first == .live)
    signals[.live] = false
    signals[.panic] = false
    #expect(signals.first == .connected)
  }

  @Test func `A camera that is on comes before everything`() {
    var all = SignalSet()
    for signal in Signal.allCases { all[signal] = true }
    #expect(all.first == .live)
  }

  @Test func `Each signal has a word of its own, which finds it`() {
    for signal in Signal.allCases {
      #expect(SignalTable.signal(word: String(decoding: signal.word.bytes, as: UTF8.self).utf8.span) == signal)
    }
    for word in ["", "liv", "lives", "LIVE"] { #expect(SignalTable.signal(word: word.utf8.span) == nil) }
  }

  // MARK: Patterns

  /// A pattern as a light of one color shows it.
  private func flashes(_ signal: Signal) -> [String] {
    signal.pattern.steps.map { "\($0.color == .dark ? "dark" : "lit") \($0.duration)" }
  }

  @Test func `No two signals look alike on a light of one colour`() {
    let all = Signal.allCases.map(flashes)
    #expect(Set(all).count == all.count)
  }

  @Test func `Even rhythms differ by a factor that an eye sees`() {
    let times = Signal.allCases.compactMap { signal in
      if case .even(let time) = SignalTable.entry(signal).rhythm { time } else { nil }
    }.sorted()
    for (fast, slow) in zip(times, times.dropFirst()) { #expect(Double(slow) / Double(fast) >= 2.5) }
  }

  @Test func `What has to be counted is six flashes at most, and the pause is no gap`() {
    for signal in Signal.allCases {
      let steps = signal.pattern.steps
      #expect(steps.count <= Budget.lightSteps)
      switch SignalTable.entry(signal).rhythm {
      case .blinks(let count), .longs(let count):
        #expect(1...6 ~= count && steps.count == 2 * count)
      case .longAndBlinks(let count):
        #expect(1...5 ~= count && steps.count == 2 * count + 2)
      default: continue
      }
      let gaps = steps.dropLast().filter { $0.color == .dark }.map(\.duration)
      #expect(gaps.allSatisfy { steps.last!.duration >= 5 * $0 })
      #expect(steps.filter { $0.color != .dark }.allSatisfy { $0.duration >= 200 })
    }
  }

  @Test func `Every pattern changes what was lit before, and its steps follow each other in colours that differ`() {
    for signal in Signal.allCases {
      let steps = signal.pattern.steps
      let beginsDark: [Signal] = [.pressed, .working, .listening, .understanding, .speaking]
      #expect((steps[0].color == .dark) == beginsDark.contains(signal))
      guard !signal.pattern.isSteady else { continue }
      for (step, next) in zip(steps, steps.dropFirst() + steps.prefix(1)) {
        #expect(step.color != next.color)
        #expect(step.duration > 0)
      }
    }
  }

  @Test func `The rhythm in words says the number in the rhythm`() {
    for signal in Signal.allCases {
      let entry = SignalTable.entry(signal)
      let text = String(decoding: entry.rhythmText.bytes, as: UTF8.self)
      switch entry.rhythm {
      case .dark: #expect(text.hasPrefix("dark"))
      case .steady: #expect(text == "lit")
      case .blinks(let count): #expect(text == "\(count) short, pause")
      case .longs(let count): #expect(text == "\(count) long, pause")
      case .longAndBlinks(let count): #expect(text == "1 long, \(count) short, pause")
      case .dips(let count): #expect(text == "lit, \(count) short gaps")
      case .even, .wink: #expect(!text.isEmpty)
      }
    }
  }

  // MARK: Handbook

  private static let handbook = (try? Repository.text("docs/owners/light-and-button.md")) ?? ""
  private static let heading = "## What the light says\n"

  private func row(_ signal: Signal) -> String {
    let entry = SignalTable.entry(signal)
    func text(_ literal: StaticString) -> String { String(decoding: literal.bytes, as: UTF8.self) }
    return
      "| \(text(entry.rhythmText)) | \(text(entry.colorName)) | `\(text(entry.word))` | \(text(entry.meaning)) | \(text(entry.remedy)) |"
  }

  @Test
  func `The handbook shows the table as it is`() throws {
    let section = try #require(Self.handbook.components(separatedBy: Self.heading).dropFirst().first)
    let rows = section.components(separatedBy: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    #expect(Array(rows.dropFirst(2)) == Signal.allCases.map(row))
  }
}
