import Codec
import Runtime
import Terminal

/// The board's status as rows of a screen, for a person at the board: the most important first.
struct StatusView {
  struct Row {
    var text: String
    var style = Style.plain
  }

  /// The longest labels have eight letters ("hardware"), and two spaces set them apart.
  private static let labelColumns = 10

  private(set) var rows: [Row] = []
  private let columns: Int
  /// True to add what a screen of 24 rows has no room for.
  private var hasRoom = false

  /// The rows, each at most as long as the screen is wide.
  static func rows(_ link: AgentLink, columns: Int) -> [Row] {
    var view = StatusView(columns: columns)
    switch link.state {
    case .absent:
      view.add("state", "not running", .bold)
      view.add("", "No agent runs with this configuration. This screen goes on by itself when one does.")
      view.add("", "Why not? talon config check; systemctl status talon; journalctl -u talon")
    case .lost:
      view.add("state", "restarting", .bold)
      view.add("", "The agent ended just now. This screen goes on by itself when it is back.")
    case .starting: view.add("state", "starting", .bold)
    case .here, .silent:
      let line = JSONView(Span(_unsafeElements: link.status))
      if let status = line.member("result"), !link.status.isEmpty {
        view.show(status, isSilent: link.state == .silent)
      } else {
        view.add("state", link.state == .silent ? "the agent does not answer" : "starting", .bold)
      }
    }
    if !link.log.isEmpty {
      for index in link.log.indices { view.add(index == 0 ? "log" : "", link.log[index], mostRows: 2) }
    }
    return view.rows
  }

  /// The rows of a running agent's status, not cut.
  static func rows(of status: borrowing JSONView) -> [Row] {
    var view = StatusView(columns: 1000)
    view.hasRoom = true
    view.show(status, isSilent: false)
    return view.rows
  }

  /// The title: the board's name, and its uptime.
  static func title(_ link: AgentLink, clock: Int64) -> String {
    let time = IdentityCommand.string(ISO8601(unixMilliseconds: max(clock, 0)).text)
    let bytes = Array(time.utf8)
    let now =
      String(decoding: bytes[..<10], as: UTF8.self) + " " + String(decoding: bytes[11..<16], as: UTF8.self) + " UTC"
    guard link.state == .here, !link.status.isEmpty else { return " talon \(Version.number)  \(now)" }
    let line = JSONView(Span(_unsafeElements: link.status))
    guard let status = line.member("result") else { return " talon \(Version.number)  \(now)" }
    return " talon \(status.text("version"))  \(now)  up \(duration(status.number("uptimeMs")))"
  }

  /// "3 d 4 h", "4 h 12 min", "12 min 5 s".
  static func duration(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    if seconds >= 86_400 { return "\(seconds / 86_400) d \(seconds / 3600 % 24) h" }
    if seconds >= 3600 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
    return "\(seconds / 60) min"
  }

  private init(columns: Int) { self.columns = columns }

  // MARK: The agent's status

  private mutating func show(_ status: borrowing JSONView, isSilent: Bool) {
    if isSilent { add("", "The agent does not answer; this is what it said last.", .bold) }
    add("state", status.text("state"), .bold)
    add("", status.text("explanation"))
    if status.member("panic")?.bool ?? false {
      add("panic", "held still: camera and microphone are off. Let go with: panic release", .bold)
    }
    if let trouble = status.member("trouble") {
      let file = trouble.text("configuration")
      if !file.isEmpty { add("file", "the last good one is used, for \(file)", .bold) }
      optional("flash", trouble.text("storage"), .bold)
    }
    if let attention = status.member("attention") {
      add("wants", "\(attention.text("level")): \(attention.text("text")) (seen? acknowledge)", .bold)
    }
    optional("approve", status.text("approve"), .bold)
    optional("", Self.age(ofApproval: status))
    add("gateway", status.text("gateway"))
    add("node", status.text("nodeId"))
    if hasRoom { add("pid", "\(status.number("pid"))") }
    optional("pin", status.text("pin"))
    if let trust = status.member("trust") { add("known by", Self.sentence(trust: trust)) }
    network(status)
    if let wifi = status.member("wifi") { show(wifi: wifi) }
    hardware(status)
    if let commands = status.member("commands") {
      add("commands", commands.text("explanation"))
      if hasRoom, let steps = commands.member("steps") { show(steps: steps) }
    }
    if let console = status.member("console") {
      add("operator", Self.sentence(state: console.text("state"), console.text("explanation")))
      optional("", Self.age(ofApproval: console))
    }
    let approval = status.member("commands")?.text("approve") ?? ""
    if let tools = status.member("tools") { show(tools: tools, approval: approval) }
    if let hands = status.member("io") { show(hands: hands) }
    if let update = status.member("update") { show(update: update) }
    if let metrics = status.member("metrics") { show(metrics: metrics) }
    if let wake = status.member("wake") { show(wake: wake) }
    counters(status)
    memory(status)
    if let restart = status.member("restart") {
      show(restart: restart, status.member("recovery")?.number("restart") ?? 0)
    }
  }

