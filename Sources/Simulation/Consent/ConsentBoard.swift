import Board
import Codec
import Consent
import ConsentPart
import Gateway
import Node
import Runtime
import Simulated

/// A request as the simulated gateway makes it, with what it needs, which the simulation knows without asking the
/// board.
struct ConsentRequestModel {
  static let commands: [(name: String, permissions: PermissionSet)] = [
    ("camera.snap", [.camera]), ("camera.clip", [.camera, .microphone]), ("camera.ptz.control", [.camera]),
    ("talk.ptt.once", [.microphone]), ("location.get", [.location]), ("screen.record", [.screen, .microphone]),
    ("motion.activity", [.motion]), ("mcp.tools.call.v1", [.tools]), ("system.run", [.run]), ("device.info", []),
  ]

  let number: Int
  let command: Int
  let permissions: PermissionSet
  let text: String
  /// Milliseconds that its parameters say it takes.
  var length: Int64 { command == 1 || command == 5 ? work : 0 }
  /// Milliseconds that the work takes, and within which an answer is due.
  let work: Int64
  let timeout: Int64

  init(_ life: ConsentLife, number: Int) {
    self.number = number
    command = Int(life.random(below: Int64(Self.commands.count)))
    var permissions = Self.commands[command].permissions
    let isClip = command == 1 || command == 5
    let isSilent = isClip && life.chance(1, in: 2)
    if isSilent { permissions.remove(.microphone) }
    self.permissions = permissions
    work = isClip ? life.random(below: 20_000) : life.random(below: 3_000)
    timeout = [2_000, 10_000, 30_000, 60_000, 120_000][Int(life.random(below: 5))]
    var parameters = #"{"number":\#(number),"durationMs":\#(work),"includeAudio":\#(!isSilent)"#
    if life.chance(1, in: 2) { parameters += #","purpose":"to see who is there""# }
    parameters += #","tool":"photo","command":["/bin/true"]}"#
    text = """
      {"id":"\(number)","nodeId":"\(ConsentBoard.node)","command":"\(Self.commands[command].name)",\
      "timeoutMs":\(timeout),"params":\(parameters)}
      """
  }
}

/// One run of the agent: a router, the consent part, and commands that take the time that their request says.
final class ConsentBoard: ReplyChannel {
  static let node = String(repeating: "n", count: 64)
  /// The true date at the beginning: 2026-06-01.
  static let beginning: Int64 = 1_780_272_000_000

  private unowned(unsafe) let life: ConsentLife
  let boot: Int64
  let clock: VirtualClock
  let runner = DeferredRunner()
  let router: Router
  let table = PartTable()
  let part: ConsentPart
  private let store: MemoryStore
  /// Something has set the clock.
  var isDateRight = false
  private var requests: [Int: (model: ConsentRequestModel, due: Int64)] = [:]
  /// What is at work: the token's number, and when it is done.
  private var working: [(token: InvokeToken, number: Int, until: Int64)] = []
  private var beginning: ConsentRequestModel?

  init(_ life: ConsentLife, grants: MemoryStore, uses: MemoryStore, boot: Int64, monotonic: Int64) {
    self.life = life
    self.boot = boot
    store = uses
    clock = VirtualClock(monotonic: monotonic, wall: Self.beginning)
    let log = Log(level: .error, output: nil)
    router = try! Router(nodeID: InlineArray(repeating: UInt8(ascii: "n")), clock: clock, log: log)
    let outbox = try! Outbox(
      store: MemoryStore(), runner: runner, clock: clock, random: SeededRandom(seed: 1), log: log)
    var settings = ConsentSettings()
    settings.rules = life.oracle.rules
    var date: () -> Bool = { false }
    let storage = ConsentStorage(
      grants: grants, uses: uses, boot: GrantRecord.Boot(cutting: "boot-\(boot)"), isDateRight: { date() },
      offset: { _ in 0 })
    part = try! ConsentPart(
      settings, ConsentSurroundings(hasSound: true) { _ in .other }, storage: storage, parts: table, router: router,
      outbox: outbox, runner: runner, clock: clock, cryptography: OpenSSLCryptography(), log: log)
    table.add(part)
    table.add(router)
    router.replies = self
    for (index, command) in ConsentRequestModel.commands.enumerated() {
      router.add([CommandRow(command.name, limit: 8)], capability: "test", Numbered(self, index))
    }
    date = { [unowned self] in isDateRight }
    table.start()
  }

