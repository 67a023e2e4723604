import Codec
import Runtime

/// What a limit keeps off the screen though it was pushed. Each is told to whoever pushes (canvas reference 1.14: "report it in the
/// push result").
public enum Omission: UInt8, CaseIterable, Sendable {
  // Of a tree.
  /// Containers in each other.
  case depth
  /// Components on the screen, those of templates included.
  case instances
  /// Elements of templates.
  case elements
  /// A value that a component begins with, for which the data model has no room.
  case initialValue

  // Of what is arranged.
  /// Bytes, words and lines of one text.
  case textBytes, textWords, textLines
  /// Options of a choice that is bound to nothing.
  case options
  /// Tabs, and options of any choice.
  case items
  /// An expression that checks what is entered, and cannot be read.
  case expression

  /// The sentence after the component's name, around the limit; 0: it has none that is a number.
  var sentence: (before: StaticString, limit: Int, after: StaticString) {
    switch self {
    case .depth: ("is left out: it stands in more than ", Budget.a2uiRenderDepth, " containers")
    case .instances: ("is left out: more than ", Budget.a2uiInstances, " components on the screen")
    case .elements: ("has elements that are left out: templates have more than ", Budget.a2uiElements, "")
    case .initialValue: ("begins with a value for which the data model has no room", 0, "")
    case .textBytes: ("has a text that is cut: more than ", Budget.flowBytes, " bytes")
    case .textWords: ("has a text that is cut: more than ", Budget.flowWords, " words")
    case .textLines: ("has a text that is cut: more than ", Budget.flowLines, " lines")
    case .options: ("is bound to nothing, so of its options no more can be chosen than ", Budget.unboundOptions, "")
    case .items: ("has tabs or options that are left out: more than ", Budget.a2uiItems, "")
    case .expression: ("has a validationRegexp that cannot be read, so nothing is checked", 0, "")
    }
  }
}

/// The first component of each kind of omission.
struct Omissions {
  private var components = InlineArray<10, ComponentIndex>(repeating: .none)

  init() { precondition(Int(Omission.expression.rawValue) + 1 == components.count) }

  subscript(kind: Omission) -> ComponentIndex {
    get { components[Int(kind.rawValue)] }
    set { components[Int(kind.rawValue)] = newValue }
  }

  mutating func note(_ kind: Omission, _ component: ComponentIndex) {
    if self[kind] == .none { self[kind] = component }
  }
}

extension InstanceTree {
  /// Says that a limit keeps off the screen a part of what an instance shows.
  public func note(_ omission: Omission, at index: Int) { omissions.note(omission, self[index].component) }

  /// Forgets what was said of how things are arranged: they are arranged anew.
  public func forgetArrangement() {
    var raw = Omission.textBytes.rawValue
    while let kind = Omission(rawValue: raw) {
      omissions[kind] = .none
      raw += 1
    }
  }

  /// True when limits left out a part of the tree.
  public var isTruncated: Bool {
    omissions[.depth] != .none || omissions[.instances] != .none || omissions[.elements] != .none
  }

  /// Adds what is left out to the warnings of the last push.
  public func reportOmissions() {
    guard let surface, store.exists(surface) else { return }
    var raw: UInt8 = 0
    while let kind = Omission(rawValue: raw) {
      raw += 1
      let component = omissions[kind]
      if component == .none { continue }
      store.warnings.add(store.bytes(surface, .id), store.id(of: component), kind)
    }
  }
}
