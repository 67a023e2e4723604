import Codec
import Runtime

/// The text of a code while a scanner types it, character by character: what comes after a pause is another text.
public final class ScannedText {
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var fault: ScanFault?
  private var last: Int64 = 0

  /// Room for the longest text: `Budget.scannerTextBytes`.
  @export(interface)
  public init() { bytes = .allocate(capacity: Budget.scannerTextBytes) }

  deinit { bytes.deallocate() }

  /// A character, at a monotonic instant in milliseconds.
  public func add(_ character: Unicode.Scalar, at instant: Int64) {
    resume(at: instant)
    let encoded = character.utf8
    guard encoded.count <= bytes.count - count else { return fault = fault ?? .tooLong }
    for index in 0..<encoded.count { bytes[count + index] = encoded[index] }
    count += encoded.count
  }

  /// Events were lost: the text that is being typed is not whole.
  public func lose(at instant: Int64) {
    resume(at: instant)
    fault = fault ?? .lost
  }

  /// The text ends: it goes to the delegate, unless it is empty. The delegate may stop the scanner.
  public func end(at instant: Int64, _ delegate: any CodeScannerDelegate) {
    resume(at: instant)
    let (count, fault) = (count, fault)
    (self.count, self.fault) = (0, nil)
    if let fault {
      delegate.scanFailed(fault)
    } else if count > 0 {
      delegate.scanned(Span(_unsafeElements: UnsafeBufferPointer(bytes).extracting(0..<count)))
    }
    forget(count)
  }

  /// Forgets what was typed.
  public func clear() {
    forget(count)
    (count, fault) = (0, nil)
  }

  /// What was typed may be a secret.
  private func forget(_ count: Int) {
    for index in 0..<count { bytes[index] = 0 }
  }

  private func resume(at instant: Int64) {
    if instant.subtracting(clamping: last) > Budget.scannerPauseMilliseconds { clear() }
    last = instant
  }
}
