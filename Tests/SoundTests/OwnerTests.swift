import Runtime
import Testing

@testable import Sound

@Suite struct OwnerTests {
  @Test func `Who listens for a phrase gives way to all but a clip, and a person who looks`() {
    var owner = MicrophoneOwner()
    #expect(owner.use == nil)
    owner.want(.meter, true)
    #expect(owner.use == .meter)
    owner.want(.clip, true)
    #expect(owner.use == .clip)
    owner.want(.wake, true)
    #expect(owner.use == .wake)
    for use in [MicrophoneUse.teaching, .playback, .talk, .pushToTalk] {
      owner.want(use, true)
      #expect(owner.use == use)
    }
    for use in [MicrophoneUse.talk, .playback, .teaching, .wake, .clip, .meter] {
      owner.want(MicrophoneUse(rawValue: use.rawValue + 1)!, false)
      #expect(owner.use == use)
    }
  }

  @Test func `While the board speaks nobody listens, unless somebody talks with it`() {
    var owner = MicrophoneOwner()
    owner.want(.wake, true)
    owner.want(.playback, true)
    #expect(!owner.mustListen)
    owner.want(.talk, true)
    #expect(owner.mustListen)
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
