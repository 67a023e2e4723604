import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

/// Allows so many questions, and counts them.
private final class CountingMeter: WorkMeter {
  private let allowed: Int
  private(set) var asked = 0

  init(allowing allowed: Int = .max) { self.allowed = allowed }

  var isOver: Bool {
    asked += 1
    return asked > allowed
  }
}

@Suite("How much work a drawing is")
struct SVGWorkTests {
  private func draw(
    _ body: String, on size: Size = Size(1000, 1000), _ meter: any WorkMeter
  ) throws -> (report: SVGReport, sheet: Sheet) {
    let sheet = try Sheet(size.width, size.height)
    let text = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1000 1000'>\(body)</svg>"
    let bytes = Array(text.utf8)
    let report = try bytes.withUnsafeBufferPointer { bytes throws(SVGError) in
      try SVG.render(bytes, into: sheet.pixels, size, fonts: nil, pictures: nil, meter: meter)
    }
    return (report, sheet)
  }

  private func groups(_ count: Int, _ shape: String) -> String {
    String(repeating: "<g opacity='.9'>\(shape)</g>", count: count)
  }

  @Test("small groups that fade take no more than what is drawn in them")
  func smallGroups() throws {
    let meter = CountingMeter()
    let (report, sheet) = try draw(groups(5_000, "<rect x='500' y='20' width='20' height='20'/>"), meter)
    #expect(report.drawn == 5_000 && !report.isLate)
    #expect(sheet[510, 30] & 0xFF_FFFF < 0x20_2020)
    #expect(sheet[490, 30] & 0xFF_FFFF == 0xFF_FFFF)
    // Each a layer of a million pixels would ask 150 000 times.
    #expect(meter.asked < 1_000, "\(meter.asked)")
  }

  @Test("a group that fades is what it was: of several shapes, moved, in clips, in other groups, under a mask")
  func layers() throws {
    let bodies = [
      "<rect x='100' y='700' width='100' height='100'/><rect x='600' y='100' width='300' height='300' fill='#f00'/>",
      "<g opacity='.5'><circle cx='300' cy='300' r='200'/></g><rect x='200' y='500' width='700' height='300' fill='#0f0'/>",
      "<g clip-path='url(#c)'><rect width='1000' height='1000'/></g>",
      "<g mask='url(#m)'><rect width='1000' height='1000' fill='#00f'/></g>",
      "<g mask='url(#empty)'><rect width='1000' height='1000'/></g><rect width='10' height='10'/>",
    ]
    let definitions = """
      <clipPath id='c'><circle cx='500' cy='500' r='300'/></clipPath>
      <mask id='m'><rect x='300' y='300' width='300' height='100' fill='#fff'/></mask><mask id='empty'/>
      """
    for body in bodies {
      let (_, faded) = try draw(
        "<defs>\(definitions)</defs><g opacity='.5'>\(body)</g>", on: Size(200, 200), CountingMeter())
      let (_, plain) = try draw("<defs>\(definitions)</defs>\(body)", on: Size(200, 200), CountingMeter())
      for y in Int32(0)..<200 {
        for x in Int32(0)..<200 {
          for shift in [UInt32(0), 8, 16] {
            // Half way to the white below.
            let expected = Int((plain[x, y] >> shift & 255) + 255) / 2
            let found = Int(faded[x, y] >> shift & 255)
            if abs(found - expected) > 3 {
              Issue.record("\(body) at \(x),\(y): \(found) instead of \(expected)")
              return
            }
          }
        }
      }
    }
  }

  @Test(
    "when its time is over a drawing ends where it is, and says so",
    arguments: [
      "<g opacity='.5'><rect width='1000' height='1000'/></g>", "<rect width='1000' height='1000'/>",
      "<circle cx='500' cy='500' r='400' stroke='red' stroke-width='9'/>", "<use href='#many'/>",
      "<g clip-path='url(#c)'><rect width='9' height='9'/></g>",
    ])
  func deadline(shape: String) throws {
    let definitions = """
      <defs><clipPath id='c'><circle cx='500' cy='500' r='400'/></clipPath>
      <g id='many'>\(String(repeating: "<rect width='300' height='300'/>", count: 200))</g></defs>
      """
    let meter = CountingMeter(allowing: 300)
    let (report, sheet) = try draw(definitions + String(repeating: shape, count: 5_000), meter)
    #expect(report.isLate)
    #expect(meter.asked == 301)
    #expect(report.omission == .late)
    #expect(report.drawn > 0 && report.drawn < 5_000)
    _ = sheet
  }

  @Test("one shape alone is bounded as well: edges of one scan line in the worst order")
  func edges() throws {
    var path = "M0 0"
    for index in 0..<60_000 { path += "L\(Double(index) / 60) \(index % 2 == 0 ? 1000 : 0)" }
    let meter = CountingMeter(allowing: 200)
    let (report, _) = try draw("<path d='\(path)'/>", meter)
    #expect(report.isLate || report.isCut)
    #expect(meter.asked < 2 * Budget.vectorWork >> 15, "\(meter.asked)")
  }

  @Test("without time nothing is drawn, in words")
  func nothing() throws {
    #expect(throws: SVGError.self) {
      try draw(String(repeating: "<g></g>", count: 1_000) + "<rect width='9' height='9'/>", CountingMeter(allowing: 0))
    }
  }
}
