/// One drawn component: a component has an instance for each mention, and for each element of a template.
public struct Instance: BitwiseCopyable, Sendable {
  /// The kinds of instances.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A component.
    case component
    /// The child of a tab or a modal that is not defined (yet): it keeps the position, and nothing is drawn.
    case missing
    /// A component that contains itself: a placeholder, without children.
    case cycle
  }

  /// Whether the path of a text, a label, an icon or a picture leads to a value.
  enum ValueState: UInt8, BitwiseCopyable {
    /// Nobody has looked since the data or the page changed.
    case unknown
    /// It does, or there is no path.
    case present
    case absent
  }

  /// Its kind.
  public internal(set) var kind = Kind.component
  /// The component's type; `unknown` for a placeholder with a type's name.
  public internal(set) var type = ComponentType.unknown
  /// Whether what it shows is there.
  var value = ValueState.unknown
  /// Its share of the free space in a row or column; 0 for none.
  public internal(set) var weight: Float = 0
  /// Stays the same from tree to tree as long as id, template element and surface do: the key for carets, scroll
  /// offsets, open tabs.
  public internal(set) var id: UInt64 = 0
  /// The last id that was derived for instances with the same id; 0: this is the only one.
  var lastRepeat: UInt64 = 0
  var component = ComponentIndex.none
  /// The base of relative paths: a template's element, or the model's root.
  var context = NodeIndex.none
  /// The instance that is the element of the innermost template around this one, perhaps itself; -1 for none.
  var scope: Int32 = -1
  /// The index of a template's element.
  var element: Int32 = 0
  var parentIndex: Int32 = -1
  var firstChildIndex: Int32 = -1
  var nextSiblingIndex: Int32 = -1
  /// The next one in the chain of the table of ids.
  var nextInChain: Int32 = -1

  /// Its parent; nil for the root.
  public var parent: Int? { parentIndex < 0 ? nil : Int(parentIndex) }
  /// Its first child.
  public var firstChild: Int? { firstChildIndex < 0 ? nil : Int(firstChildIndex) }
  /// The next child of its parent.
  public var nextSibling: Int? { nextSiblingIndex < 0 ? nil : Int(nextSiblingIndex) }
}