  /// A command, which knows its place.
  private final class Numbered: CommandHandler {
    unowned let board: ConsentBoard
    let index: Int
    init(_ board: ConsentBoard, _ index: Int) { (self.board, self.index) = (board, index) }
    func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
      board.begin(index, token, parameters, deadline: deadline)
    }
    func cancel(_ token: InvokeToken) { board.cancel(token) }
  }

  var storesFail = false { didSet { store.failure = storesFail ? .system(.noSpace) : nil } }

  /// Sets the true date, as NTP does.
  func setDate(_ life: ConsentLife) -> Bool {
    clock.jump(to: Self.beginning + life.now)
    return true
  }

  /// Milliseconds until the midnight that the board believes in.
  var restOfDay: Int64 { 86_400_000 - clock.wall % 86_400_000 }

  /// Requests without an answer.
  var open: Int { requests.count }

  // MARK: Time

  var deadline: Int64? {
    var next = table.nextDeadline ?? .max
    for work in working { next = min(next, work.until) }
    return next == .max ? nil : life.now + max(next - clock.monotonic, 0)
  }

  func advance() {
    table.advance(to: clock.monotonic)
    while let index = working.firstIndex(where: { $0.until <= clock.monotonic }) {
      let work = working.remove(at: index)
      life.oracle.ends(work.number)
      router.succeed(work.token) { $0.bool(true) }
    }
    if life.chance(1, in: 2) {
      runner.runAll()
      life.oracle.wasWritten()
    }
    for (number, request) in requests where clock.monotonic > request.due {
      life.violated("request \(number) was not answered in time")
    }
  }

  // MARK: Requests

  func request(_ model: ConsentRequestModel) {
    requests[model.number] = (model, clock.monotonic + model.timeout)
    router.received(JSONView("\"node.invoke.request\"".utf8.span), JSONView(model.text.utf8.span))
  }

  private func begin(_ index: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    let number = parameters.member("number")?.int64 ?? -1
    guard let request = requests[Int(number)], request.model.command == index,
      !working.contains(where: { $0.number == Int(number) })
    else { return life.violated("command \(index) began for request \(number), which is over or never was") }
    life.count { $0.begun += 1 }
    life.oracle.begins(request.model, life)
    working.append((token, Int(number), clock.monotonic + request.model.work))
  }

  private func cancel(_ token: InvokeToken) {
    guard let index = working.firstIndex(where: { $0.token == token }) else { return }
    life.oracle.ends(working.remove(at: index).number)
  }

  /// The gateway is lost, and comes back: how many requests get no answer.
  func disconnect() -> Int {
    let lost = requests.count
    table.offline()
    for work in working { life.violated("request \(work.number) works on without a gateway") }
    requests.removeAll()
    return lost
  }

  func takeBack(_ permissions: PermissionSet) { part.takeBack(permissions, "a person has taken it back") }

  func give(_ permissions: PermissionSet, _ answer: ConsentAnswer) { part.give(permissions, answer, by: .console) }

  // MARK: ReplyChannel

  private func answered(_ id: Span<UInt8>, isGood: Bool) {
    var number = 0
    for index in 0..<id.count { number = number * 10 + Int(id[index] - 48) }
    guard let request = requests.removeValue(forKey: number) else {
      return life.violated("request \(number) was answered twice, or never made")
    }
    if clock.monotonic > request.due { life.violated("request \(number) was answered too late") }
    life.count { if isGood { $0.answered += 1 } else { $0.refused += 1 } }
  }

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    answered(id, isGood: true)
    return true
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    answered(id, isGood: true)
    return true
  }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) { answered(id, isGood: false) }

  func replied() {}
}

extension VirtualClock {
  /// A person, or NTP, sets the date.
  func jump(to wall: Int64) { self.wall = wall }
}
