import Codec
import Runtime

/// What is to be done next, and how it ended.
extension UpdateCourse {
  /// The next thing to do, of which the caller tells the end; nil while there is none. The caller has the record kept
  /// before it begins.
  public mutating func next(_ scene: UpdateScene) -> UpdateEffect? {
    if order != nil { return nil }
    switch record.state {
    case .idle: return nil
    case .offered: return begin(scene)
    case .downloading: return goOn(scene)
    case .downloaded: return record.mayInstall && slots != nil ? ask(.install, .installing, scene) : nil
    case .installing:
      if isCanceling { return ask(.cancel, .installing, scene) }
      return ask(.install, .installing, scene)
    case .installed: return restart(scene)
    case .trying: return ask(.trial, .trying, scene)
    case .trial: return prove(scene)
    case .confirming: return scene.now >= retryAt ? ask(.confirm, .confirming, scene) : nil
    case .control, .open: return compare(scene)
    case .closed: return discard()
    }
  }

  /// When `next` may have something to do that only time brings; nil: not before something happens.
  public func nextDeadline(_ scene: UpdateScene, windowOpensAt: Int64?) -> Int64? {
    if let order {
      let patience = order == .install ? Budget.updateInstallMilliseconds : Budget.updateAnswerMilliseconds
      return orderedAt + patience
    }
    switch record.state {
    case .offered: return record.mayDownload && !isDownloading ? retryAt : nil
    case .downloading: return isDownloading ? nil : retryAt
    case .installed:
      if isTesting { return nil }
      let patience = record.isForced ? waitsSince.map { $0 + Budget.updateRestartPatience } : nil
      return earliest(patience, windowOpensAt)
    case .trial: return isTesting ? leaveAt : record.hasPassed ? leaveAt : min(testAt, leaveAt)
    case .confirming: return retryAt
    case .control: return startedAt + Budget.updateControl
    case .open: return onlineSince.map { $0 + Budget.updateGatewayBack }
    case .idle, .downloaded, .installing, .trying, .closed: return nil
    }
  }

  private mutating func begin(_ scene: UpdateScene) -> UpdateEffect? {
    if slots == nil {
      // A hundred megabytes that nothing can be done with.
      close(.failure, sentence { $0.text(UpdateRefusal.noSlots.text) }, at: scene.now)
      return discard()
    }
    guard record.mayDownload, scene.now >= retryAt, mayWrite(bytesOfUpdate, at: scene.now) else { return nil }
    pace.counted = 0
    record.attempts += 1
    become(.downloading)
    isDownloading = true
    return .download
  }

  private mutating func goOn(_ scene: UpdateScene) -> UpdateEffect? {
    guard !isDownloading, scene.now >= retryAt, mayWrite(0, at: scene.now) else { return nil }
    isDownloading = true
    return .download
  }

  /// Asks root's side. The number of the request goes to flash with the record, so that no two have the same.
  private mutating func ask(_ order: RootOrder, _ state: UpdateState, _ scene: UpdateScene) -> UpdateEffect {
    record.request = record.request &+ 1
    become(state)
    if order == .install { wrote(Budget.updateSystemBytes) }
    self.order = order
    orderedAt = scene.now
    return .request
  }

  private mutating func restart(_ scene: UpdateScene) -> UpdateEffect? {
    guard record.mayInstall, !isTesting else { return nil }
    guard record.isForced || scene.isWindowOpen else {
      waitsSince = nil
      return nil
    }
    if scene.isBusy {
      let since = waitsSince ?? scene.now
      waitsSince = since
      guard record.isForced, scene.now - since >= Budget.updateRestartPatience else { return nil }
    }
    if !hasBaseline {
      isTesting = true
      return .test
    }
    guard let slots else { return nil }
    record.trials += 1
    record.fromSlot = slots.slot
    (record.hasPassed, record.hasReached) = (false, false)
    record.lines.clear()
    return ask(.trial, .trying, scene)
  }

  // MARK: The trial

  /// When the trial is given up: a little before root's side would do that without a reason.
  var leaveAt: Int64 {
    (slots?.trialSeconds ?? Budget.updateTrialSeconds) * 1000 - Budget.updateTrialMargin
  }

  private var isProved: Bool {
    switch proof {
    case .gateway: onlineSince != nil
    case .server: hasServerAnswered
    case .selfTest: true
    }
  }

  private mutating func prove(_ scene: UpdateScene) -> UpdateEffect? {
    if record.hasPassed, isProved { return ask(.confirm, .confirming, scene) }
    if leaveReason.isEmpty, scene.now >= leaveAt { leaveReason = missing }
    if !leaveReason.isEmpty { return ask(.leave, .trial, scene) }
    guard !record.hasPassed, !isTesting, scene.now >= testAt else { return nil }
    isTesting = true
    return .test
  }

