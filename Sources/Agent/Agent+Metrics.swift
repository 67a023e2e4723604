import Codec
import Device
import Gateway
import Location
import Metrics
import MetricsPart
import Node
import Runtime
import SensePart
import UpdatePart
import Updates

/// What the program, and not the agent, counts: the loop and the process. A simulation has none of them.
public protocol ProgramCounters: AnyObject {
  /// Adds what is counted.
  func fill(_ values: inout MetricValues)
}

extension Agent: MetricsHost {
  /// A server has taken samples since the start.
  public var hasPushedMetrics: Bool { metrics?.hasPushed ?? false }

  public func readBoard(for delegate: any DeviceSnapshotDelegate) -> Bool { device.read(for: delegate) }

  public var metricTexts: MetricTexts {
    var texts = MetricTexts()
    texts.version = InlineText(cutting: session.version)
    guard let slots = updates?.slots else { return texts }
    texts.system = slots.version
    texts.slot.set(slots.letter.utf8Bytes)
    return texts
  }

  public func fill(_ values: inout MetricValues, positions: Bool) {
    values.set(.info, 1.0)
    if updates?.slots != nil { values.set(.systemInfo, 1.0) }
    values.set(.uptime, Double(now - startedAt) / 1000)
    let report = table.report
    fillConnection(&values)
    fillWork(&values, report.services)
    fill(&values, device: .cameraUp, report.camera)
    fill(&values, device: .receiverUp, report.location)
    fill(&values, device: .motionUp, report.motion)
    fill(&values, device: .microphoneUp, report.microphone)
    fill(&values, device: .screenUp, report.canvas)
    fill(&values, device: .lightUp, panel.light)
    fill(&values, device: .buttonUp, panel.button)
    fillReceiver(&values, positions: positions)
    values.set(.resident, residentBytes?())
    values.set(.memoryLimit, memoryLimitBytes)
    if let update = report.update {
      values.set(.updateBusy, !update.pending.isEmpty)
      values.set(.updateFailed, !update.failure.isEmpty)
    }
    counters?.fill(&values)
  }

  private func fillConnection(_ values: inout MetricValues) {
    values.set(.stateOnline, session.state == .online)
    values.set(.stateConnecting, session.state == .connecting)
    values.set(.stateWaiting, session.state == .waiting || session.state == .stopped)
    values.set(.stateApproval, session.state == .awaitingApproval)
    values.set(.statePaused, session.state == .paused)
    values.set(.stateUntrusted, session.state == .untrusted)
    values.set(.onlineSeconds, Double(session.onlineMilliseconds) / 1000)
    values.set(.connections, session.connections)
    values.set(.lostNetwork, session.counters.network)
    values.set(.lostClosed, session.counters.closed)
    values.set(.lostSilent, session.counters.silent)
    values.set(.lostProtocol, session.counters.violations)
    values.set(.roundTrip, session.counters.roundTrip.map { Double($0) / 1000 })
  }

  private func fillWork(_ values: inout MetricValues, _ services: ServiceReport) {
    values.set(.succeeded, router.succeeded)
    values.set(.failed, router.failed)
    values.set(.repeated, router.repeated)
    values.set(.running, UInt64(router.count))
    switch advice?.finding {
    case .withheld: values.set(.blocked, true)
    case .served, .partial: values.set(.blocked, false)
    case .silent, nil: break
    }
    values.set(.eventsWaiting, services.waiting)
    values.set(.eventsDelivered, outbox.counters.delivered)
    values.set(.eventsDropped, outbox.counters.dropped)
    values.set(.eventsRefused, outbox.counters.refused)
  }

  /// One that is not configured has no series.
  private func fill(_ values: inout MetricValues, device metric: Metric, _ state: HardwareState) {
    if state.state == .absent, !state.isPermitted { return }
    values.set(metric, state.state == .ok)
  }

  private func fillReceiver(_ values: inout MetricValues, positions: Bool) {
    guard let reading = location.reading else { return }
    values.set(.fix, reading.hasFix)
    values.set(.satellites, UInt64(reading.satellites))
    values.set(.receiverErrors, reading.errors)
    guard positions, let fix = reading.fix else { return }
    values.set(.latitude, fix.latitude)
    values.set(.longitude, fix.longitude)
  }
}
