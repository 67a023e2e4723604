import Testing

@testable import talon

/// A hundred things that people type instead of what they mean, and what the sentence that answers must have.
@Suite struct MistakeTests {
  private func says(_ words: [String]) -> String? {
    do throws(Failure) {
      _ = try Talon.run(words)
      return nil
    } catch {
      return error.text
    }
  }

  @Test(
    "a mistake is answered by what was meant, or by what may stand there",
    arguments: [
      // Commands.
      ("statsu", "did you mean talon status?"), ("Status", "did you mean talon status?"),
      ("doctr", "did you mean talon doctor?"), ("conect", "did you mean talon connect?"),
      ("conenct x", "did you mean talon connect?"), ("pannic", "did you mean talon panic?"),
      ("sanp", "did you mean talon snap?"), ("phtos", "did you mean talon photos?"),
      ("logs", "did you mean talon log?"), ("grant", "did you mean talon grants?"),
      ("camra", "did you mean talon camera?"), ("trsut", "did you mean talon trust?"),
      ("updat", "did you mean talon update?"), ("jornal", "did you mean talon journal?"),
      ("discovery", "did you mean talon discover?"), ("relod", "did you mean talon reload?"),
      ("--verison", "talon --help"), ("-x", "talon --help"), ("start", "talon --help"), ("xyzzy", "talon --help"),
      // Options.
      ("status --jsn", "did you mean --json?"), ("doctor --jsno", "did you mean --json?"),
      ("status -j", "does not know -j"), ("doctor --config", "--config needs a file"),
      ("connect --tool safe", "did you mean --tools?"), ("connect --names x", "did you mean --name?"),
      ("connect --concent ask", "did you mean --consent?"), ("trust --authority", "did you mean --authorities?"),
      ("trust --replce", "did you mean --replace?"), ("listen --enroll x", "did you mean --enrol?"),
      ("camera snap --ouf x", "did you mean --out?"), ("discover --secnds 3", "did you mean --seconds?"),
      ("camera snap --out", "--out needs a value"), ("connect --name", "--name needs a value"),
      ("chat --agent", "--agent needs a value"), ("support --out", "--out needs a value"),
      ("connect --scan --device", "--device needs a value"), ("gps --seconds 3", "does not know --seconds"),
      // Values of options.
      ("connect --tools some", "none, safe or all"), ("connect --consent maybe", "allow or ask"),
      ("connect --camera yes", "allow, ask or never"), ("connect --microphone off", "allow, ask or never"),
      ("connect --wait --later x", "exclude each other"), ("connect --microphon ask", "did you mean --microphone?"),
      ("connect --scan --seconds 0", "from 1 to 600"), ("connect --scan --seconds soon", "from 1 to 600"),
      ("log --lines x", "from 1 to 256"), ("light test --seconds x", "from 1 to 3600"),
      ("camera modes --width x", "from 2 to 65535"), ("snap --width big", "from 2 to 65535"),
      ("discover --seconds x", "from 1 to 60"), ("discover --seconds -1", "from 1 to 60"),
      ("trust --replace xyz", "64 hexadecimal digits"), ("log level loud", "error, warning, notice, info, debug"),
      // Words too many and too few.
      ("status x", "\"x\""), ("run now", "\"now\""), ("doctor gateway", "\"gateway\""), ("identity x", "\"x\""),
      ("connect a b", "\"b\""), ("photos delete x", "\"x\""), ("selftest x", "\"x\""), ("update x y z", "\"y\""),
      ("beacon now", "\"now\""), ("history x", "\"x\""), ("sessions x", "\"x\""), ("reload x", "\"x\""),
      ("talk onn", "\"onn\""), ("io safe x", "\"x\""), ("version x", "\"x\""), ("listen list x", "\"x\""),
      ("trust x", "needs --replace"), ("trust --authorities x", "needs --replace"),
      ("trust --replace abc def", "\"def\""), ("config", "talon config check"), ("camera", "talon camera list"),
      ("say", "talon say"), ("event", "talon event"), ("hear", "talon hear"), ("io", "talon io"),
      // Words of commands.
      ("config foo", "talon config check"), ("config set", "\"config set\" is not understood"),
      ("config set gateway.url", "SECTION.KEY VALUE"), ("config set gateway url wss://a", "\"wss://a\""),
      ("config set url wss://a", "as in gateway.url"), ("config set gateway.ulr wss://a", "did you mean url?"),
      ("config set gatway.url wss://a", "did you mean [gateway]?"), ("config unset gateway.ulr", "did you mean url?"),
      ("config set node.url wss://a", "[gateway] has a key of that name"),
      ("config show gatway", "did you mean [gateway]?"),
      ("config set tools.publish sfae", "can only be set in the file"), ("config get gateway.url", "show [SECTION]"),
      ("config check /etc/passwd", "is not understood"), ("config check --config /tmp", "is a directory"),
      ("config check --config /no", "no such file"), ("camera lst", "list, modes, controls or snap"),
      ("camera snap", "--out FILE"), ("panic relase", "talon panic release"), ("photos delte", "photos delete"),
      ("log folow", "log follow"), ("log level", "needs a level"), ("light connectd", "lists them"),
      ("imu calibarte", "imu calibrate"), ("screen foo", "screen test"), ("tools tets", "tools test NAME"),
      ("grants foo", "give WHAT"), ("grants give", "give WHAT"), ("grants give camra", "did you mean camera?"),
      ("grants give camera forever", "90s, 10m or 2h"), ("grants give camera 99d", "90s, 10m or 2h"),
      ("grants end foo", "\"foo\""), ("event foo {bad", "not valid JSON"), ("open foo", "openclaw://"),
      ("open https://x", "openclaw://"),
      // What connects.
      ("connect gw.example", "an address alone"), ("connect 10.0.0.5", "an address alone"),
      ("connect 10.0.0.5:18789", "an address alone"), ("connect fd00::12", "an address alone"),
      ("connect wss://gw.example", "an address alone"), ("connect ws://", "an address alone"),
      ("connect http://gw/j/abc", "22 characters"), ("connect https://gw.example/", "22 characters"),
      ("connect openclaw://foo", "openclaw://gateway"), ("connect oc-pair://x", "was all of it copied?"),
      ("connect notacode", "was all of it copied?"), ("connect ./nofile", "no such file"),
    ])
  func mistake(typed: String, expected: String) {
    let answer = says(typed.split(separator: " ").map(String.init))
    #expect(answer?.contains(expected) == true, "\(answer ?? "it ran")")
  }
}
