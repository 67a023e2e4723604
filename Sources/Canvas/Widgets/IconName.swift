import Graphics

extension Icon {
  /// The icon by its name in a document, in camelCase or in snake_case (canvas reference 1.9); `unknown` for any other.
  public init(named name: Span<UInt8>) {
    self = .unknown
    var raw: UInt8 = 0
    while let icon = Icon(rawValue: raw), icon != .unknown {
      if name.isSpelled(icon.name) {
        self = icon
        return
      }
      raw += 1
    }
    // Material Symbols has names of its own for some.
    if name.isSpelled("playArrow") { self = .play }
    if name.isSpelled("mic") { self = .microphone }
    if name.isSpelled("accessTime") { self = .schedule }
    if name.isSpelled("email") { self = .mail }
  }

  /// As the standard catalog spells it.
  public var name: StaticString {
    switch self {
    case .accountCircle: "accountCircle"
    case .add: "add"
    case .arrowBack: "arrowBack"
    case .arrowForward: "arrowForward"
    case .attachFile: "attachFile"
    case .calendarToday: "calendarToday"
    case .call: "call"
    case .camera: "camera"
    case .check: "check"
    case .close: "close"
    case .delete: "delete"
    case .download: "download"
    case .edit: "edit"
    case .event: "event"
    case .error: "error"
    case .favorite: "favorite"
    case .favoriteOff: "favoriteOff"
    case .folder: "folder"
    case .help: "help"
    case .home: "home"
    case .info: "info"
    case .locationOn: "locationOn"
    case .lock: "lock"
    case .lockOpen: "lockOpen"
    case .mail: "mail"
    case .menu: "menu"
    case .moreVert: "moreVert"
    case .moreHoriz: "moreHoriz"
    case .notificationsOff: "notificationsOff"
    case .notifications: "notifications"
    case .payment: "payment"
    case .person: "person"
    case .phone: "phone"
    case .photo: "photo"
    case .print: "print"
    case .refresh: "refresh"
    case .search: "search"
    case .send: "send"
    case .settings: "settings"
    case .share: "share"
    case .shoppingCart: "shoppingCart"
    case .star: "star"
    case .starHalf: "starHalf"
    case .starOff: "starOff"
    case .upload: "upload"
    case .visibility: "visibility"
    case .visibilityOff: "visibilityOff"
    case .warning: "warning"
    case .unknown: "unknown"
    case .fastForward: "fastForward"
    case .pause: "pause"
    case .rewind: "rewind"
    case .skipNext: "skipNext"
    case .skipPrevious: "skipPrevious"
    case .stop: "stop"
    case .volumeDown: "volumeDown"
    case .volumeMute: "volumeMute"
    case .volumeOff: "volumeOff"
    case .volumeUp: "volumeUp"
    case .accountBalance: "accountBalance"
    case .arrowDownward: "arrowDownward"
    case .arrowUpward: "arrowUpward"
    case .checkCircle: "checkCircle"
    case .circle: "circle"
    case .directionsRun: "directionsRun"
    case .directionsWalk: "directionsWalk"
    case .flight: "flight"
    case .localShipping: "localShipping"
    case .priorityHigh: "priorityHigh"
    case .schedule: "schedule"
    case .trendingDown: "trendingDown"
    case .trendingUp: "trendingUp"
    case .microphone: "microphone"
    case .expandMore: "expandMore"
    case .expandLess: "expandLess"
    case .backspace: "backspace"
    case .shift: "shift"
    case .keyboardHide: "keyboardHide"
    case .play: "play"
    case .cursor: "cursor"
    }
  }
}

extension Span where Element == UInt8 {
  /// The same letters, whatever their case, underscores left out.
  fileprivate func isSpelled(_ name: StaticString) -> Bool {
    let letters = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    var place = 0
    for index in 0..<count where self[index] != UInt8(ascii: "_") {
      guard place < letters.count, self[index] | 0x20 == letters[place] | 0x20 else { return false }
      place += 1
    }
    return place == letters.count
  }
}
