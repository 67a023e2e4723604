import Codec
import Fetch
import Gateway
import Runtime
import Updates

/// Speaks with an update server, or reads a list of releases: one message at a time, and none between two polls unless
/// there is something to tell.
final class ServerDialog: FetchDelegate {
  private enum Message { case base, list, deployment, cancel, attributes, report, cancelReport }

  private unowned(unsafe) let part: UpdatePart
  private let fetcher: Fetcher
  private let body = FixedBuffer(capacity: Budget.updateReportBytes)
  private var schedule: PollSchedule
  private var message: Message?
  /// The base address of this board at the server; nil without a server.
  private let base: WebURL?
  private let list: WebURL?
  private let authorization: InlineText<600>
  private var isRunning = false
  /// What the last base resource named, and what is still to be done of it.
  private var found: (deployment: UpdateLink?, cancel: UpdateLink?)
  private var wantsAttributes = true
  private var cancel: DDICancel?
  /// How an open request to cancel is answered; nil: not decided.
  private var cancelAnswer: DDIFeedback?
  /// The last report that the server has, and when it was made.
  private var toldNumber: Int64 = -1
  private var toldAction = InlineText<64>()
  private var toldAt = Int64.min / 2
  /// When the server or the list was last asked.
  private var polledAt = Int64.min / 2
  /// Polls since the server answered anything else than success.
  private(set) var lastAnswerAt: Int64?

  init(_ part: UpdatePart) throws(Errno) {
    self.part = part
    fetcher = try Fetcher(
      part.world.board.messages, clock: part.clock, bodyBytes: Budget.updateMessageBytes,
      requestBytes: Budget.updateTokenBytes + Budget.updateReportBytes)
    schedule = PollSchedule(at: part.clock.monotonic, part.world.random)
    let settings = part.settings
    base = settings.server.isEmpty ? nil : try? WebURL((settings.server + "/controller/v1/" + settings.name).utf8.span)
    list = settings.list.isEmpty ? nil : try? WebURL(settings.list.utf8.span)
    authorization = InlineText(cutting: settings.authorization)
    fetcher.delegate = self
  }

  func start() {
    isRunning = base != nil || list != nil
    schedule = PollSchedule(at: part.clock.monotonic, part.world.random)
  }

  func stop() {
    isRunning = false
    fetcher.cancel()
    message = nil
  }

  /// Asks at once, or so many milliseconds after it last asked; false where nothing is configured.
  func hurry(pause: Int64 = 0) -> Bool {
    schedule.hurry(to: max(part.clock.monotonic, polledAt + pause))
    return base != nil || list != nil
  }

  /// The failures since the last answer.
  var failures: Int { schedule.failures }

  /// Milliseconds until the next question.
  func wait(at now: Int64) -> Int64 { max(schedule.dueAt - now, 0) }

  // MARK: Addresses

  /// Where a link of the server leads. A server after a proxy often names itself without TLS: then the configured
  /// address counts.
  func place(of link: Span<UInt8>) throws(WebURLError) -> WebURL {
    guard let origin = base ?? list else { return try WebURL(link) }
    let url = try origin.resolving(link)
    guard url.host == origin.host, !url.isSecure, origin.isSecure else { return url }
    return origin.with(target: url.target)
  }

  /// A request without a body, for a bundle at this address.
  func request(for url: WebURL) -> FetchRequest {
    var request = FetchRequest()
    request.totalMilliseconds = Budget.updateDownloadMilliseconds
    request.idleMilliseconds = Budget.updateIdleMilliseconds
    if let base, base.isSameOrigin(as: url) { request.authorization = authorization }
    return request
  }

  // MARK: Time

  var nextDeadline: Int64? {
    guard isRunning else { return nil }
    if message != nil { return fetcher.nextDeadline }
    var next = schedule.dueAt
    if hasReport { next = min(next, max(toldAt + Budget.updateReportSpacing, schedule.failures > 0 ? next : 0)) }
    return next
  }

