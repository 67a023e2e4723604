/// Where a conversation by voice stands, for the screen and the light.
public enum VoicePhase: UInt8, Sendable {
  /// Nobody talks.
  case resting
  /// The board listens to a person.
  case listening
  /// What was said is being understood, or the agent thinks.
  case understanding
  /// The board speaks.
  case speaking
}

/// Who talks with people.
public protocol VoiceState: AnyObject {
  var voicePhase: VoicePhase { get }
  /// How loud the person is who is listened to, from 0 to 4.
  var voiceLevel: UInt8 { get }
}
