import Codec

/// A function of the board as an agent's tool: what the agent reads of it, and the command that does it.
public struct Tool: Sendable {
  /// Its name after that of the board, and in `mcp.tool`.
  public let name: StaticString
  /// The command that does it, which takes the tool's arguments as its parameters.
  public let command: StaticString
  /// When to use it, what comes back, and what it cannot do.
  let description: StaticString
  /// The schema of its arguments: a plain object (newer-gateways 1.2).
  let parameters: StaticString
  /// The first block of its result, above its facts or its picture.
  let sentence: StaticString
  /// True when it neither sees nor hears nor moves anything, and does not say where the board is.
  let isSafe: Bool

  /// The table of tools. Their numbers are those of `ToolChoice.named`; later ones follow.
  public static let all: [Tool] = [
    Tool(
      name: "photo", command: "camera.snap",
      description: """
        Takes one photo with a camera of this board and returns it as an image that you can see. Use it to look at \
        what is there now. It takes one to three seconds, and sees nothing in the dark.
        """,
      parameters: """
        {"type":"object","properties":{"facing":{"type":"string","enum":["front","back"],\
        "description":"Which side, on a board with several cameras."},\
        "deviceId":{"type":"string","description":"A camera by its id, instead of a side."},\
        "maxWidth":{"type":"integer","description":"Width at most, in pixels. Default 1600."}}}
        """,
      sentence: "A photo of this moment.", isSafe: false),
    Tool(
      name: "location", command: "location.get",
      description: """
        Returns where this board is, as latitude, longitude, accuracy in meters and the time of the fix. It needs a \
        view of the sky, and waits up to ten seconds for a fix.
        """,
      parameters: """
        {"type":"object","properties":{"maxAgeMs":{"type":"integer",\
        "description":"Take a fix that is at most so many milliseconds old."}}}
        """,
      sentence: "Where this board is.", isSafe: false),
    Tool(
      name: "steps", command: "motion.pedometer",
      description: """
        Returns how many steps the person who carries this board has taken, since midnight UTC or between two times.
        """,
      parameters: """
        {"type":"object","properties":{"startISO":{"type":"string","description":"From, as 2026-08-01T06:00:00Z."},\
        "endISO":{"type":"string","description":"Until."}}}
        """,
      sentence: "Steps that were taken.", isSafe: true),
    Tool(
      name: "activity", command: "motion.activity",
      description: """
        Returns whether this board was still, walked, ran or was driven, and when. Use it to find out whether somebody \
        moved it.
        """,
      parameters: """
        {"type":"object","properties":{"limit":{"type":"integer","description":"At most so many entries."}}}
        """,
      sentence: "How this board moved.", isSafe: true),
    Tool(
      name: "health", command: "device.health",
      description: """
        Returns how this board is: memory, temperature, power, clock, network, and which of its devices are missing or \
        broken. Use it first when another tool of this board fails.
        """,
      parameters: #"{"type":"object","properties":{}}"#,
      sentence: "The health of this board.", isSafe: true),
    Tool(
      name: "notify", command: "system.notify",
      description: """
        Shows a notification on this board's screen, or by its light where it has no screen. Nobody has read it until \
        somebody answers.
        """,
      parameters: """
        {"type":"object","properties":{"title":{"type":"string"},"body":{"type":"string"},\
        "priority":{"type":"string","enum":["passive","active","timeSensitive"]}},"required":["title"]}
        """,
      sentence: "The notification was taken.", isSafe: true),
    Tool(
      name: "screen", command: "screen.snapshot",
      description: """
        Returns a picture of what this board's screen shows now. Use it to check what a person sees there.
        """,
      parameters: """
        {"type":"object","properties":{"maxWidth":{"type":"integer","description":"Width at most, in pixels."}}}
        """,
      sentence: "The screen as it is now.", isSafe: true),
    Tool(
      name: "say", command: "tool.say",
      description: """
        Speaks a text with this board's own voice, for whoever is near, and returns when it was spoken. Use short \
        sentences. It is refused while the board is in a conversation.
        """,
      parameters: """
        {"type":"object","properties":{"text":{"type":"string"},\
        "speed":{"type":"number","description":"0.5 to 2 times the usual speed."}},"required":["text"]}
        """,
      sentence: "The text was spoken.", isSafe: true),
  ]
}
