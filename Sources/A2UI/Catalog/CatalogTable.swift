/// What the catalogs of A2UI say of each component, as text that `CatalogMember` reads (canvas reference 1.8, and the
/// basic catalog of v0.9 and v0.10): names with a shape each, `*` before those that a component needs.
enum CatalogTable {
  /// The members of a component of v0.8, or of a later version.
  static func members(_ type: ComponentType, isFlat: Bool) -> StaticString {
    isFlat ? flat(type) : nested(type)
  }

  /// What every component of v0.9 and later has beside the members of its type.
  static let common: StaticString = "*id:i *component:i weight:n accessibility:x catalogId:p metadata:p"
  /// What stands around a component of v0.8.
  static let wrapper: StaticString = "*id:i *component:p weight:n"

  private static func nested(_ type: ComponentType) -> StaticString {
    switch type {
    case .text: "*text:t usageHint:w=h1,h2,h3,h4,h5,caption,body"
    case .image:
      """
      *url:t altText:t fit:w=contain,cover,fill,none,scale-down usageHint:w=icon,avatar,smallFeature,\
      mediumFeature,largeFeature,header
      """
    case .icon: "*name:t"
    case .video: "*url:t"
    case .audioPlayer: "*url:t description:t"
    case .divider: "axis:w=horizontal,vertical"
    case .row, .column:
      """
      *children:c distribution:w=start,center,end,spaceBetween,spaceAround,spaceEvenly alignment:w=start,center,\
      end,stretch
      """
    case .list: "*children:c direction:w=vertical,horizontal alignment:w=start,center,end,stretch"
    case .card: "*child:i"
    case .tabs: "*tabItems:T"
    case .modal: "*entryPointChild:i *contentChild:i"
    case .button: "*child:i *action:a primary:b variant:w=default,primary,borderless"
    case .checkBox: "*label:t *value:b"
    case .textField:
      "*label:t text:t placeholder:t textFieldType:w=date,longText,number,shortText,obscured validationRegexp:t"
    case .dateTimeInput: "*value:t enableDate:b enableTime:b label:t min:t max:t outputFormat:x"
    case .multipleChoice:
      "*selections:l *options:o maxAllowedSelections:n variant:w=checkbox,chips type:p filterable:b label:t"
    case .slider: "*value:n label:t minValue:n maxValue:n steps:n"
    case .unknown: ""
    }
  }

  private static func flat(_ type: ComponentType) -> StaticString {
    switch type {
    case .text: "*text:t variant:w=h1,h2,h3,h4,h5,caption,body"
    case .image:
      """
      *url:t description:t fit:w=contain,cover,fill,none,scaleDown,scale-down variant:w=icon,avatar,smallFeature,\
      mediumFeature,largeFeature,header
      """
    case .icon: "*name:t"
    case .video: "*url:t posterUrl:x"
    case .audioPlayer: "*url:t description:t"
    case .divider: "axis:w=horizontal,vertical"
    case .row, .column:
      """
      *children:c justify:w=start,center,end,spaceBetween,spaceAround,spaceEvenly,stretch align:w=start,center,\
      end,stretch
      """
    case .list: "*children:c direction:w=vertical,horizontal align:w=start,center,end,stretch"
    case .card: "*child:i"
    case .tabs: "*tabs:T"
    case .modal: "*trigger:i *content:i"
    case .button: "*child:i *action:a variant:w=default,primary,borderless checks:k"
    case .checkBox: "*label:t *value:b checks:k"
    case .textField:
      "*label:t value:t placeholder:t variant:w=longText,number,shortText,obscured,date validationRegexp:t checks:k"
    case .dateTimeInput:
      "*value:t enableDate:b enableTime:b min:t max:t label:t outputFormat:x checks:k"
    case .multipleChoice:
      """
      label:t variant:w=multipleSelection,mutuallyExclusive *options:o *value:l displayStyle:w=checkbox,chips \
      filterable:b checks:k
      """
    case .slider: "label:t min:n *max:n *value:n steps:n checks:k"
    case .unknown: ""
    }
  }

  /// What is read where a member that a component needs is not there: one child for several, several for one, and of
  /// v0.9 the names of v0.8 that drafts had.
  static func standIn(for name: Bytes, in type: ComponentType) -> StaticString? {
    switch type {
    case .row, .column, .list: name.equals("children") ? "child" : nil
    case .card, .button: name.equals("child") ? "children" : nil
    case .tabs: name.equals("tabs") ? "tabItems" : nil
    case .modal: name.equals("trigger") ? "entryPointChild" : name.equals("content") ? "contentChild" : nil
    case .slider: name.equals("max") ? "maxValue" : nil
    default: nil
    }
  }

  /// The name and the shape of the child or the children that a member of another name stands in for: its own shape is
  /// that of the member.
  static func standIn(named name: Bytes, in type: ComponentType) -> (name: Bytes, shape: CatalogMember.Shape)? {
    switch type {
    case .row, .column, .list: name.equals("child") ? (name: StaticString("children").asBytes, shape: .id) : nil
    case .card, .button: name.equals("children") ? (name: StaticString("child").asBytes, shape: .children) : nil
    default: nil
    }
  }

