import Codec
import Device
import Node
import Runtime

/// Joins a Wi-Fi network whose code somebody shows to the camera, while the board has no network (`WiFiSearch`).
/// Nothing of a code reaches the log or the status; root's side configures the network.
public final class WiFiPart: Part {
  /// A look through the camera, on a worker.
  private final class Look: Job {
    let board: any WiFiBoard
    let text = FixedBuffer(capacity: Budget.wifiCodeBytes + 1)
    let cancellation = Cancellation()
    var milliseconds: Int64 = 0
    var sight = WiFiSight.nothing
    unowned(unsafe) var part: WiFiPart! = nil

    init(_ board: any WiFiBoard) { self.board = board }

    override func run() { sight = board.look(for: milliseconds, into: text.bytes, cancellation: cancellation) }
    override func finish() { part.looked() }
  }

  /// What is said to root's side and by it, on a worker.
  private final class Exchange: Job {
    let board: any WiFiBoard
    let text = FixedBuffer(capacity: Budget.wifiAnswerBytes)
    /// Bytes of a request; nil: the answer is read.
    var requestBytes: Int?
    var answerBytes = 0
    var failure: Errno?
    unowned(unsafe) var part: WiFiPart! = nil

    init(_ board: any WiFiBoard) { self.board = board }

    override func run() {
      failure = nil
      do throws(Errno) {
        guard let requestBytes else {
          answerBytes = try board.readAnswer(into: text.bytes)
          return
        }
        try board.send(UnsafeBufferPointer(rebasing: text.bytes[..<requestBytes]))
      } catch {
        failure = error
      }
    }

    override func finish() { part.exchanged() }
  }

  private let look: Look
  private let exchange: Exchange
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  /// False when the board has no network.
  private let hasNetwork: () -> Bool
  private var search: WiFiSearch?
  /// The last trouble of the camera that was logged, so that it is logged once.
  private var trouble = InlineText<160>()

  /// A part that begins with `start`.
  @export(interface)
  public init(
    _ board: any WiFiBoard, runner: any JobRunner, clock: any Clock, log: Log, hasNetwork: @escaping () -> Bool
  ) {
    look = Look(board)
    exchange = Exchange(board)
    self.runner = runner
    self.clock = clock
    self.log = log
    self.hasNetwork = hasNetwork
    super.init()
    look.part = self
    exchange.part = self
  }

  // MARK: Part

  public override func start() {
    // A board that a person held before this start is left alone.
    if search == nil { search = WiFiSearch(at: clock.monotonic) }
  }

  public override func stop() { hold() }

  public override var isStopped: Bool { !look.isPending && !exchange.isPending }

  public override func hold() {
    if search == nil { search = WiFiSearch(at: clock.monotonic) }
    handle(.held)
  }

  public override var nextDeadline: Int64? { look.isPending || exchange.isPending ? nil : search?.nextDeadline }

  public override func advance(to now: Int64) { handle(.time(hasNetwork: hasNetwork())) }

  public override var live: LiveUse { look.isPending ? .camera : [] }

  // MARK: The search

  private func handle(_ event: WiFiSearch.Event) {
    // A job that was cancelled, or is slow, ends before anything else begins.
    if case .time = event, exchange.isPending { return }
    guard let step = change(event) else { return }
    switch step {
    case .endLook: look.cancellation.request()
    case .look(let milliseconds):
      look.milliseconds = milliseconds
      look.cancellation.reset()
      if !runner.submit(look) { _ = change(.sawNothing) }
    case .ask(let code, let id):
      exchange.requestBytes = code.writeRequest(id, into: exchange.text.bytes)
      if !runner.submit(exchange) { _ = change(.asked(isDone: false)) }
    case .readAnswer:
      exchange.requestBytes = nil
      // A full queue is tried again with the next poll.
      _ = runner.submit(exchange)
    }
  }

  /// The search takes the event; what changes by it is logged.
  private func change(_ event: WiFiSearch.Event) -> WiFiSearch.Step? {
    guard var search else { return nil }
    let before = search
    let step = search.handle(event, at: clock.monotonic)
    self.search = search
    if search.failure != before.failure, !search.failure.isEmpty {
      let failure = search.failure
      log.write(.warning, "wifi") { line in
        line.add("the network of a code is not joined: ")
        line.add(failure.span)
      }
    }
    if search.state != before.state { report(search.state, after: before.state) }
    return step
  }

  private func report(_ state: WiFiSearch.State, after before: WiFiSearch.State) {
    switch state {
    case .looking where before == .waiting:
      log.write(.notice, "wifi", "the board has no network: show a Wi-Fi code to its camera")
    case .asking: log.write(.notice, "wifi", "a Wi-Fi code was seen: the system is asked to join its network")
    case .over(.joined): log.write(.notice, "wifi", "the network of the code is joined")
    case .over(.time): log.write(.notice, "wifi", "no Wi-Fi code helped: the next start of the board looks again")
    case .over(.requests): log.write(.warning, "wifi", "too many Wi-Fi codes led nowhere: no more until the next start")
    case .waiting, .resting, .looking, .joining, .over: break
    }
  }

  private func looked() {
    switch look.sight {
    case .nothing:
      trouble.clear()
      handle(.sawNothing)
    case .trouble(let text):
      if text != trouble {
        trouble = text
        log.write(.warning, "wifi") { line in
          line.add("no Wi-Fi code can be looked for: ")
          line.add(text.span)
        }
      }
      handle(.sawTrouble)
    case .code(let count):
      trouble.clear()
      let text = UnsafeBufferPointer(rebasing: look.text.bytes[..<min(count, look.text.bytes.count)])
      do throws(WiFiCodeError) { handle(.saw(try WiFiCode(text.span))) } catch { handle(.sawWrong(error)) }
      look.text.bytes.update(repeating: 0)
    }
  }

  private func exchanged() {
    if exchange.requestBytes != nil {
      exchange.text.bytes.update(repeating: 0)
      if let failure = exchange.failure {
        log.write(.error, "wifi") { line in
          line.add("the request could not be written: ")
          line.add(failure)
        }
      }
      return handle(.asked(isDone: exchange.failure == nil))
    }
    guard exchange.failure == nil else { return }
    let count = min(exchange.answerBytes, exchange.text.bytes.count)
    let text = UnsafeBufferPointer(rebasing: exchange.text.bytes[..<count])
    if let answer = WiFiAnswer(text.span) { handle(.answered(answer)) }
  }

  // MARK: Reports

  public override var wanted: StaticString? {
    guard let search, search.isOpen else { return nil }
    return "No network: show a Wi-Fi code to the camera."
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    guard let search else { return }
    writer.key("wifi")
    writer.beginObject()
    writer.key("state")
    writer.string(Self.word(search.state))
    if !search.failure.isEmpty {
      writer.key("failure")
      writer.string(search.failure.span)
    }
    if !trouble.isEmpty {
      writer.key("trouble")
      writer.string(trouble.span)
    }
    writer.endObject()
  }

  private static func word(_ state: WiFiSearch.State) -> StaticString {
    switch state {
    case .waiting: "waiting"
    case .resting, .looking: "looking"
    case .asking, .joining: "joining"
    case .over(.joined): "joined"
    case .over: "closed"
    }
  }
}
