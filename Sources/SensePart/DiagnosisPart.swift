import Codec
import Device
import Gateway
import Node
import Runtime

/// `debug.logs`, `debug.doctor` and `debug.bundle`: what a person needs who cannot stand before the board. Only where
/// the configuration allows it.
public final class DiagnosisPart: Part, CommandHandler, BlobDelegate {
  private static let rows = [
    CommandRow("debug.logs", limit: 2), CommandRow("debug.doctor", limit: 1), CommandRow("debug.bundle", limit: 1),
  ]

  /// One report, on a worker.
  private final class Report: Job {
    let inspector: any Inspector
    let bytes = FixedBuffer(capacity: Budget.inspectionBytes)
    let cancellation = Cancellation()
    var inspection = Inspection.doctor
    var count = 0
    var failure: DiagnosisError?
    unowned(unsafe) var part: DiagnosisPart! = nil

    init(_ inspector: any Inspector) { self.inspector = inspector }

    override func run() {
      failure = nil
      do throws(DiagnosisError) {
        count = try inspector.inspect(inspection, into: bytes.bytes, cancellation: cancellation)
      } catch { failure = error }
    }

    override func finish() { part.reported() }
  }

  private let report: Report
  private let router: Router
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private var token: InvokeToken?
  /// The report is being sent: it must not be overwritten.
  private var isLent = false

  /// A part that makes reports by `inspector` on a worker of `runner`.
  @export(interface)
  public init(
    _ inspector: any Inspector, router: Router, runner: any JobRunner, clock: any Clock, log: Log
  ) {
    report = Report(inspector)
    self.router = router
    self.runner = runner
    self.clock = clock
    self.log = log
    super.init()
    report.part = self
  }

  // MARK: Part

  public override func addCommands(to router: Router) { router.add(Self.rows, capability: "debug", self) }

  public override func stop() { report.cancellation.request() }

  public override var isStopped: Bool { !report.isPending }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    do throws(DiagnosisError) {
      switch command {
      case 0: try answerLogs(token, copy parameters)
      case 1: try begin(.doctor, token)
      default: try begin(.bundle, token)
      }
    } catch {
      router.fail(token, error)
    }
  }

  private func answerLogs(_ token: InvokeToken, _ parameters: JSONView) throws(DiagnosisError) {
    let page = try LogPage(parameters)
    let (monotonic, wall) = (clock.monotonic, clock.wall)
    router.succeed(token) { page.write(self.log, monotonic: monotonic, wall: wall, to: &$0) }
  }

  private func begin(_ inspection: Inspection, _ token: InvokeToken) throws(DiagnosisError) {
    guard self.token == nil, !isLent, !report.isPending else { throw .busy }
    report.inspection = inspection
    report.cancellation.reset()
    guard runner.submit(report) else { throw .busy }
    self.token = token
  }

  public func cancel(_ token: InvokeToken) {
    guard self.token == token else { return }
    self.token = nil
    report.cancellation.request()
  }

  private func reported() {
    guard let token else { return }
    self.token = nil
    if let failure = report.failure { return router.fail(token, failure) }
    let bytes = UnsafeBufferPointer(rebasing: report.bytes.bytes[..<report.count])
    isLent = true
    let isTaken =
      switch report.inspection {
      case .doctor: router.succeed(token, json: bytes, delegate: self)
      case .bundle:
        router.succeed(token, blob: bytes, delegate: self) { writer in
          writer.key("format")
          writer.string("tar.gz")
          writer.key("bytes")
          writer.int(Int64(bytes.count))
        }
      }
    if !isTaken { isLent = false }
  }

  // MARK: BlobDelegate

  public func blobRead(upTo count: Int) {}

  public func blobReleased() { isLent = false }
}
