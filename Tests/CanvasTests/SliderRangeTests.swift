import Locales
import Testing

@testable import Canvas

@Suite("Values of sliders")
struct SliderRangeTests {
  private func shown(_ range: SliderRange) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      let count = range.writeValue(into: buffer, .plain)
      return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  /// Goes up by keys and down again: every value is another one, is shown as itself, and is met on the way back.
  @Test(
    "steps of any size go up and down by themselves, and are shown",
    arguments: [(0, 0.01, 10), (0, 0.01, 0), (0, 0.001, 10), (0, 1, 400), (-0.002, 0.002, 4), (5, 5.0001, 0)]
      as [(Double, Double, Double)])
  func smallSteps(least: Double, most: Double, divisions: Double) {
    let count = divisions > 0 ? Int(divisions) : 20
    var values = [least]
    for _ in 0..<count {
      let range = SliderRange(least: least, most: most, value: values[values.count - 1], divisions: divisions)
      values.append(range.value(steps: 1))
    }
    #expect(Set(values).count == count + 1 && values.last == most)
    for (index, value) in values.enumerated() {
      let range = SliderRange(least: least, most: most, value: value, divisions: divisions)
      #expect(Double(shown(range)) == value)
      if index > 0 { #expect(range.value(steps: -1) == values[index - 1]) }
      #expect(range.value(at: Double(index) / Double(count)) == value)
    }
  }

  @Test("a value is shown with as many places as it has")
  func places() {
    #expect(shown(SliderRange(least: 0, most: 0.01, value: 0.001, divisions: 10)) == "0.001")
    #expect(shown(SliderRange(least: 0, most: 0.001, value: 0.0003, divisions: 10)) == "0.0003")
    #expect(shown(SliderRange(least: 0, most: 1, value: 0.0025, divisions: 400)) == "0.0025")
    #expect(shown(SliderRange(least: 0, most: 1, value: 0.123456)) == "0.123")
    #expect(shown(SliderRange(least: 0, most: 100, value: 7)) == "7")
    #expect(shown(SliderRange(least: 0, most: 10, value: 2.5, divisions: 4)) == "2.5")
    #expect(SliderRange(least: 0, most: 0, value: 0).value(steps: 1) == 0)
    #expect(SliderRange(least: 3, most: 3, value: 3, divisions: 5).value(at: 1) == 3)
  }
}