  /// What the trial lacks, in words.
  private var missing: UpdateText {
    sentence { writer in
      if !record.hasPassed { return writer.text("the self-test did not pass in time") }
      switch proof {
      case .gateway where record.hasReached: writer.text("the gateway was reached, but did not accept this board")
      case .gateway: writer.text("the gateway could not be reached")
      default: writer.text("the update server did not answer")
      }
      if gatewayWords.isEmpty { return }
      writer.text(": ")
      writer.bytes(gatewayWords.span)
    }
  }

  /// The old system after a trial that reached no gateway.
  private mutating func compare(_ scene: UpdateScene) -> UpdateEffect? {
    if record.state == .control {
      if onlineSince != nil {
        close(
          .failure, sentence { $0.text("the new system did not reach the gateway, and the old one does") },
          at: scene.now)
      } else if scene.now - startedAt >= Budget.updateControl {
        become(.open)
      }
      return nil
    }
    if record.trials >= Budget.updateTrials {
      close(
        .failure, sentence { $0.text("no trial reached the gateway, and the old system did not either") }, at: scene.now
      )
      return nil
    }
    guard let onlineSince, scene.now - onlineSince >= Budget.updateGatewayBack else { return nil }
    become(.installed)
    hasBaseline = true
    return nil
  }

  private mutating func discard() -> UpdateEffect? {
    if !hasDiscarded {
      hasDiscarded = true
      return .discard
    }
    if record.origin != .server { told() }
    return nil
  }

  // MARK: Ends of effects

  /// The bundle is complete.
  public mutating func downloaded() {
    guard record.state == .downloading else { return }
    isDownloading = false
    become(.downloaded)
  }

  /// The download was interrupted, and goes on after `pause` milliseconds.
  public mutating func interrupted(pause: Int64, at now: Int64) {
    isDownloading = false
    retryAt = now + pause
  }

  /// The file on the server has another tag: what was downloaded of it belongs together.
  public mutating func tagged(_ etag: Span<UInt8>) {
    guard record.state == .downloading, !record.etag.equals(etag) else { return }
    record.etag.set(etag)
    isChanged = true
  }

  /// What came is not what was promised. `reason` is for the server. It is tried again in an hour, and then given up.
  public mutating func faulted(_ reason: UpdateText, at now: Int64) {
    isDownloading = false
    guard record.state == .downloading else { return }
    if record.attempts >= Budget.updateAttempts || record.origin == .local { return close(.failure, reason, at: now) }
    record.reason = reason
    record.etag.clear()
    retryAt = now + Budget.updateAttemptSpacing
    become(.offered)
  }

  /// It cannot go on at all.
  public mutating func failed(_ reason: UpdateText, at now: Int64) {
    if record.state != .idle, record.state != .closed { close(.failure, reason, at: now) }
  }

  /// Root's side said something of a request.
  public mutating func answered(_ answer: RootAnswer, at now: Int64) {
    guard let order, answer.id == record.request else { return }
    switch answer.state {
    case .working:
      orderedAt = now
      percent = answer.percent
    case .done:
      self.order = nil
      finished(order, at: now)
    case .failed:
      self.order = nil
      refused(order, answer.reason, at: now)
    }
  }

  /// No answer came in time: root's side is not there, or hangs.
  public mutating func expire(at now: Int64) {
    guard let order,
      let due = nextDeadline(UpdateScene(now: now, isBusy: false, isWindowOpen: false), windowOpensAt: nil),
      now >= due
    else { return }
    self.order = nil
    refused(
      order, InlineText(cutting: "this board's root side does not answer (systemctl status talon-system)"), at: now)
  }

  private mutating func finished(_ order: RootOrder, at now: Int64) {
    switch order {
    case .install:
      if isCanceling { return close(.canceled, sentence { $0.text("canceled") }, at: now) }
      if let slots, !slots.otherVersion.isEmpty { record.release.version = slots.otherVersion }
      become(.installed)
    case .confirm: close(.success, sentence { $0.text("runs, and is confirmed") }, at: now)
    case .cancel: close(.canceled, sentence { $0.text("canceled") }, at: now)
    case .trial, .leave, .rollback:
      // The restart follows.
      self.order = order
      orderedAt = now
    }
  }

  private mutating func refused(_ order: RootOrder, _ reason: InlineText<200>, at now: Int64) {
    let words = reason
    let text = sentence { $0.bytes(words.span) }
    switch order {
    case .install where isCanceling, .cancel: close(.canceled, sentence { $0.text("canceled") }, at: now)
    case .install, .trial: close(.failure, text, at: now)
    case .confirm: retryAt = now + Budget.updateTestSpacing
    case .leave: leaveReason = text
    case .rollback:
      record.reason = text
      isChanged = true
    }
  }
}