  /// True when the server has not heard of the step that the update is at.
  private var hasReport: Bool {
    guard base != nil else { return false }
    if cancelAnswer != nil { return true }
    guard part.course.report != nil else { return false }
    return part.course.reportNumber != toldNumber || part.course.record.action != toldAction
  }

  func advance(to now: Int64) {
    guard isRunning else { return }
    if message != nil { return fetcher.advance(to: now) }
    if now >= schedule.dueAt { return poll() }
    // Reports wait while the server does not answer.
    guard hasReport, schedule.failures == 0, now >= toldAt + Budget.updateReportSpacing else { return }
    report(at: now)
  }

  private func poll() {
    polledAt = part.clock.monotonic
    if let base { return send(.base, base) }
    if let list { send(.list, list) }
  }

  private func send(_ message: Message, _ url: WebURL, _ method: FetchRequest.Method = .get, _ count: Int = 0) {
    self.message = message
    var request = FetchRequest()
    request.method = method
    request.accept = "application/hal+json, application/json"
    request.authorization = base == nil ? InlineText() : authorization
    request.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<count])
    request.totalMilliseconds = Budget.updateMessageMilliseconds
    request.idleMilliseconds = Budget.updateIdleMilliseconds
    fetcher.start(url, request)
  }

  /// What follows from the last base resource, one after the other.
  private func goOn() {
    guard let base, isRunning else { return }
    if let link = found.cancel {
      found.cancel = nil
      return ask(.cancel, link)
    }
    if let link = found.deployment {
      found.deployment = nil
      return ask(.deployment, link)
    }
    guard wantsAttributes else { return }
    var writer = JSONWriter(into: body.bytes)
    part.attributes.write(to: &writer)
    guard writer.isComplete else { return }
    send(.attributes, base.with(target: base.target + "/configData"), .put, writer.count)
  }

  /// The resources of the API are asked for at the configured address, whatever name the server has for itself.
  private func ask(_ message: Message, _ link: UpdateLink) {
    guard let base else { return }
    do throws(WebURLError) {
      let url = try base.resolving(link.span)
      send(message, base.with(target: url.target))
    } catch {
      complain("names an address that is not valid")
    }
  }

  // MARK: Reports

  private func report(at now: Int64) {
    guard let base else { return }
    toldAt = now
    var writer = JSONWriter(into: body.bytes)
    if let cancel, let answer = cancelAnswer {
      answer.write(id: cancel.id.span, lines: InlineText<1>().span, to: &writer)
      let place = "/cancelAction/" + Self.string(cancel.id) + "/feedback"
      return send(.cancelReport, base.with(target: base.target + place), .post, writer.count)
    }
    guard let report = part.course.report else { return }
    let record = part.course.record
    (pending, pendingAction) = (part.course.reportNumber, record.action)
    let isFailure = report.finished == .failure
    if isFailure {
      report.write(id: record.action.span, lines: record.lines.span, to: &writer)
    } else {
      report.write(id: record.action.span, lines: InlineText<1>().span, to: &writer)
    }
    guard writer.isComplete else { return }
    let place = "/deploymentBase/" + Self.string(record.action) + "/feedback"
    send(.report, base.with(target: base.target + place), .post, writer.count)
  }

  /// The number of the report that is on its way.
  private var pending: Int64 = -1
  private var pendingAction = InlineText<64>()

  private static func string(_ text: InlineText<64>) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func reported() {
    (toldNumber, toldAction) = (pending, pendingAction)
    guard part.course.record.state == .closed, part.course.reportNumber == pending else { return }
    part.course.told()
    // Offered again, the end is told again.
    toldNumber = -1
  }

  // MARK: Answers

  func fetched(_ fetcher: Fetcher) {
    let now = part.clock.monotonic
    guard let message else { return }
    self.message = nil
    do throws(UpdateMessageError) {
      try take(message, fetcher.body.span, at: now)
    } catch {
      var text = UpdateText()
      text.fill { buffer in
        var writer = ByteWriter(into: buffer)
        writer.text("what the update server answered ")
        error.write(to: &writer)
        return min(writer.count, buffer.count)
      }
      failed(text, retryAfter: nil)
    }
    fetcher.release()
    part.step()
    if self.message == nil { goOn() }
  }

  private func take(_ message: Message, _ body: Span<UInt8>, at now: Int64) throws(UpdateMessageError) {
    switch message {
    case .base:
      let base = try DDIBase(body)
      answered(at: now, seconds: base.sleepSeconds)
      part.course.serverAnswered()
      found = (base.deployment, base.cancel)
      if base.configData != nil { wantsAttributes = true }
      if base.deployment == nil, base.cancel == nil { part.course.withdrawn() }
      if base.cancel == nil { (cancel, cancelAnswer) = (nil, nil) }
    case .list:
      let list = try ReleaseList(body, part.query, part.world.board.verifier)
      answered(at: now, seconds: Budget.updateListSeconds)
      part.course.serverAnswered()
      part.course.listed(list, at: now)
      if list.needsStep {
        part.say(.warning, UpdateText(cutting: "the list has a release that needs another one first, which it lacks"))
      }
    case .deployment:
      part.course.offered(try DDIDeployment(body), at: now)
    case .cancel: try stop(DDICancel(body), at: now)
    case .attributes: wantsAttributes = false
    case .report: reported()
    case .cancelReport:
      if cancelAnswer?.execution == .closed, part.course.record.outcome == .canceled { part.course.told() }
      (cancel, cancelAnswer) = (nil, nil)
    }
  }

  private func answered(at now: Int64, seconds: Int64?) {
    part.wentWell()
    lastAnswerAt = now
    schedule.answered(at: now, seconds: seconds, part.world.random)
  }

  /// The server wants an action stopped: yes where it can be, and the truth where it cannot.
  private func stop(_ request: DDICancel, at now: Int64) {
    cancel = request
    var answer = DDIFeedback(.closed, .success)
    let action = request.action
    if part.course.isCurrent(action.span), part.course.record.state != .closed {
      do throws(UpdateRefusal) {
        // Root's side has to stop first: the server asks again.
        guard try part.cancelUpdate(at: now) else { return schedule.hurry(to: now + Budget.updatePollRange.lowerBound) }
        answer.sentence = UpdateText(cutting: "stopped")
      } catch {
        answer = DDIFeedback(.rejected)
        answer.sentence = UpdateText(cutting: error.text)
      }
    } else if part.course.isCurrent(action.span), part.course.record.outcome == .success {
      answer = DDIFeedback(.rejected)
      answer.sentence = UpdateText(cutting: "the new system runs already")
    } else {
      answer.sentence = UpdateText(cutting: "there was nothing to stop")
    }
    (cancelAnswer, toldAt) = (answer, Int64.min / 2)
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    let kind = message
    message = nil
    if case .status(let status) = failure.kind, status == 404 || status == 410 || status == 400 {
      // The action is gone, or the server takes no more reports of it.
      if kind == .report { return reported() }
      if kind == .cancelReport { return (cancel, cancelAnswer) = (nil, nil) }
      if kind == .attributes { return wantsAttributes = false }
    }
    failed(BundleDownload.words(failure), retryAfter: fetcher.retryAfterSeconds)
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { false }

  private func failed(_ words: UpdateText, retryAfter seconds: UInt32?) {
    found = (nil, nil)
    part.say(.warning, words)
    schedule.failed(at: part.clock.monotonic, retryAfter: seconds, part.world.random)
  }

  private func complain(_ what: StaticString) {
    var text = UpdateText()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("what the update server answered ")
      writer.text(what)
      return min(writer.count, buffer.count)
    }
    failed(text, retryAfter: nil)
  }
}
