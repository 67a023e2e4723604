import ArgumentParser
import Testing

@testable import talon_lab

@Suite("Bars of the lab's figures")
struct BarTests {
  private typealias Rest = FirmwareCommand.Rest
  private typealias Turns = TurnAgent.Turns

  /// The exit code of a command that prints these figures; 0 when it does not fail.
  private func exitCode(_ figures: [Measurement]) -> Int32 {
    var verdict = Verdict()
    verdict.show(figures)
    do { try verdict.finish() } catch { return (error as? ExitCode)?.rawValue ?? -1 }
    return 0
  }

  /// A figure of the bar's unit, or so many times a yardstick.
  private func figure(_ value: Double, _ bar: Bar) -> Measurement {
    guard bar.row.unit == Bar.times else {
      return Measurement(name: bar.rawValue, value: value, unit: bar.row.unit, bar: bar)
    }
    return Measurement(name: bar.rawValue, value: 8 * value, unit: "ms", yardstick: ("other", 8), bar: bar)
  }

  @Test(
    "a figure at its bar passes, one beyond it ends the command with 1, and so does one that is none",
    arguments: Bar.allCases)
  func each(_ bar: Bar) {
    let (_, side, limit, _) = bar.row
    let better = side == .atMost ? limit - 1 : limit + 1
    let worse = side == .atMost ? limit * 1.01 + 0.01 : limit * 0.99 - 0.01
    #expect(exitCode([figure(limit, bar)]) == 0 && exitCode([figure(better, bar)]) == 0)
    #expect(exitCode([figure(better, bar), figure(worse, bar), figure(better, bar)]) == 1)
    #expect(exitCode([figure(.nan, bar)]) == 1)
    #expect(exitCode([Measurement(name: "", value: better, unit: "furlongs", bar: bar)]) == 1, "nothing was compared")
  }

