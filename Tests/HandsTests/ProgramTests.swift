import Codec
import Testing

@testable import Hands

@Suite("Command lines of programs") struct ProgramTemplateTests {
  private func template(_ text: String) throws -> ProgramTemplate {
    let (template, complaint) = ProgramTemplate.parse(text)
    #expect(complaint.isEmpty, "\(complaint)")
    return try #require(template)
  }

  /// The words that an agent's arguments make, or nil when they are refused.
  private func words(_ template: ProgramTemplate, _ arguments: String) -> [String]? {
    let words = ProgramWords()
    do throws(ProgramTemplate.Refusal) {
      try template.fill(words, JSONView(arguments.utf8.span))
    } catch {
      return nil
    }
    var list: [String] = []
    words.forEach { list.append($0.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }) }
    return list
  }

  @Test("places are filled within words, and each word stays one")
  func fills() throws {
    let valve = try template(
      "/usr/local/bin/valve --zone {zone number 1..8} --mode={choice open shut} {note text 40 [a-z ]}")
    #expect(valve.path == "/usr/local/bin/valve")
    #expect(
      words(valve, #"{"zone":3,"choice":"open","note":"by the wall; rm"}"#) == nil)
    #expect(
      words(valve, #"{"zone":3,"choice":"open","note":"by the wall"}"#)
        == ["/usr/local/bin/valve", "--zone", "3", "--mode=open", "by the wall"])
    #expect(words(valve, #"{"zone":3,"choice":"open","note":""}"#)?.last == "")
  }

  @Test("what the owner does not allow is refused")
  func refuses() throws {
    let valve = try template("/bin/valve {zone number 1..8} {mode choice open shut} {note text 5}")
    let right = #"{"zone":8.0,"mode":"shut","note":"ok"}"#
    #expect(words(valve, right) == ["/bin/valve", "8", "shut", "ok"])
    for wrong in [
      "{}", #"{"zone":9,"mode":"shut","note":"ok"}"#, #"{"zone":1.5,"mode":"shut","note":"ok"}"#,
      #"{"zone":"1","mode":"shut","note":"ok"}"#, #"{"zone":1,"mode":"ajar","note":"ok"}"#,
      #"{"zone":1,"mode":"shut","note":"longer"}"#, #"{"zone":1,"mode":"shut","note":"a\u0000b"}"#,
      #"{"zone":1,"mode":"shut","note":"$(x)"}"#, #"{"zone":1,"mode":"shut","note":"-rf"}"#,
      #"{"zone":1,"mode":"shut","note":null}"#, #"{"zone":1,"mode":"shut"}"#,
    ] { #expect(words(valve, wrong) == nil, "\(wrong)") }
  }

  @Test("a number with a point may have one, a whole range has none")
  func numbers() throws {
    let gain = try template("/bin/gain {number 0.5..2.5}")
    #expect(words(gain, #"{"number":1.25}"#) == ["/bin/gain", "1.25"])
    #expect(words(gain, #"{"number":2.6}"#) == nil)
    let offset = try template("/bin/gain {number -5..5}")
    #expect(words(offset, #"{"number":-5}"#) == ["/bin/gain", "-5"])
  }

  @Test("a program without places takes nothing from the agent")
  func plain() throws {
    #expect(words(try template("/sbin/ip -s link"), #"{"zone":1}"#) == ["/sbin/ip", "-s", "link"])
  }

  @Test("more words or bytes than there is room for are refused")
  func bounds() throws {
    let long = "/bin/x " + String(repeating: "{a text 512 [a]}", count: 1)
    #expect(words(try template(long), "{\"a\":\"" + String(repeating: "a", count: 512) + "\"}")?[1].count == 512)
    #expect(ProgramTemplate.parse("/bin/x" + String(repeating: " y", count: 32)).template == nil)
    let full = try template("/bin/x " + String(repeating: "y", count: 4090))
    #expect(words(full, "{}") == nil)
  }

  @Test(
    "a wrong command line is refused",
    arguments: [
      "", "valve", "{number 0..1}", "/bin/x{number 0..1}", "/bin/x {", "/bin/x }", "/bin/x {}", "/bin/x {number}",
      "/bin/x {number 1..0}", "/bin/x {choice}", "/bin/x {text}", "/bin/x {text 0}", "/bin/x {text 600}",
      "/bin/x {text 5 [}", "/bin/x {Zone number 0..1}", "/bin/x {number 0..1} {number 0..1}", "/bin/x {a b c}",
      "/bin/x {number 0..1e15}", "/bin/x \u{7f}", "/bin/x {text 5 [a] b}",
    ])
  func wrong(text: String) {
    let (template, complaint) = ProgramTemplate.parse(text)
    #expect(template == nil && !complaint.isEmpty)
  }
}
