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

  @Test("stalls are the averages over ten seconds, in percent")
  func stall() {
    let text = "some avg10=7.25 avg60=2.11 avg300=0.40 total=9483321\nfull avg10=3.50 avg60=1.02 avg300=0.19 total=5\n"
    #expect(StallReading(pressure: text.utf8.span) == StallReading(some: 7.25, full: 3.5))
  }

  @Test(
    "stalls that are torn or cannot be are none",
    arguments: [
      "", "some avg10=1.00\n", "some avg10=\nfull avg10=1.00", "some avg10=101.00\nfull avg10=1.00", "some\nfull",
    ])
  func noStall(text: String) { #expect(StallReading(pressure: text.utf8.span) == nil) }
}
