import Runtime
import Testing

@testable import Metrics

@Suite("Sizes that stand in types")
struct MetricBudgetTests {
  @Test("are those of the budget")
  func sizes() {
    #expect(Budget.metricSeries == 96)
    #expect(Budget.metricLabels == 15)
    #expect(Budget.metricLabelNameBytes == 32)
    #expect(Budget.metricLabelValueBytes == 64)
  }
}