  /// The search for a Wi-Fi code, while it goes on and where it led nowhere.
  private mutating func show(wifi: borrowing JSONView) {
    let (state, failure, trouble) = (wifi.text("state"), wifi.text("failure"), wifi.text("trouble"))
    if state == "looking" {
      add("wifi", "show a Wi-Fi code to the camera", .bold)
    } else if state == "joining" {
      add("wifi", "a code was seen: its network is being joined", .bold)
    } else if hasRoom || !failure.isEmpty || !trouble.isEmpty {
      add("wifi", "by a code: " + state)
    }
    optional("", failure, .bold)
    optional("", trouble, .bold)
  }

  /// "restart   recovery: the memory is full (2 of 3 today)": why the board started, where that is no usual thing.
  private mutating func show(restart: borrowing JSONView, _ count: Int64) {
    let (cause, reason) = (restart.text("cause"), restart.text("reason"))
    guard hasRoom || cause == "recovery" || cause == "watchdog" else { return }
    let times = count > 0 ? " (\(count) of \(Budget.recoverySteps[2]) in a day)" : ""
    add("restart", (reason.isEmpty ? cause : "\(cause): \(reason)") + times, cause == "recovery" ? .bold : .plain)
  }

  /// By what the gateway is known, and until when that holds.
  static func sentence(trust: borrowing JSONView) -> String {
    let by = trust.text("by")
    guard trust.member("vouchedUntil") != nil else { return by }
    let time = ISO8601(unixMilliseconds: min(max(trust.number("vouchedUntil"), 0), 253_402_300_799_999)).text
    return "\(by); its certificate ends \(IdentityCommand.string(time).prefix(10))"
  }

  /// A state and its explanation, which may begin with the same word.
  private static func sentence(state: String, _ explanation: String) -> String {
    if explanation.isEmpty { return state }
    return explanation.hasPrefix(state + ":") ? explanation : "\(state): \(explanation)"
  }

  /// The age of the request for approval, which is still shown when it was just approved; empty without one.
  private static func age(ofApproval object: borrowing JSONView) -> String {
    guard object.member("approveAge") != nil else { return "" }
    let asked = "(asked \(object.number("approveAge") / 1000) s ago, "
    guard object.member("approveNext") != nil else { return asked + "asking again now)" }
    return asked + "asks again in \((object.number("approveNext") + 999) / 1000) s)"
  }

  /// `approval`: the command that approves what the board can do, where the gateway has told it.
  private mutating func show(tools: borrowing JSONView, approval: String) {
    let names = Self.list(tools, "published")
    switch tools.text("state") {
    case "accepted": add("tools", "the agent sees \(tools.number("accepted")): \(names)")
    case "waiting":
      let command = approval.isEmpty ? "openclaw nodes pending" : approval
      add("tools", "not approved: \(command)", .bold)
      add("", names)
    case "refused": add("tools", "the gateway refuses them; the log says why", .bold)
    case "unsupported": add("tools", "this gateway knows none: it is older than 2026.7")
    default: add("tools", "not published yet: \(names)")
    }
    optional("", tools.member("lastFailure") == nil ? "" : "last failure: " + tools.text("lastFailure"))
  }

