import Codec
import Runtime

/// The unescaped parameters of the invoke that begins. Its one buffer is reused by the next invoke.
final class InvokeParameters {
  /// Pages beyond this many bytes are given back after use: large parameters are rare.
  private static let kept = 16 * 1024

  private let buffer: ReservedBuffer
  private var count = 0

  /// Room for parameters of `capacity` bytes.
  init(capacity: Int) throws(Errno) { buffer = try ReservedBuffer(capacity: capacity) }

  /// The checked JSON, valid until the next call of `decode`.
  var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
  }

  /// Copies the parameters of an invoke: `paramsJSON` unescaped, or the object `params` that some gateways send;
  /// absent, null and empty text count as `{}` (node-commands 1.1). False when they are not valid JSON, or too large.
  func decode(_ invoke: InvokeFields) -> Bool {
    let text = JSONView(invoke.paramsJSON)
    if text.kind == .string {
      guard let copied = text.copyString(into: buffer.bytes) else { return false }
      count = copied
      return isBlank ? decodeEmpty() : isValid
    }
    // JSON that is not an object passes: each command checks for one.
    let parsed = JSONView(invoke.params)
    return parsed.isNull ? decodeEmpty() : parsed.rawText.withUnsafeBufferPointer { copy($0) }
  }

  /// Copies a string of the gateway that is to be answered from its place in the frame.
  func copy(string: borrowing JSONView) -> Bool {
    guard let copied = string.copyString(into: buffer.bytes) else { return false }
    count = copied
    return true
  }

  /// Gives pages back once the handler has read the parameters.
  func done() {
    if count > Self.kept { buffer.release() }
  }

  private func decodeEmpty() -> Bool { copy(("{}" as StaticString).bytes) }

  private func copy(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= buffer.bytes.count else { return false }
    buffer.bytes.baseAddress!.update(from: text.baseAddress!, count: text.count)
    count = text.count
    return true
  }

  private var isBlank: Bool {
    for index in 0..<count {
      switch buffer.bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      default: return false
      }
    }
    return true
  }

  private var isValid: Bool {
    do throws(JSONError) {
      try JSONValidator.check(Span(_unsafeElements: text), depthLimit: Budget.jsonDepth)
      return true
    } catch {
      return false
    }
  }
}