  /// The members of a message's body.
  static func members(_ kind: MessageKind) -> StaticString {
    switch kind {
    case .surfaceUpdate, .updateComponents: "surfaceId:p components:p"
    // `value` and `contents` of each other's: whoever reads them tells it.
    case .dataModelUpdate: "surfaceId:p path:p contents:p value:p"
    case .beginRendering: "surfaceId:p root:p catalogId:s styles:m"
    case .deleteSurface: "surfaceId:p"
    case .createSurface:
      """
      surfaceId:p catalogId:s theme:m surfaceProperties:m sendDataModel:B attachDataModelToRequests:B \
      components:L dataModel:m metadata:p
      """
    case .updateDataModel: "surfaceId:p path:p value:p contents:p"
    case .callFunction, .callRendererFunction, .agentFunctionResponse, .actionResponse: ""
    }
  }

  /// The arguments of a function.
  static func arguments(_ function: FunctionName) -> StaticString {
    switch function {
    case .required, .email, .formatString, .capitalize, .not: "*value:v"
    case .regex: "*value:v *pattern:v"
    case .length, .numeric: "*value:v min:v max:v"
    case .formatNumber: "*value:v decimals:v grouping:v"
    case .formatCurrency: "*value:v *currency:v decimals:v grouping:v"
    case .formatDate: "*value:v format:v"
    case .pluralize: "*value:v *other:v zero:v one:v two:v few:v many:v"
    case .and, .or: "*values:v"
    case .now: ""
    case .openUrl: "*url:v"
    case .index: "offset:v"
    }
  }

  /// What stands at `path` and in the objects below a component.
  static let option: StaticString = "*label:t *value:t"
  static let tab: StaticString = "*title:t *child:i"
  static let template: StaticString = "*componentId:i *dataBinding:s"
  static let flatTemplate: StaticString = "*componentId:i *path:s catalogId:p metadata:p"
  static let action: StaticString = "*name:s context:p userMessage:x"
  static let contextEntry: StaticString = "*key:s *value:v"
  static let check: StaticString = "condition:v message:s call:p args:p returnType:p catalogId:p and:p or:p not:p"
  /// What a value may be made of.
  static let value: StaticString =
    """
    path:s literalString:p literalNumber:p literalBoolean:p literalArray:p literal:p call:s args:m returnType:p \
    catalogId:p callableFrom:p and:p or:p not:p true:p false:p svgPath:s
    """
  /// An entry of a data update of v0.8.
  static let entry: StaticString =
    "key:p valueString:p valueNumber:p valueBoolean:p valueBool:p valueMap:p valueArray:p value:p"
}

/// One member of `CatalogTable`.
struct CatalogMember {
  /// What a member holds.
  enum Shape: UInt8 {
    /// Text, a number, a boolean, a list of texts: literal, bound or called. One of some words.
    case text, number, bool, texts, word
    /// A component's id; the children of a container; items of tabs, and of a choice; an action; checks.
    case id, children, tabs, options, action, checks
    /// A plain string, object, boolean or array.
    case string, object, plainBool, array
    /// Any value, literal, bound or called.
    case any
    /// Read elsewhere, which tells what is wrong with it.
    case plain
    /// Not drawn and not used here.
    case unused

    fileprivate init?(_ letter: UInt8) {
      switch letter {
      case UInt8(ascii: "t"): self = .text
      case UInt8(ascii: "n"): self = .number
      case UInt8(ascii: "b"): self = .bool
      case UInt8(ascii: "l"): self = .texts
      case UInt8(ascii: "w"): self = .word
      case UInt8(ascii: "i"): self = .id
      case UInt8(ascii: "c"): self = .children
      case UInt8(ascii: "T"): self = .tabs
      case UInt8(ascii: "o"): self = .options
      case UInt8(ascii: "a"): self = .action
      case UInt8(ascii: "k"): self = .checks
      case UInt8(ascii: "s"): self = .string
      case UInt8(ascii: "m"): self = .object
      case UInt8(ascii: "B"): self = .plainBool
      case UInt8(ascii: "L"): self = .array
      case UInt8(ascii: "v"): self = .any
      case UInt8(ascii: "p"): self = .plain
      case UInt8(ascii: "x"): self = .unused
      default: return nil
      }
    }
  }

  var name: Bytes
  var shape: Shape
  var isRequired: Bool
  /// The words of a `word`, with commas between them.
  var words: Bytes

  /// Whether a word is one of its words.
  func has(_ word: Bytes) -> Bool {
    var start = 0
    for index in 0...words.count where index == words.count || words[index] == UInt8(ascii: ",") {
      if words.between(start..<index).equals(word) { return true }
      start = index + 1
    }
    return false
  }
}

/// Iterates over the members of a text of `CatalogTable`.
struct CatalogMembers {
  private let text: Bytes
  private var index = 0

  init(_ text: StaticString) { self.text = text.asBytes }

  mutating func next() -> CatalogMember? {
    guard index < text.count else { return nil }
    var end = index
    while end < text.count, text[end] != UInt8(ascii: " ") { end += 1 }
    let isRequired = text[index] == UInt8(ascii: "*")
    let token = text.between(index + (isRequired ? 1 : 0)..<end)
    index = end + 1
    var colon = 0
    while colon < token.count, token[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon + 1 < token.count, let shape = CatalogMember.Shape(token[colon + 1]) else { return nil }
    let words = token.dropping(min(colon + 3, token.count))
    return CatalogMember(name: token.prefix(colon), shape: shape, isRequired: isRequired, words: words)
  }

  /// The member with a name.
  static func member(_ name: Bytes, in text: StaticString) -> CatalogMember? {
    var members = CatalogMembers(text)
    while let member = members.next() { if member.name.equals(name) { return member } }
    return nil
  }
}
