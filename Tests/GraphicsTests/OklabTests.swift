import Testing

@testable import Graphics

@Suite("Perceptual colors")
struct OklabTests {
  /// Of the author's reference implementation.
  @Test(
    "colors are where the reference has them",
    arguments: [
      (0xFFFFFF, 1, 0, 0), (0x000000, 0, 0, 0), (0xFF0000, 0.628, 0.225, 0.126), (0x00FF00, 0.866, -0.234, 0.179),
      (0x0000FF, 0.452, -0.032, -0.312), (0x808080, 0.600, 0, 0), (0x22C55E, 0.723, -0.166, 0.097),
    ] as [(UInt32, Float, Float, Float)])
  func reference(rgb: UInt32, lightness: Float, a: Float, b: Float) {
    let color = Oklab(Color(rgb))
    #expect(abs(color.lightness - lightness) < 0.002 && abs(color.a - a) < 0.002 && abs(color.b - b) < 0.002)
  }

  @Test("every color of the screen comes back")
  func roundTrip() {
    for rgb in stride(from: UInt32(0), through: 0xFFFFFF, by: 9_973) {
      let back = Oklab(Color(rgb)).color
      let isNear = abs(Int(back.red) - Int(rgb >> 16)) <= 1 && abs(Int(back.green) - Int(rgb >> 8 & 255)) <= 1
      #expect(isNear && abs(Int(back.blue) - Int(rgb & 255)) <= 1, "\(rgb)")
    }
  }

  @Test("a tone that no screen has keeps its lightness and its hue")
  func gamut() {
    let green = Oklab(Color(0x22C55E))
    for lightness in [Float(0.1), 0.5, 0.97] {
      let tone = green.tone(lightness, chroma: 0.4)
      let shown = Oklab(tone.color)
      #expect(abs(shown.lightness - lightness) < 0.02 && shown.chroma > 0.01)
      // The same direction from gray.
      #expect((shown.a * tone.a + shown.b * tone.b) / (shown.chroma * tone.chroma) > 0.99)
    }
    #expect(Oklab(Color(0x808080)).tone(0.5, chroma: 0.2).chroma == 0)
  }

  @Test("contrasts are those of WCAG")
  func contrast() {
    #expect(abs(Color.white.contrast(with: .black) - 21) < 0.01)
    #expect(abs(Color(0x777777).contrast(with: .white) - 4.48) < 0.01)
    #expect(Color(0x123456).contrast(with: Color(0x123456)) == 1)
  }

  @Test("a color that cannot be told from its grounds becomes a tone that can", arguments: [Float(3), 4.5, 7])
  func legible(wanted: Float) {
    for rgb in stride(from: UInt32(0), through: 0xFFFFFF, by: 99_991) {
      for colors in [[Color(0x0B0F17), Color(0x1A2130)], [Color(0xF4F6F9), .white]] {
        var grounds = Grounds()
        for color in colors { grounds.add(color) }
        let shown = Color(rgb).legible(on: grounds, contrast: wanted)
        #expect(colors.allSatisfy { shown.contrast(with: $0) >= wanted }, "\(rgb)")
      }
    }
    var night = Grounds()
    night.add(.black)
    #expect(night.areDark && Color.white.legible(on: night, contrast: wanted) == .white)
  }

  @Test("what is half seen is mixed with its ground")
  func over() {
    #expect(Color(argb: 0x80FF_FFFF).over(.black) == Color(0x808080))
    #expect(Color(argb: 0xFF12_3456).over(.white) == Color(0x123456) && Color.clear.over(.white) == .white)
  }
}
