import Codec
import Gateway
import Runtime

/// Links that a scanner at the board reads: those with the board's own key are sent at once, about others the board
/// asks. What is no link leaves a line in the log that tells why, and nothing of the text.
public final class LinkScanner: Part, CodeScannerDelegate {
  private let scanner: any CodeScanner
  private let desk: LinkDesk
  private let clock: any Clock
  private let log: Log
  private var last: Int64?

  /// A part that hands to `desk` what `scanner` reads.
  @export(interface)
  public init(_ scanner: any CodeScanner, desk: LinkDesk, clock: any Clock, log: Log) {
    self.scanner = scanner
    self.desk = desk
    self.clock = clock
    self.log = log
    super.init()
  }

  public override func start() { scanner.start(self) }

  public override func stop() { scanner.stop() }

  public func scanned(_ text: Span<UInt8>) {
    guard isDue() else { return }
    _ = desk.open(text, from: .scanner, .asks)
  }

  public func scanFailed(_ fault: ScanFault) {
    guard isDue() else { return }
    log.write(.notice, "links") { line in
      line.add("the text of a scanned code ")
      fault.write(to: &line)
    }
  }

  /// False for a text that follows another one too soon: the same code, read again.
  private func isDue() -> Bool {
    let now = clock.monotonic
    if let last, now - last < Budget.scannerSpacing { return false }
    last = now
    return true
  }
}