  /// The release that runs, and what is to follow it.
  private mutating func show(update: borrowing JSONView) {
    let isQuiet = update.text("state") == "idle"
    let version = update.text("running")
    if isQuiet, update.text("outcome") != "failure" { return optional("system", version) }
    add(
      "system",
      version.isEmpty ? UpdateCommand.sentence(of: update) : "\(version); \(UpdateCommand.sentence(of: update))", .bold)
  }

  /// "accepted 12 s ago": how the samples fare, and what is wrong where they wait or are refused.
  private mutating func show(metrics: borrowing JSONView) {
    let waiting = metrics.number("waiting")
    let isTroubled = metrics.member("trouble")?.member("isCurrent")?.bool ?? false
    var text = metrics.member("acceptedAgeMs") == nil ? "none accepted yet" : ""
    if text.isEmpty { text = "accepted \(metrics.number("acceptedAgeMs") / 1000) s ago" }
    if waiting > 0 { text += ", \(waiting) wait" }
    let refused = metrics.number("refused")
    if refused > 0 { text += ", \(refused) refused" }
    add("metrics", text, isTroubled ? .bold : .plain)
    guard let trouble = metrics.member("trouble"), isTroubled || hasRoom else { return }
    add("", "\(trouble.text("text")) (\(trouble.number("ageMs") / 1000) s ago)")
  }

  /// "heater on, fan off": what the owner's own tools are, and in a longer list who switched them last.
  private mutating func show(hands: borrowing JSONView) {
    var (states, isBroken) = ("", false)
    var elements = hands.elements()
    while let hand = elements.next() {
      let state = hand.text("state")
      if state == "broken" { isBroken = true }
      states += (states.isEmpty ? "" : ", ") + hand.text("name") + " " + state
    }
    add("io", states, isBroken ? .bold : .plain)
    guard hasRoom else { return }
    elements = hands.elements()
    while let hand = elements.next() {
      if hand.member("trouble") != nil { add("", "\(hand.text("name")): \(hand.text("trouble"))", .bold) }
      guard let last = hand.member("last") else { continue }
      let ago = last.number("ageMs") / 1000
      add("", "\(hand.text("name")): \(last.text("what")) \(ago) s ago, \(last.text("by"))")
    }
  }

  private mutating func show(wake: borrowing JSONView) {
    let (phrases, deaf, learning) = (Self.list(wake, "phrases"), Self.list(wake, "deaf"), Self.list(wake, "learning"))
    guard !phrases.isEmpty || !deaf.isEmpty || !learning.isEmpty else { return add("wakes to", "nothing yet") }
    add("wakes to", phrases.isEmpty ? "nothing" : phrases)
    if wake.member("language") != nil { add("", "learns phrases in " + wake.text("language")) }
    if wake.member("modelTrouble") != nil { add("", "learns none: " + wake.text("modelTrouble"), .bold) }
    for (source, words) in Self.sources {
      let phrases = Self.phrases(wake, from: source)
      if !phrases.isEmpty { add("", String(words) + ": " + phrases) }
    }
    if !learning.isEmpty { add("", "is being learned: " + learning + Self.part(wake)) }
    if !deaf.isEmpty { add("", "no vector for: " + deaf, .bold) }
  }

  /// The names of the sources of vectors; built-in ones are not named.
  private static let sources: [(source: StaticString, words: StaticString)] = [
    ("file", "from the file"), ("recordings", "learned from recordings"), ("spelling", "learned from spelling"),
  ]

  private static func phrases(_ wake: borrowing JSONView, from source: StaticString) -> String {
    var text = ""
    guard let phrases = wake.member("phrases"), let sources = wake.member("sources"), phrases.kind == .array,
      sources.kind == .array
    else {
      return text
    }
    var (names, words) = (phrases.elements(), sources.elements())
    while let name = names.next(), let word = words.next() {
      if word.equals(source) { text += (text.isEmpty ? "" : ", ") + name.text }
    }
    return text
  }

