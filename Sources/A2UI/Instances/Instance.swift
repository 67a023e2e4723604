/// One component as it is drawn: the same component stands in a tree as often as it is mentioned, and once for every
/// element of a template.
public struct Instance: BitwiseCopyable, Sendable {
  /// What stands in a tree.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A component.
    case component
    /// The child of a tab or a modal that is not defined (yet): it holds the place, and nothing is drawn.
    case missing
    /// A component that contains itself: a placeholder, without children.
    case cycle
  }

  /// What it is.
  public internal(set) var kind = Kind.component
  /// The component's type; `unknown` for a placeholder with a type's name.
  public internal(set) var type = ComponentType.unknown
  /// Its share of the free space in a row or column; 0 for none.
  public internal(set) var weight: Float = 0
  /// Stays the same from tree to tree as long as id, template element and surface do: the key of carets, scroll
  /// offsets, open tabs.
  public internal(set) var id: UInt64 = 0
  /// The id that was made last for one of several by the same id; 0: this is the only one.
  var lastRepeat: UInt64 = 0
  var component = ComponentIndex.none
  /// Where relative paths begin: a template's element, or the model's root.
  var context = NodeIndex.none
  /// The instance that is the element of the innermost template around this one, maybe this one itself; -1 for none.
  var scope: Int32 = -1
  /// Of a template's element: which one.
  var element: Int32 = 0
  var parentIndex: Int32 = -1
  var firstChildIndex: Int32 = -1
  var nextSiblingIndex: Int32 = -1
  /// The next one in the chain of the table of ids.
  var nextInChain: Int32 = -1

  /// The instance that it stands in; nil for the root.
  public var parent: Int? { parentIndex < 0 ? nil : Int(parentIndex) }
  /// Its first child.
  public var firstChild: Int? { firstChildIndex < 0 ? nil : Int(firstChildIndex) }
  /// The next child of its parent.
  public var nextSibling: Int? { nextSiblingIndex < 0 ? nil : Int(nextSiblingIndex) }
}