  @Test("the line of a figure has its bar, and says when it was missed")
  func lines() {
    let good = Measurement(name: "a", value: 3, unit: "MB", bar: .idlePSS).line
    #expect(good.hasSuffix("(bar: at most 5 MB)") && good.contains(" 3 MB "))
    #expect(
      Measurement(name: "a", value: 5.01, unit: "MB", bar: .idlePSS).line.hasSuffix("(bar: at most 5 MB, MISSED)"))
    #expect(Measurement(name: "a", value: 1, unit: "ms", bar: .photo).line.hasSuffix("(bar: at most 1.25 x, MISSED)"))
    #expect(figure(2, .invokeAllocations).line.hasSuffix("(bar: at most 0, MISSED)"))
    #expect(!Measurement(name: "a", value: 1e9, unit: "MB").line.contains("bar"))
  }

  // MARK: Planted regressions

  private func missed(_ figures: [Measurement]) -> [Bar] { figures.filter(\.isMissed).compactMap(\.bar) }

  private func rest(
    pss: Double = 4.9e6, anonymous: Double = 2.3e6, wakeUps: Double = 12, cpu: Double = 0.03
  ) -> Rest {
    Rest(
      before: .init(pss: 4e6, anonymous: 1e6, wakeups: 100, cpu: 2),
      after: .init(pss: pss, anonymous: anonymous, wakeups: 100 + wakeUps, cpu: 2 + cpu), seconds: 60)
  }

  @Test("a firmware that is worse in one thing misses the bar of that")
  func firmware() {
    #expect(missed([FirmwareCommand.start([0.2, 0.011, 0.012])]).isEmpty, "the median counts")
    #expect(missed([FirmwareCommand.start([0.2, 0.011, 0.051])]) == [.start])
    #expect(missed(FirmwareCommand.figures(of: rest())).isEmpty)
    #expect(missed(FirmwareCommand.figures(of: rest(pss: 5.1e6))) == [.idlePSS])
    #expect(missed(FirmwareCommand.figures(of: rest(anonymous: 2.5e6))) == [.idleAnonymous])
    #expect(missed(FirmwareCommand.figures(of: rest(wakeUps: 61))) == [.idleWakeUps])
    #expect(missed(FirmwareCommand.figures(of: rest(cpu: 0.07))) == [.idleCPU])
  }

  @Test("a section that costs more in one thing misses the bar of that")
  func section() {
    func missed(_ more: Rest) -> [Bar] { self.missed(FirmwareCommand.figures(of: more, beside: rest())) }
    #expect(missed(rest()).isEmpty)
    #expect(missed(rest(pss: 5.01e6)) == [.sectionPSS])
    #expect(missed(rest(anonymous: 2.41e6)) == [.sectionAnonymous])
    #expect(missed(rest(wakeUps: 14)) == [.sectionWakeUps])
    #expect(missed(rest(cpu: 0.05)) == [.sectionCPU])
  }

  @Test("what comes back too late, too often, too slowly or not whole misses its bar")
  func others() {
    #expect(missed([RecoveryCommand.figure("", 44.9), FleetCommand.figure(59.9)]).isEmpty)
    #expect(missed([RecoveryCommand.figure("", 45.1), FleetCommand.figure(.infinity)]) == [.recovery, .fleetBack])
    #expect(missed([UpdatesCommand.figure(30, usual: 10), SimulateCommand.figure(1)]).isEmpty)
    #expect(
      missed([UpdatesCommand.figure(31, usual: 10), SimulateCommand.figure(0.9)])
        == [.pollsAfterReturn, .simulatedYears])
    #expect(missed(MetricsCommand.figures(body: 1_700, all: 1_990)).isEmpty)
    #expect(missed(MetricsCommand.figures(body: 1_700, all: 2_010)) == [.metricsMinute])
    #expect(missed(MetricsCommand.figures(lost: 0, disordered: 0, refused: 0)).isEmpty)
    for lost in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
      #expect(missed(MetricsCommand.figures(lost: lost.0, disordered: lost.1, refused: lost.2)) == [.metricsLost])
    }
  }

  @Test(
    "photos that are fitted worse miss the bar of what is worse",
    arguments: [
      (FitRow(bytes: 990, fits: true, encodings: 1, isBound: true), 0, nil as Bar?),
      (FitRow(bytes: 990, fits: true, encodings: 2, isBound: true), 9, .fitEncodings),
      (FitRow(bytes: 990, fits: true, encodings: 3, isBound: true), 1, .fitMost),
      (FitRow(bytes: 930, fits: true, encodings: 1, isBound: true), 9, .fitUsed),
      (FitRow(bytes: 1001, fits: true, encodings: 1, isBound: true), 1, .fitAbove),
    ])
  func fitted(_ row: FitRow, _ count: Int, _ bar: Bar?) {
    var tallies = FitTallies()
    for index in 0..<12 {
      let good = FitRow(bytes: 990, fits: true, encodings: 1, isBound: true)
      tallies.add(index < count ? row : good, to: "talon", 1000)
    }
    #expect(missed(tallies.figures(of: "talon")) == (bar.map { [$0] } ?? []))
    #expect(missed(tallies.figures(of: "nobody")).contains(.fitEncodings), "nothing was measured")
  }

  @Test("one turn that is too long misses its bar, unless it was the machine's fault in one of several runs")
  func turns() {
    let runs = [Turns(longest: 0.0006, count: 5), Turns(longest: 0.009, count: 5)]
    #expect(missed([TurnBench.row("", runs, 0.0007)]).isEmpty)
    #expect(missed([TurnBench.row("", [runs[1]], 0.0007)]) == [.turn])
  }
}

@Suite("The agent of the bench")
struct AgentInMemoryTests {
  @Test("the photo whose memory is measured is sent whole")
  func photo() throws {
    _ = try AgentInMemory().photoMemory()
  }

  @Test("turns are counted while pages and a history come, and something that is refused is not measured")
  func turns() throws {
    #expect(try TurnAgent().receive(.later).count > 1)
    #expect(try TurnAgent().receiveHistory(messages: 4, bytes: 640).count > 1)
    var wrong = TurnPage.later
    wrong.parameters = "{}"
    let page = wrong
    #expect(throws: BenchError.self) { try TurnAgent().receive(page) }
  }
}
