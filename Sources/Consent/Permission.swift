// Consent: what the people at the board allow the gateway's agent to do, for how long, and what was done with it. Pure
// logic over times that are passed in. It must not know commands, devices, the screen, or how a person is asked.

import Runtime

/// What a rule is for, a grant allows, and a use is counted under.
public enum Permission: UInt8, Sendable {
  case camera, frontCamera, microphone, location, screen, motion, tools, run

  /// The word of the configuration, of `talon grants` and of `device.permissions`.
  public var word: StaticString {
    switch self {
    case .camera: "camera"
    case .frontCamera: "camera.front"
    case .microphone: "microphone"
    case .location: "location"
    case .screen: "screen.record"
    case .motion: "motion"
    case .tools: "tools"
    case .run: "run"
    }
  }

  /// What people read: "the camera".
  public var noun: StaticString {
    switch self {
    case .camera: "the camera"
    case .frontCamera: "the front camera"
    case .microphone: "the microphone"
    case .location: "this board's place"
    case .screen: "recordings of the screen"
    case .motion: "the motion sensor"
    case .tools: "this board's tools"
    case .run: "programs"
    }
  }

  /// True where the words of a request say what it does: then an answer is for these words alone, however long it
  /// lasts.
  public var isOfWords: Bool { self == .tools || self == .run }

  /// The permission of a word; nil for none.
  public static func named(_ word: Span<UInt8>) -> Permission? {
    var rest = PermissionSet.all
    while let permission = rest.popFirst() {
      let name = permission.word
      guard name.utf8CodeUnitCount == word.count else { continue }
      var isSame = true
      for index in 0..<word.count where name.utf8Start[index] != word[index] { isSame = false }
      if isSame { return permission }
    }
    return nil
  }
}

/// Several permissions.
public struct PermissionSet: OptionSet, Sendable {
  public let rawValue: UInt8

  public static let camera = PermissionSet(Permission.camera)
  public static let frontCamera = PermissionSet(Permission.frontCamera)
  public static let microphone = PermissionSet(Permission.microphone)
  public static let location = PermissionSet(Permission.location)
  public static let screen = PermissionSet(Permission.screen)
  public static let motion = PermissionSet(Permission.motion)
  public static let tools = PermissionSet(Permission.tools)
  public static let run = PermissionSet(Permission.run)

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One permission.
  public init(_ permission: Permission) { rawValue = 1 << permission.rawValue }

  /// True when it has the permission.
  public func has(_ permission: Permission) -> Bool { rawValue >> permission.rawValue & 1 == 1 }

  /// Every permission.
  public static let all = PermissionSet(rawValue: .max)

  /// Removes its first permission and returns it; nil when it is empty. Loops use it: an iterator would allocate in
  /// builds without optimization, and tests count allocations there.
  public mutating func popFirst() -> Permission? {
    guard let first else { return nil }
    remove(PermissionSet(first))
    return first
  }

  /// Its first permission; nil when it is empty.
  public var first: Permission? { rawValue == 0 ? nil : Permission(rawValue: UInt8(rawValue.trailingZeroBitCount)) }
}

/// What the owner decides in `[consent]`.
public enum ConsentRule: UInt8, Sendable {
  /// It may be used at any time.
  case allow
  /// Whoever is at the board is asked.
  case ask
  /// It may not be used.
  case deny

  /// The word of the configuration.
  public var word: StaticString {
    switch self {
    case .allow: "allow"
    case .ask: "ask"
    case .deny: "deny"
    }
  }
}

/// The owner's rule for each permission.
public struct ConsentRules: Equatable, Sendable {
  private var rules = InlineArray<8, ConsentRule>(repeating: .allow)
  /// True when `camera.front` has a rule of its own. Without it, the rule of `camera` is for every camera.
  public private(set) var hasFront = false

  /// Everything is allowed.
  public init() {}

  /// The rule of a permission.
  public subscript(_ permission: Permission) -> ConsentRule {
    get { rules[Int(permission == .frontCamera && !hasFront ? Permission.camera.rawValue : permission.rawValue)] }
    set {
      rules[Int(permission.rawValue)] = newValue
      if permission == .frontCamera { hasFront = true }
    }
  }

  /// Of these permissions, those with this rule.
  public func those(of wanted: PermissionSet, with rule: ConsentRule) -> PermissionSet {
    var found: PermissionSet = []
    var rest = wanted
    while let permission = rest.popFirst() {
      if self[permission] == rule { found.insert(PermissionSet(permission)) }
    }
    return found
  }

  public static func == (left: ConsentRules, right: ConsentRules) -> Bool {
    for index in 0..<8 where left.rules[index] != right.rules[index] { return false }
    return left.hasFront == right.hasFront
  }
}

/// The section `[consent]`.
public struct ConsentSettings: Equatable, Sendable {
  public var rules = ConsentRules()
  /// Milliseconds for which a refusal at the board holds.
  public var refusal = Budget.consentRefusalMilliseconds
  /// True when a recording of the screen ends the grants of cameras.
  public var recordingEndsCamera = false
  /// True when uses are written to the journal.
  public var hasJournal = true
  /// True when a press of the button is yes even where the question can be read nowhere.
  public var hasBlindButton = false

  /// Everything is allowed, and each use is in the journal.
  public init() {}
}
