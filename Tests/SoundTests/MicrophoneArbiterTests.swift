import Runtime
import Testing

@testable import Sound

@Suite struct MicrophoneArbiterTests {
  @Test func `Listening for a phrase gives way to all uses except a clip and the level meter`() {
    var arbiter = MicrophoneArbiter()
    #expect(arbiter.use == nil)
    arbiter.want(.meter, true)
    #expect(arbiter.use == .meter)
    arbiter.want(.clip, true)
    #expect(arbiter.use == .clip)
    arbiter.want(.wake, true)
    #expect(arbiter.use == .wake)
    for use in [MicrophoneUse.teaching, .playback, .talk, .pushToTalk] {
      arbiter.want(use, true)
      #expect(arbiter.use == use)
    }
    for use in [MicrophoneUse.talk, .playback, .teaching, .wake, .clip, .meter] {
      arbiter.want(MicrophoneUse(rawValue: use.rawValue + 1)!, false)
      #expect(arbiter.use == use)
    }
  }

  @Test func `While the board speaks no part listens, except during a conversation`() {
    var arbiter = MicrophoneArbiter()
    arbiter.want(.wake, true)
    arbiter.want(.playback, true)
    #expect(!arbiter.mustListen)
    arbiter.want(.talk, true)
    #expect(arbiter.mustListen)
  }

  @Test func `There is room for every use`() {
    #expect(MicrophoneUse.allCases.count == Budget.microphoneUses)
  }

  private func card(_ id: String, _ name: String, _ place: String) -> SoundCard {
    SoundCard(
      number: 0, id: SoundName(cutting: id), name: SoundName(cutting: name), place: SoundName(cutting: place))
  }

  @Test func `A card is meant by its id, its name, or where it is plugged in`() {
    let card = card(
      "Device_1", "USB PnP Sound Device", "C-Media USB PnP Sound Device at usb-0000:01:00.0-1.2, full speed")
    #expect(card.match(SoundName(cutting: "device_1")) == 3)
    #expect(card.match(SoundName(cutting: "USB PnP Sound Device")) == 2)
    #expect(card.match(SoundName(cutting: "usb-0000:01:00.0-1.2")) == 1)
    for other in [
      "Device", "USB PnP", "usb-0000:01:00.0-1", "usb-0000:01:00.0-1.20", "1", "0000:01:00.0-1.2", "",
    ] {
      #expect(card.match(SoundName(cutting: other)) == 0)
    }
  }
}
