import Codec
import Testing

@testable import talon

@Suite("Reports of the running agent as text") struct LiveViewTests {
  private func gps(_ report: String, _ before: String? = nil, room: Int = 24) -> [String] {
    let (now, past) = (Array(report.utf8), Array((before ?? report).utf8))
    return GpsCommand.lines(JSONView(now.span), JSONView(past.span), room)
  }

  private func imu(_ report: String, _ before: String? = nil) -> [String] {
    let (now, past) = (Array(report.utf8), Array((before ?? report).utf8))
    return ImuView.lines(JSONView(now.span), JSONView(past.span), 24)
  }

  private static func gpsReport(now: Int, bytes: Int, good: Int, satellites: String = "[]") -> String {
    """
    {"now":\(now),"state":"open","receiver":{"phase":"running","baud":38400,"model":"NEO-M9N"},"mode":"3D",
    "fix":{"lat":52.5200066,"lon":13.4049540,"accuracyMeters":2.1,"altitudeMeters":34.2,"speedMps":1.20,
    "headingDeg":214.0,"timestamp":"2026-01-02T03:04:05.000Z"},"fixAge":412,"accuracySource":"receiver","hdop":0.90,
    "time":"2026-01-02T03:04:05.412Z","used":2,"satellites":\(satellites),
    "line":{"bytes":\(bytes),"nmea":{"good":\(good),"badChecksum":3,"damaged":1,"malformed":0,"unread":7}}}
    """
  }

