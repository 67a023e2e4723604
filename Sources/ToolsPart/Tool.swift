/// A function of the board as an agent's tool: what the agent reads of it, and the command that does it.
public struct Tool: Sendable {
  /// Its name after that of the board, and in `mcp.tool`.
  public let name: String
  /// The command that does it, which takes the tool's arguments as its parameters.
  public let command: String
  /// When to use it, what comes back, and what it cannot do.
  let description: String
  /// The schema of its arguments: a plain object (newer-gateways 1.2), JSON text.
  let parameters: String
  /// The first block of its result, above its facts or its picture; empty where the member `text` of the command's
  /// answer is.
  let sentence: String
  /// True when it neither sees nor hears nor moves anything, and does not say where the board is.
  let isSafe: Bool
  /// Arguments for calls of the board's own agent that do not have them: a member's key, and its value as JSON.
  let lentDefaults: [(key: StaticString, value: StaticString)]

  /// The server of the owner that it belongs to (`[mcp NAME]`), whose name chooses all of its tools; empty for others.
  public let server: String

  /// True when the command's answer is the whole result in the form of MCP, as a server has made it.
  var isWhole: Bool { !server.isEmpty }

  /// How the schema of a tool begins, and the argument that is put there where people are asked.
  static let begin: StaticString = #"{"type":"object","properties":{"#
  static let purpose: StaticString = """
    "purpose":{"type":"string","description":"What you need it for, in a few words: somebody at the board reads this \
    and decides."}
    """

  /// A tool; see the properties.
  public init(
    name: String, command: String, description: String, parameters: String, sentence: String = "", isSafe: Bool,
    lentDefaults: [(key: StaticString, value: StaticString)] = [], server: String = ""
  ) {
    self.name = name
    self.command = command
    self.description = description
    self.parameters = parameters
    self.sentence = sentence
    self.isSafe = isSafe
    self.lentDefaults = lentDefaults
    self.server = server
  }

  /// The tools that every board may have.
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
      // More than models look at costs memory and tokens.
      sentence: "A photo of this moment.", isSafe: false, lentDefaults: [("maxWidth", "1024")]),
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
      sentence: "The screen as it is now.", isSafe: true,
      lentDefaults: [("format", "\"jpeg\""), ("maxWidth", "1024")]),
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
    Tool(
      name: "ask", command: Questions.command,
      description: """
        Asks whoever is at this board a question, on its screen and with its voice, and waits for an answer: a press \
        on one of the buttons, a press of its own button, or spoken words where this board may listen. Nobody may be \
        there: then it says so when the time is over.
        """,
      parameters: """
        {"type":"object","properties":{"question":{"type":"string"},\
        "buttons":{"type":"array","items":{"type":"string"},"description":"2 to 6 short answers. Default Yes and No."},\
        "seconds":{"type":"integer","description":"How long to wait, 5 to 110. Default 60."},\
        "speak":{"type":"boolean","description":"False: do not speak the question."}},"required":["question"]}
        """,
      isSafe: true),
    Tool(
      name: "show", command: "tool.show",
      description: """
        Shows something on this board's screen until something else is shown: any of a title, a text, a list, a table, \
        a gauge, a picture and a QR code, one below the other. Buttons come back later as messages; use ask to wait \
        for an answer. Returns when people can see it.
        """,
      parameters: """
        {"type":"object","properties":{"title":{"type":"string"},"text":{"type":"string"},\
        "list":{"type":"array","items":{"type":"string"},"description":"At most 20 lines."},\
        "table":{"type":"array","items":{"type":"array","items":{"type":"string"}},\
        "description":"Rows of cells, the header first; at most 12 rows of 6."},\
        "gauge":{"type":"object","properties":{"label":{"type":"string"},"value":{"type":"number"},\
        "min":{"type":"number"},"max":{"type":"number"},"unit":{"type":"string"}},"required":["value"]},\
        "picture":{"type":"string","description":"Its address, https or data."},\
        "qr":{"type":"string","description":"At most 213 bytes."},\
        "buttons":{"type":"array","items":{"type":"string"},"description":"At most 6."},\
        "messages":{"type":"array","items":{"type":"object"},\
        "description":"Instead of all others: A2UI v0.8, v0.9, v0.10 or v1.0."}}}
        """,
      sentence: "It is on the screen now.", isSafe: true),
    Tool(
      name: "listen", command: "tool.listen",
      description: """
        Listens with this board's microphone until somebody has spoken, and returns what was said as text. Its light \
        shows that it listens. It is refused while somebody talks with the board.
        """,
      parameters: """
        {"type":"object","properties":{"seconds":{"type":"integer",\
        "description":"At most so long, 1 to 30. Default 12."}}}
        """,
      isSafe: false),
    Tool(
      name: "light", command: "tool.light",
      description: """
        Makes this board's status light ask for a person, so that somebody finds it or comes to it. It ends by itself, \
        or when somebody presses the board's button.
        """,
      parameters: """
        {"type":"object","properties":{"seconds":{"type":"integer","description":"1 to 600. Default 60."}}}
        """,
      sentence: "The light asks for a person now.", isSafe: true),
    Tool(
      name: "where_was", command: "tool.where_was",
      description: """
        Returns where this board was: stays, the legs between them with their distance, and times without a fix. \
        Without arguments all that it knows. Use it for places and ways of the past, and location for now.
        """,
      parameters: """
        {"type":"object","properties":{"at":{"type":"string","description":"At this time, as \
        2026-08-01T14:00:00+02:00."},"from":{"type":"string","description":"Or from this time on."},\
        "to":{"type":"string","description":"Until this time."}}}
        """,
      sentence: "Where this board was, the oldest first.", isSafe: false),
  ]
}
