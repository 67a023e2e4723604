import Testing

@testable import Location

@Suite struct FixTests {
  private let fix = Fix(
    latitude: 48.1173, longitude: -11.51666666666, accuracy: 4.5, altitude: 545.4, speed: 11.5235555,
    heading: 84.4, instant: 1_784_118_919_250, arrival: 0, isMeasured: true)

  @Test("the result has the keys of the schema, degrees to a centimetre and the instant of the fix")
  func result() {
    #expect(
      json { fix.write(to: &$0) } == """
        {"lat":48.1173000,"lon":-11.5166667,"accuracyMeters":4.5,"altitudeMeters":545.4,"speedMps":11.52,\
        "headingDeg":84.4,"timestamp":"2026-07-15T12:35:19.250Z","isPrecise":true,"source":"gps"}
        """)
  }

  @Test("what is not known is left out, and what was not measured has no source")
  func sparse() {
    var fix = fix
    (fix.altitude, fix.speed, fix.heading, fix.isMeasured, fix.accuracy) = (nil, nil, nil, false, 150)
    #expect(
      json { fix.write(to: &$0) } == """
        {"lat":48.1173000,"lon":-11.5166667,"accuracyMeters":150.0,"timestamp":"2026-07-15T12:35:19.250Z",\
        "isPrecise":false,"source":"unknown"}
        """)
  }

  @Test("a heading never rounds up to a full circle", arguments: [359.96, 359.999])
  func fullCircle(heading: Double) {
    var fix = fix
    fix.heading = heading
    #expect(json { fix.write(to: &$0) }.contains(#""headingDeg":0.0,"#))
  }

  @Test("satellites and vertical error are reported when they are known")
  func additions() {
    var fix = fix
    (fix.satellites, fix.verticalAccuracy) = (9, 3.94)
    #expect(
      json { fix.write(to: &$0) }.hasSuffix(
        #""source":"gps","satellites":9,"verticalAccuracyMeters":3.9}"#))
  }
}
