import Foundation
import Testing

@testable import talon_lab

/// What `talon-lab nmea` prints of a recording.
private func lines(_ recording: String, chunk: Int = 4096, wall: Int64? = nil) -> [String] {
  var reading = RecordingReader(wall: wall)
  let bytes = Array(recording.utf8)
  for start in stride(from: 0, to: bytes.count, by: chunk) {
    reading.read(bytes.span.extracting(start..<min(start + chunk, bytes.count)))
  }
  reading.finish()
  return String(decoding: reading.takeOutput(), as: UTF8.self).split(separator: "\n").map(String.init)
}

private func sentence(_ body: String) -> String {
  "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\n"
}

private func epoch(_ time: String, date: String = "091202") -> String {
  sentence("GPRMC,\(time),A,4717.11437,N,00833.91522,E,4.0,77.52,\(date),,,A")
    + sentence("GPGGA,\(time),4717.11437,N,00833.91522,E,1,08,1.01,499.6,M,48.0,M,,")
    + sentence("GPGST,\(time),1.8,,,,3.0,4.0,2.2")
}

@Suite struct RecordingReaderTests {
  private let recording = "noise" + epoch("083559.00") + epoch("083600.00") + epoch("083601.00").dropLast()

  @Test("a line for each epoch, with all that was said of it, the last one included")
  func all() {
    let lines = lines(recording)
    #expect(lines.count == 3)
    for (index, second) in ["35:59", "36:00", "36:01"].enumerated() {
      #expect(
        lines[index] == """
          {"time":"2002-12-09T08:\(second).000Z","lat":47.285239500,"lon":8.565253667,"alt":499.600,"speed":2.058,\
          "heading":77.52,"accuracy":5.00,"mode":"3D","satellites":8,"hdop":1.01}
          """)
    }
  }

  @Test("the lines depend on the bytes alone", arguments: [1, 2, 3, 50, 100])
  func chunks(_ chunk: Int) { #expect(lines(recording, chunk: chunk) == lines(recording)) }

  @Test("on a day that is named, older dates than the last rollover's are not believed")
  func date() throws {
    let noon = try #require(Day(argument: "2026-07-15")?.noon)
    #expect(noon == 1_784_116_800_000)
    #expect(lines(recording, wall: noon).first?.hasPrefix(#"{"time":"2026-07-15T08:35:59.000Z""#) == true)
    #expect(Day(argument: "2026-02-29") == nil && Day(argument: "2026-07") == nil && Day(argument: "") == nil)
  }

  @Test("without a date anywhere there is no fix, and the counts tell what was read")
  func undated() throws {
    var reading = RecordingReader(wall: nil)
    let bytes = Array(epoch("083559.00", date: "").utf8)
    reading.read(bytes.span)
    reading.finish()
    let output = reading.takeOutput()
    #expect(output.isEmpty)
    let counts = try JSONSerialization.jsonObject(with: reading.counts()) as? [String: Any]
    #expect(counts?["bytes"] as? Int == bytes.count && counts?["fixes"] as? Int == 0)
    #expect((counts?["nmea"] as? [String: Int])?["good"] == 3)
  }
}
