/// A property with one of several words of the catalog as its value (canvas reference 1.8). Raw values count from 0.
public protocol Keyword: RawRepresentable where RawValue == UInt8 {
  /// The word in messages.
  var word: StaticString { get }
  /// Another word for it, of v0.9; empty: there is none.
  var newWord: StaticString { get }
}

extension Keyword {
  public var newWord: StaticString { "" }
}

/// `usageHint` of a Text.
public enum TextUsage: UInt8, Keyword, Sendable {
  case body, h1, h2, h3, h4, h5, caption

  public var word: StaticString {
    switch self {
    case .body: "body"
    case .h1: "h1"
    case .h2: "h2"
    case .h3: "h3"
    case .h4: "h4"
    case .h5: "h5"
    case .caption: "caption"
    }
  }
}

/// `usageHint` of an Image.
public enum ImageUsage: UInt8, Keyword, Sendable {
  case mediumFeature, icon, avatar, smallFeature, largeFeature, header

  public var word: StaticString {
    switch self {
    case .mediumFeature: "mediumFeature"
    case .icon: "icon"
    case .avatar: "avatar"
    case .smallFeature: "smallFeature"
    case .largeFeature: "largeFeature"
    case .header: "header"
    }
  }
}

/// `fit` of an Image (CSS object-fit).
public enum ImageFit: UInt8, Keyword, Sendable {
  case fill, contain, cover, none, scaleDown

  public var word: StaticString {
    switch self {
    case .fill: "fill"
    case .contain: "contain"
    case .cover: "cover"
    case .none: "none"
    case .scaleDown: "scale-down"
    }
  }

  public var newWord: StaticString { self == .scaleDown ? "scaleDown" : "" }
}

/// How a button looks: `primary` in v0.8, `variant` in v0.9.
public enum ButtonVariant: UInt8, Keyword, Sendable {
  case standard, primary, borderless

  public var word: StaticString {
    switch self {
    case .standard: "default"
    case .primary: "primary"
    case .borderless: "borderless"
    }
  }
}

/// `axis` of a Divider, `direction` of a List.
public enum Axis: UInt8, Keyword, Sendable {
  case horizontal, vertical

  public var word: StaticString {
    switch self {
    case .horizontal: "horizontal"
    case .vertical: "vertical"
    }
  }
}

/// `distribution` of a Row or Column, along the main axis.
public enum Distribution: UInt8, Keyword, BitwiseCopyable, Sendable {
  case start, center, end, spaceBetween, spaceAround, spaceEvenly

  public var word: StaticString {
    switch self {
    case .start: "start"
    case .center: "center"
    case .end: "end"
    case .spaceBetween: "spaceBetween"
    case .spaceAround: "spaceAround"
    case .spaceEvenly: "spaceEvenly"
    }
  }
}

/// `alignment` of a Row, Column or List, across.
public enum Alignment: UInt8, Keyword, BitwiseCopyable, Sendable {
  case stretch, start, center, end

  public var word: StaticString {
    switch self {
    case .stretch: "stretch"
    case .start: "start"
    case .center: "center"
    case .end: "end"
    }
  }
}

/// `textFieldType` of a TextField.
public enum TextFieldType: UInt8, Keyword, Sendable {
  case shortText, longText, number, date, obscured

  public var word: StaticString {
    switch self {
    case .shortText: "shortText"
    case .longText: "longText"
    case .number: "number"
    case .date: "date"
    case .obscured: "obscured"
    }
  }
}

/// `variant` of a MultipleChoice.
public enum ChoiceVariant: UInt8, Keyword, Sendable {
  case checkbox, chips

  public var word: StaticString {
    switch self {
    case .checkbox: "checkbox"
    case .chips: "chips"
    }
  }
}
