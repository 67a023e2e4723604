import Codec
import Consent
import Node
import Runtime

/// Whether a camera request is for a camera at the front.
public enum CameraSide: Sendable {
  case front, other, unknown
}

/// What a command needs, and what people read of it.
struct ConsentDemand {
  var permissions: PermissionSet
  /// What is done with them: an answer for longer is for that alone.
  var kinds: UseKinds = []
  /// Milliseconds that the use takes at least.
  var work: Int64 = 0
  /// In the board's words.
  var what = InlineText<96>()
  /// What exactly that is about, in words of others.
  var subject = ConsentSubject()
  var purpose = InlineText<160>()

  init(_ permissions: PermissionSet, _ what: StaticString, _ kinds: UseKinds = []) {
    self.permissions = permissions
    self.kinds = kinds
    self.what = InlineText(cutting: what)
  }
}

/// What the board has, by which requests differ in what they need.
public struct ConsentSurroundings {
  /// The camera that would serve these parameters.
  public var side: (borrowing JSONView) -> CameraSide
  /// True when clips and recordings can have sound.
  public var hasSound: Bool

  /// What the board has; see the properties.
  public init(hasSound: Bool, side: @escaping (borrowing JSONView) -> CameraSide) {
    self.hasSound = hasSound
    self.side = side
  }
}

extension ConsentDemand {
  /// What this command needs with these parameters; nil: nobody's consent.
  /// - Parameter hasFront: cameras at the front have a rule of their own.
  init?(_ command: String, _ parameters: borrowing JSONView, hasFront: Bool, _ board: ConsentSurroundings) {
    switch command {
    case "camera.snap":
      self.init(Self.cameras(parameters, hasFront, board), "take a photo", .photo)
      addCamera(parameters)
    case "camera.clip": self.init(clip: parameters, Self.cameras(parameters, hasFront, board), board)
    case "camera.ptz.control":
      self.init(Self.cameras(parameters, hasFront, board), "move the camera", .move)
      addCamera(parameters)
    case "photos.latest":
      self.init(hasFront ? [.camera, .frontCamera] : [.camera], "see the last photos", .lastPhotos)
    case "talk.ptt.start", "talk.ptt.once", "tool.listen", "stt.listen", "stt.transcribe":
      self.init([.microphone], "listen", .listen)
    case "location.get": self.init([.location], "know where this board is")
    case "tool.where_was": self.init([.location], "know where this board was", .track)
    case "motion.activity", "motion.pedometer": self.init([.motion], "know how this board moves")
    case "screen.record":
      self.init([.screen], "record this screen", .record)
      addSound(parameters, board)
      addLength(parameters)
    case "mcp.tools.call.v1":
      self.init([.tools], "use a tool")
      addTool(parameters)
    case "system.run":
      self.init([.run], "run a program")
      addCommandLine(parameters)
    default: return nil
    }
    addPurpose(parameters)
  }

  /// What the call of a tool of the board's own agent needs; nil: nobody's consent. As a gateway's, it needs what its
  /// command needs, and the permission `tools` where that is not simply allowed; and that one, too, where people must
  /// be asked about what needs no other.
  init?(
    _ lent: LentCall, _ command: String, _ parameters: borrowing JSONView, _ rules: ConsentRules,
    _ board: ConsentSurroundings
  ) {
    let rule = rules[.tools]
    let needsTools = rule == .deny || rule == .ask && !lent.isStep
    if var demand = ConsentDemand(command, copy parameters, hasFront: rules.hasFront, board) {
      if needsTools { demand.permissions.insert(.tools) }
      self = demand
      return
    }
    guard needsTools || lent.mustAsk && !lent.isSafe else { return nil }
    self.init([.tools], "use a tool")
    addTool(lent, parameters)
    addPurpose(parameters)
  }

  private init(clip parameters: borrowing JSONView, _ cameras: PermissionSet, _ board: ConsentSurroundings) {
    self.init(cameras, "film", .film)
    addSound(parameters, board)
    addLength(parameters)
    addCamera(parameters)
  }

  private static func cameras(
    _ parameters: borrowing JSONView, _ hasFront: Bool, _ board: ConsentSurroundings
  ) -> PermissionSet {
    guard hasFront else { return [.camera] }
    switch board.side(parameters) {
    case .front: return [.frontCamera]
    case .other: return [.camera]
    case .unknown: return [.camera, .frontCamera]
    }
  }

  /// A recording has sound unless its parameters say otherwise (node-commands 4.2, 4.3).
  private mutating func addSound(_ parameters: borrowing JSONView, _ board: ConsentSurroundings) {
    guard board.hasSound, parameters.member("includeAudio")?.bool != false else { return }
    permissions.insert(.microphone)
    add(" with sound")
  }

  /// The length of a recording in milliseconds; what the handler would refuse counts as the longest.
  private static func duration(_ parameters: borrowing JSONView) -> Int64 {
    let wanted = parameters.member("durationMs")?.double ?? Double(Budget.consentClipMilliseconds)
    return wanted >= 0 ? Int64(clamping: min(wanted, 60_000)) : 0
  }

  /// How long a recording is at most, rounded up: "film with sound for 10 s".
  private mutating func addLength(_ parameters: borrowing JSONView) {
    work = Self.duration(parameters)
    let (before, seconds) = (what, (work + 999) / 1000)
    what.fill { buffer in
      var line = LogLine(buffer)
      line.add(before.span)
      line.add(" for ")
      line.add(seconds)
      line.add(" s")
      return line.count
    }
  }

  private mutating func add(_ text: StaticString) {
    let before = what
    what.fill { buffer in
      var line = LogLine(buffer)
      line.add(before.span)
      line.add(text)
      return line.count
    }
  }

  /// The agent's reason, where the parameters have one: `purpose` or `reason`, of a tool among its arguments.
  private mutating func addPurpose(_ parameters: borrowing JSONView) {
    if let arguments = parameters.member("arguments") { takePurpose(arguments) }
    takePurpose(parameters)
  }

  private mutating func takePurpose(_ object: borrowing JSONView) {
    for index in 0..<2 where purpose.isEmpty {
      guard let text = object.member(index == 0 ? "purpose" : "reason"), text.kind == .string else { continue }
      // What is longer is cut, at a character.
      var whole = InlineText<1024>()
      guard whole.fill({ text.copyString(into: $0) }) else { continue }
      purpose = InlineText(cutting: whole.span)
    }
  }
}