  @Test("a fix: receiver, place, motion, time, and rates from two reports")
  func fix() {
    let lines = gps(
      Self.gpsReport(now: 5_000, bytes: 3_024, good: 40), Self.gpsReport(now: 3_000, bytes: 1_000, good: 17))
    #expect(
      lines == [
        "receiver  open, NEO-M9N, 38400 bit/s, running",
        "fix       3D, 2 satellites in use, 2.1 m (receiver), 0.4 s old",
        "place     52.5200066, 13.4049540, 34.2 m above sea level",
        "motion    1.20 m/s, heading 214.0 degrees",
        "time      2026-01-02T03:04:05.412Z",
        "line      1012 bytes/s",
        "          nmea  11.5/s; errors: 3 checksum, 1 damaged, 0 malformed",
      ])
  }

  @Test("sentences without a checksum are counted where there are any")
  func unchecked() {
    let report = Self.gpsReport(now: 5_000, bytes: 3_024, good: 40)
      .replacing(#""unread":7"#, with: #""unread":7,"unchecked":40"#)
    #expect(
      gps(report).last == "          nmea  40; 40 without a checksum; errors: 3 checksum, 1 damaged, 0 malformed")
  }

  @Test("phrases: how near each came to being heard, and what it needs")
  func phrases() {
    let report = Array(
      #"""
      {"state":"ok","level":0.1,"peak":0.2,"floor":0.001,"gain":1,"wake":{"isAwake":true,"phrases":[
      {"phrase":"computer","threshold":1.25,"score":-3.04},{"phrase":"claude","threshold":-0.3,"score":2},
      {"phrase":"quiet","threshold":1},{"phrase":"hey nobody"},{"phrase":"purple dragon","isLearnt":true}]}}
      """#.utf8)
    let lines = ListenCommand.lines(JSONView(report.span), JSONView(report.span), 24)
    #expect(
      lines.suffix(6) == [
        "phrases     listens", "  computer: -3.0, needs 1.3", "  claude: 2.0, needs -0.3  heard",
        "  quiet: -, needs 1.0",
        "  hey nobody: cannot be detected, because it has no vector",
        "  purple dragon: is being learned from its spelling",
      ])
  }

  @Test("words: what the recognizer makes of what was said, how sure it is, and what goes on")
  func words() {
    func line(_ words: String) -> String? {
      let report = Array(#"{"state":"ok","level":0.1,"peak":0.2,"floor":0.001,"gain":1,"words":\#(words)}"#.utf8)
      return ListenCommand.lines(JSONView(report.span), JSONView(report.span), 24).last
    }
    #expect(line(#"{"state":"listens"}"#) == "words       none")
    #expect(
      line(#"{"state":"hears","age":9,"text":"old","confidence":1,"isEnough":true}"#) == "words       speech is heard")
    #expect(line(#"{"state":"understands"}"#) == "words       speech is being understood")
    #expect(line(#"{"state":"yields"}"#) == "words       somebody talks with the board")
    #expect(
      line(#"{"state":"listens","age":9,"text":"turn on the light","confidence":0.289999991655,"isEnough":true}"#)
        == #"words       "turn on the light" (29 %)"#)
    #expect(
      line(#"{"state":"listens","age":9,"text":"turn","confidence":0.3996,"isEnough":false}"#)
        == #"words       "turn" (40 %: too little)"#)
    #expect(line(#"{"state":"listens","age":9,"text":""}"#) == "words       none in what was heard")
    #expect(line(#"{"state":"listens","age":9,"failure":"no model"}"#) == "words       not understood: no model")
    // What a terminal's line has no room for is left out.
    let long = line(
      #"{"state":"listens","age":9,"text":"\#(String(repeating: "word ", count: 50))","confidence":1,"isEnough":true}"#)
    #expect(long == #"words       "\#(String(repeating: "word ", count: 8))..." (100 %)"#)
  }

  @Test("satellites that are counted and not listed are in use all the same")
  func counted() {
    let report = #"{"mode":"3D","used":0,"fix":{"satellites":9,"accuracyMeters":4.5},"accuracySource":"geometry"}"#
    #expect(gps(report)[1] == "fix       3D, 9 satellites in use, 4.5 m (geometry), 0.0 s old")
  }

  @Test("without a fix, and without a receiver")
  func nothing() {
    #expect(
      gps(
        #"{"now":1,"state":"lost","reason":"no such file or directory","receiver":{"phase":"idle"},"mode":"none","used":0}"#
      )
        == ["receiver  lost: no such file or directory", "fix       none, 0 satellites in use"])
    #expect(gps("{}").count == 2)
  }

  @Test("the sky: those in use first, the strongest before others, with bars; as many as there is room for")
  func sky() {
    let satellites = """
      [{"system":"GPS","number":5,"elevation":45,"azimuth":120,"strength":38,"isUsed":true},
      {"system":"Galileo","number":11,"isUsed":false},
      {"system":"GLONASS","number":7,"elevation":-3,"azimuth":7,"strength":44,"isUsed":false},
      {"system":"SBAS","number":123,"elevation":30,"azimuth":200,"strength":41,"isUsed":true}]
      """
    let report = Self.gpsReport(now: 5, bytes: 0, good: 0, satellites: satellites)
    #expect(
      gps(report).suffix(6) == [
        "", "  system  number elev  azim  dB-Hz",
        "* SBAS     123   30   200   41  ####################",
        "* GPS        5   45   120   38  ###################",
        "  GLONASS    7   -3     7   44  ######################",
        "  Galileo   11    -     -    0  ",
      ])
    let short = gps(report, room: 12)
    #expect(short.count == 12 && short.last == "  and 2 more")
  }

  @Test("no line is wider than a serial console, whatever there is to say")
  func width() {
    let satellites = (1...96).map {
      #"{"system":"Galileo","number":\#($0 + 100),"elevation":-90,"azimuth":359,"strength":99,"isUsed":true}"#
    }.joined(separator: ",")
    let lines = gps(Self.gpsReport(now: 5, bytes: 0, good: 0, satellites: "[\(satellites)]"), room: 200)
    #expect(lines.count > 96 && lines.allSatisfy { $0.utf8.count < 80 })
  }

  @Test("counters that began anew count from nothing, and a report alone has no rates")
  func rates() {
    let first = Self.gpsReport(now: 3_000, bytes: 9_000, good: 90)
    #expect(gps(Self.gpsReport(now: 5_000, bytes: 10, good: 1), first)[5] == "line      0.0 bytes/s")
    #expect(gps(first)[5] == "line      9000 bytes")
  }

  @Test("a sensor: axes, tilt, steps and activity")
  func sensor() {
    func report(_ now: Int, _ samples: Int) -> String {
      """
      {"now":\(now),"state":"open","sensor":"MPU-6050","rate":50.0,"samples":\(samples),
      "acceleration":[0.012,-0.003,1.001],
      "rotation":[0.1,0.0,-12.5],"pitch":0.7,"roll":-0.2,"steps":1234,"distanceMeters":876.5,"cadence":108,
      "activity":"walking","confidence":"high","activityAge":35400,"impacts":2,"gaps":0,"failures":1}
      """
    }
    #expect(
      imu(report(3_000, 150), report(1_000, 50)) == [
        "sensor    open, MPU-6050, 50.0 samples/s (50.0 now)",
        "axes      x    0.012  y   -0.003  z    1.001   g",
        "turning   x      0.1  y      0.0  z    -12.5   degrees/s",
        "tilt      pitch 0.7, roll -0.2 degrees",
        "steps     1234, 876.5 m, 108 a minute",
        "activity  walking (high), for 35 s",
        "counted   2 impacts; 0 gaps, 1 failures of the sensor",
      ])
    #expect(imu(#"{"state":"absent","steps":0,"distanceMeters":0.0}"#)[0] == "sensor    absent")
  }
}
