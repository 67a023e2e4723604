import Codec
import Testing

@Suite("The two laws of telephony")
struct G711Tests {
  @Test("µ-law: the ends and the middle of the scale (G.711, table 2)")
  func ends() {
    #expect(G711.muLaw(encoding: 0) == 0xFF)
    #expect(G711.muLaw(encoding: 32_767) == 0x80)
    #expect(G711.muLaw(encoding: -32_768) == 0x00)
    #expect(G711.muLaw(0x80) == 32_124)
    #expect(G711.muLaw(0x00) == -32_124)
    #expect(G711.muLaw(0xFF) == 0)
    // Decision values 8159 and 4063 of 14 bits bound the highest segment.
    #expect(G711.muLaw(encoding: 4_063 * 4) == 0x8F)
    #expect(G711.muLaw(encoding: 4_062 * 4) == 0x90)
  }

  @Test("µ-law: every code says a sample that has this code")
  func codes() {
    for code in 0...255 as ClosedRange<UInt8> where code != 0x7F {
      #expect(G711.muLaw(encoding: G711.muLaw(code)) == code)
    }
  }

  @Test("µ-law: no sample is further from its code than half a step of its segment")
  func steps() {
    for value in stride(from: -32_635, through: 32_635, by: 7) {
      let error = abs(Int(G711.muLaw(G711.muLaw(encoding: Int16(value)))) - value)
      #expect(error <= max(4, (abs(value) + 132) / 32))
    }
  }

  @Test("A-law: the ends and the middle of the scale (G.711, table 1a)")
  func aLawEnds() {
    #expect(G711.aLaw(0xAA) == 32_256)
    #expect(G711.aLaw(0x2A) == -32_256)
    #expect(G711.aLaw(0xD5) == 8)
    #expect(G711.aLaw(encoding: 32_767) == 0xAA)
    #expect(G711.aLaw(encoding: -32_768) == 0x2A)
  }

  @Test("A-law: every code says a sample that has this code")
  func aLawCodes() {
    for code in 0...255 as ClosedRange<UInt8> { #expect(G711.aLaw(encoding: G711.aLaw(code)) == code) }
  }
}