  /// The progress of the first phrase that is being learned.
  private static func part(_ wake: borrowing JSONView) -> String {
    guard wake.member("learntPermille") != nil else { return "" }
    return " (\(wake.number("learntPermille") / 10) % of the first)"
  }

  /// The texts of a list, separated by commas.
  static func list(_ object: borrowing JSONView, _ name: StaticString) -> String {
    var text = ""
    guard let list = object.member(name), list.kind == .array else { return text }
    var elements = list.elements()
    while let element = elements.next() { text += (text.isEmpty ? "" : ", ") + element.text }
    return text
  }

  private mutating func show(steps: borrowing JSONView) {
    var elements = steps.elements()
    while let step = elements.next() { add("", step.text) }
  }

  private mutating func network(_ status: borrowing JSONView) {
    guard let network = status.member("network") else { return }
    var text = network.text("state")
    for part in [network.text("interface"), network.text("address")] where !part.isEmpty { text += " " + part }
    add("network", text)
  }

  /// What works and what is absent in one row each, every fault in its own row.
  private mutating func hardware(_ status: borrowing JSONView) {
    guard let list = status.member("hardware") else { return }
    var (good, absent, bad): ([String], [String], [String]) = ([], [], [])
    var elements = list.elements()
    while let part = elements.next() {
      let (name, state, detail) = (part.text("name"), part.text("state"), part.text("detail"))
      switch state {
      case "ok": good.append(name)
      case "absent": absent.append(name)
      default: bad.append(detail.isEmpty ? "\(name) \(state)" : "\(name) \(state): \(detail)")
      }
    }
    var text = ""
    for name in good { text += text.isEmpty ? name : ", " + name }
    if !text.isEmpty { text += " ok" }
    if !absent.isEmpty {
      text += text.isEmpty ? "no " : "; no "
      for index in absent.indices { text += index == 0 ? absent[0] : ", " + absent[index] }
    }
    add("hardware", text.isEmpty && bad.isEmpty ? "-" : text)
    for text in bad { add("", text, .bold, mostRows: 2) }
    optional("light", status.text("light"))
  }

  private mutating func counters(_ status: borrowing JSONView) {
    var text = ""
    if let invokes = status.member("invokes") {
      text = "\(invokes.number("answered")) commands answered, \(invokes.number("refused")) refused"
    }
    if let outbox = status.member("outbox") {
      text += text.isEmpty ? "" : "; "
      text += "\(outbox.number("waiting")) events waiting, \(outbox.number("dropped") + outbox.number("refused")) lost"
    }
    optional("work", text)
  }

  private mutating func memory(_ status: borrowing JSONView) {
    guard let memory = status.member("memory") else { return }
    let (used, limit) = (memory.number("residentBytes"), memory.number("limitBytes"))
    guard limit > 0 else { return }
    let text = "\(Self.megabytes(used)) of \(Self.megabytes(limit)) MB (\(used * 100 / limit) %)"
    add("memory", text, used > limit ? .bold : .plain)
  }

  private static func megabytes(_ bytes: Int64) -> String { "\(bytes / 1_000_000).\(bytes / 100_000 % 10)" }

  // MARK: Rows

  private mutating func optional(_ label: String, _ text: String, _ style: Style = .plain) {
    if !text.isEmpty { add(label, text, style) }
  }

  /// A text after its label, in as many rows as it needs, broken at spaces.
  private mutating func add(_ label: String, _ text: String, _ style: Style = .plain, mostRows: Int = 4) {
    let room = columns - Self.labelColumns - 1
    var line = ""
    var count = 0
    func prefix() -> String { " " + (count == 0 ? label : "").left(Self.labelColumns - 1) }
    for word in text.split(separator: " ", omittingEmptySubsequences: true) {
      if !line.isEmpty, line.utf8.count + 1 + word.utf8.count > room {
        rows.append(Row(text: prefix() + line, style: style))
        count += 1
        line = ""
        if count == mostRows { return }
      }
      line += line.isEmpty ? String(word) : " " + String(word)
    }
    rows.append(Row(text: prefix() + line, style: style))
  }
}
