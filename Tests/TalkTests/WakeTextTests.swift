import Runtime
import Testing

@testable import Talk

@Suite("The wake phrase is taken out of what was understood")
struct WakeTextTests {
  private func command(_ transcript: String, _ phrase: String) -> String? {
    transcript.bytes(WakeText.command(in: transcript.utf8.span, after: phrase.utf8.span))
  }

  @Test(
    "whatever its case, its punctuation, and the spaces in it",
    arguments: [
      ("Computer, what time is it?", "computer", "what time is it?"),
      ("hey COMPUTER! lights on", "computer", "lights on"),
      ("Open Claw: stop", "openclaw", "stop"),
      ("openclaw stop", "open claw", "stop"),
      ("  “Hey Café” — Licht an. ", "hey café", "Licht an."),
      ("ÜBUNG ÄPFEL zählen", "übung äpfel", "zählen"),
      ("Компьютер, включи свет", "компьютер", "включи свет"),
      ("ΑΘΗΝΑ πες μου", "αθηνα", "πες μου"),
      ("Computer computer on", "computer", "computer on"),
    ])
  func found(transcript: String, phrase: String, expected: String) {
    #expect(command(transcript, phrase) == expected)
  }

  @Test("inside another word it is no wake phrase, and nor is a part of it")
  func inside() {
    #expect(command("minicomputers are old", "computer") == nil)
    #expect(command("open the door", "open claw") == nil)
    #expect(command("", "computer") == nil)
    #expect(command("words", "!?") == nil)
  }

  @Test("nothing after it is no command")
  func alone() {
    #expect(command("Computer.", "computer") == "")
    #expect(command("Computer ...!", "computer") == "")
  }

  @Test("after the phrase that was heard, else the first of the others, else all of it")
  func heard() {
    let phrases = ["claude", "computer"]
    func command(_ transcript: String) -> String? {
      let range = WakeText.command(in: transcript.utf8.span, heard: "openclaw".utf8.span, others: 2) { index, body in
        body(phrases[index].utf8.span)
      }
      return transcript.bytes(range)
    }
    #expect(command("open claw ask claude") == "ask claude")
    #expect(command("computer tell claude hello") == "tell claude hello")
    #expect(command("Oh pen clog, what's up") == "Oh pen clog, what's up")
    #expect(command("...") == "")
  }

  @Test("among words with times: the last phrase with a word after it after a pause of 0.45 s")
  func times() {
    let transcript = "the computer is on computer, stop"
    let words = transcript.split(separator: " ")
    var segments: [WakeText.Segment] = []
    var place = 0
    var clock: Int64 = 0
    for (index, word) in words.enumerated() {
      let start = clock + (index == 5 ? 600 : 100)
      clock = start + 300
      segments.append(WakeText.Segment(range: place..<(place + word.utf8.count), start: start, end: clock))
      place += word.utf8.count + 1
    }
    func first(_ phrase: String) -> Int? {
      segments.withUnsafeBufferPointer { WakeText.firstWord(of: transcript.utf8.span, $0, after: phrase.utf8.span) }
    }
    #expect(first("computer") == 5)
    #expect(first("on computer") == 5)
    #expect(first("is") == nil)
    #expect(first("stop") == nil)
  }

  @Test("bytes that are no UTF-8 do no harm")
  func garbage() {
    var dice = Dice(8)
    for _ in 0..<2_000 {
      let bytes = (0..<dice.below(40)).map { _ in UInt8(truncatingIfNeeded: dice.next() >> 7) }
      if let range = WakeText.command(in: bytes.span, after: "a".utf8.span) { #expect(range.upperBound <= bytes.count) }
    }
  }

  @Test("the board knows its own voice, but not a short word in it")
  func echo() {
    var echo = EchoGuard()
    echo.speak("The weather is fine, today. Yes!".utf8.span)
    var own: [Bool] = []
    own.append(echo.isOwnVoice("weather is FINE".utf8.span))
    own.append(echo.isOwnVoice("yes".utf8.span))
    own.append(echo.isOwnVoice("the weather is bad".utf8.span))
    for _ in 0..<200 { echo.speak("and on and on it goes. ".utf8.span) }
    own.append(echo.isOwnVoice("weather is fine".utf8.span))
    own.append(echo.isOwnVoice("goes and on and on it".utf8.span))
    echo.forget()
    own.append(echo.isOwnVoice("goes and on and on it".utf8.span))
    #expect(own == [true, false, false, false, true, false])
  }

  @Test("the same again at once is a repeat, and later it is a wish")
  func repeats() {
    var echo = EchoGuard()
    var found: [Bool] = []
    for (words, time) in [("Lights on", 0), ("lights on.", 1_000), ("lights off", 1_500), ("lights off", 4_600)] {
      found.append(echo.isRepeat(words.utf8.span, at: Int64(time)))
    }
    #expect(found == [false, true, false, false])
  }
}
