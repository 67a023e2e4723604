import Codec
import Node
import Panel
import Runtime
import Talk

/// The sound devices of a board.
public struct VoiceDevices {
  /// The microphone, and the sound of clips from it; nil without one.
  public var microphone: Microphone?
  public var clipSound: ClipSoundBuffer?
  /// The speaker; nil without one.
  public var speaker: Speaker?
  /// The devices of talk; nil without a configured microphone.
  public var talk: TalkParts?
  /// Speaks texts for people and programs at the board; nil without a voice.
  public var voice: (any LocalVoice)?
  /// The parts of the wake service; nil without one.
  public var wake: WakeParts?

  /// No devices.
  public init() {}
}

/// The parts of the agent that listen and speak, for the devices that the board has.
public struct VoiceParts {
  public private(set) var microphone: Microphone?
  public private(set) var wake: WakeService?
  public private(set) var talk: TalkService?

  /// No parts.
  public init() {}

  /// Makes the parts for the devices of a board, and adds them to `table`. `desk` is nil without an operator
  /// connection.
  public init(
    _ devices: VoiceDevices, settings: TalkSettings, table: PartTable, outbox: Outbox, desk: OperatorDesk?,
    runner: any JobRunner,
    clock: any Clock, random: any RandomSource, log: Log
  ) throws(Errno) {
    microphone = devices.microphone
    if let microphone {
      table.add(microphone)
      table.add(try PhraseLender(microphone))
    }
    if let speaker = devices.speaker { table.add(speaker) }
    var announcer: Announcer?
    if let speaker = devices.speaker, let voice = devices.voice {
      announcer = try Announcer(speaker: speaker, local: voice, hasCommands: settings.hasCommands)
    }
    if let announcer { table.add(announcer) }
    guard let parts = devices.talk else { return }
    let talk = try TalkService(parts, settings: settings, outbox: outbox, clock: clock, random: random, log: log)
    talk.announcer = announcer
    announcer?.talk = talk
    if let microphone, let parts = devices.wake {
      let wake = WakeService(parts, microphone: microphone, runner: runner, clock: clock, log: log)
      wake.delegate = talk
      microphone.wake = wake
      table.add(wake)
      self.wake = wake
    }
    microphone?.words = talk.words
    if let desk { try talk.connect(desk) }
    table.add(talk)
    self.talk = talk
  }
}
