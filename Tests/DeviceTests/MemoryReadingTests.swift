import Testing

@testable import Device

@Suite struct MemoryReadingTests {
  @Test("totals come from meminfo, in bytes")
  func meminfo() {
    let text = "MemTotal:         498828 kB\nMemFree:           12345 kB\nMemAvailable:     249414 kB\n"
    let memory = MemoryReading(meminfo: text.utf8.span)
    #expect(memory == MemoryReading(totalBytes: 498_828 * 1024, availableBytes: 249_414 * 1024))
  }

  @Test(
    "without both numbers, memory is unknown",
    arguments: [
      "", "MemTotal: 100 kB\n", "MemAvailable: 100 kB\n", "MemTotal: 0 kB\nMemAvailable: 0 kB\n",
      "MemTotal: x kB\nMemAvailable: 1 kB\n", "MemTotal: 100 MB\nMemAvailable: 1 kB\n",
      "MemTotal:\nMemAvailable: 1 kB\n", "MemTotal: 18446744073709551615 kB\nMemAvailable: 1 kB\n",
    ])
  func unknown(text: String) {
    #expect(MemoryReading(meminfo: text.utf8.span) == nil)
  }

  @Test(
    "pressure goes by the part that is available",
    arguments: [
      (0, "critical"), (50, "critical"), (51, "high"), (150, "high"), (151, "moderate"), (300, "moderate"),
      (301, "normal"), (1000, "normal"), (2000, "normal"),
    ])
  func pressure(available: UInt64, word: String) {
    let memory = MemoryReading(totalBytes: 1000, availableBytes: available)
    #expect("\(memory.pressure)" == word)
    #expect(memory.isLow == (word == "critical"))
    #expect(memory.thresholdBytes == 50)
    #expect(memory.availableBytes <= memory.totalBytes)
  }
}
