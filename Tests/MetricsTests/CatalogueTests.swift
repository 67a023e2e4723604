import Foundation
import Runtime
import TestSupport
import Testing

@testable import Metrics

@Suite("The catalogue of series")
struct CatalogueTests {
  private var rows: [MetricRow] { MetricCatalogue.rows }

  @Test("has a row for each series, in their order, and room for them")
  func order() {
    for (index, row) in rows.enumerated() { #expect(row.metric.rawValue == index, "\(row.name)") }
    #expect(Metric(rawValue: rows.count) == nil)
    #expect(rows.count <= Budget.metricSeries)
  }

  @Test("names its series by Prometheus' rules")
  func names() {
    for row in rows {
      let name = "\(row.name)"
      #expect(name.wholeMatch(of: /talon_[a-z0-9]+(_[a-z0-9]+)*/) != nil, "\(name)")
      #expect(name.hasSuffix("_total") == (row.kind == .counter), "\(name)")
      #expect("\(row.help)".hasSuffix("."), "\(name)")
      #expect(row.labels.map { "\($0.name)" } == row.labels.map { "\($0.name)" }.sorted(), "\(name)")
      for unit in ["_ms", "_percent", "_milliseconds", "_kilobytes", "_mb"] {
        #expect(!name.hasSuffix(unit), "\(name)")
      }
    }
    let series = rows.map { row in
      "\(row.name)"
        + row.labels.map { label in if case .literal(let value) = label.value { "\(value)" } else { "" } }
        .joined()
    }
    #expect(Set(series).count == rows.count)
  }

  @Test("the edges of a turn's buckets are those of the loop")
  func edges() {
    for edge in 0..<TurnTimes.edges.count {
      guard case .literal(let text) = rows[Metric.turn5ms.rawValue + edge].labels[0].value else { return }
      #expect(Double("\(text)") == Double(TurnTimes.edges[edge]) / 1000)
    }
    #expect(Metric.turnAll.rawValue == Metric.turn5ms.rawValue + TurnTimes.edges.count)
  }

  @Test("one family has one type and one help")
  func families() {
    for (_, family) in Dictionary(grouping: rows, by: { "\($0.name)" }) {
      #expect(Set(family.map { "\($0.help)" }).count == 1)
      #expect(Set(family.map { "\($0.kind)" }).count == 1)
    }
  }

  /// The series that a text names: those of expressions, not those of names of alerts.
  private static func series(in text: String) -> Set<String> {
    Set(text.matches(of: /\btalon_[a-z0-9_]+/).map { "\($0.output)" })
  }

  @Test(
    "has every series that the dashboard and the alert rules name",
    arguments: [
      "fleet/talon-dashboard.json", "fleet/talon-alerts.yml", "fleet/talon-alerts-test.yml",
    ])
  func files(_ path: String) throws {
    let known = Set(rows.map { "\($0.name)" })
    let used = Self.series(in: try Repository.text(path))
    #expect(used.count > 5)
    #expect(used.subtracting(known).sorted() == [])
  }

  @Test("is the table of the handbook")
  func handbook() throws {
    let page = try Repository.text("docs/owners/metrics.md")
    var lines: [String] = []
    for row in rows where row.kind != .histogram || row.metric == .turn5ms {
      let name = "\(row.name)".replacing("_bucket", with: "")
      let labels = row.labels.map { "`\($0.name)`" }.joined(separator: ", ")
      let line = "| `\(name)` | \(row.kind) | \(labels) | \(row.help) |"
      if lines.last != line { lines.append(line) }
    }
    for line in lines { #expect(page.contains(line + "\n"), "docs/owners/metrics.md lacks: \(line)") }
    #expect(page.split(separator: "\n").count { $0.hasPrefix("| `talon_") } == lines.count)
  }
}
