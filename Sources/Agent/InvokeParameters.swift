import Codec
import Runtime

/// The parameters of the invoke that is being begun, unescaped. One buffer, used again by the next.
final class InvokeParameters {
  /// Beyond this many bytes the pages are given back after use: large parameters are rare.
  private static let kept = 16 * 1024

  private let buffer: ReservedBuffer
  private var count = 0

  /// Room for parameters of `capacity` bytes.
  init(capacity: Int) throws(Errno) { buffer = try ReservedBuffer(capacity: capacity) }

  /// The checked text, until the next `take`.
  var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
  }

  /// Copies the parameters of an invoke: `paramsJSON` unescaped, or the object `params` of some gateways; nothing,
  /// null and empty text count as `{}` (node-commands 1.1). False when they are no JSON, or too large.
  func take(_ payload: borrowing JSONView) -> Bool {
    if let text = payload.member("paramsJSON"), text.kind == .string {
      guard let copied = text.copyString(into: buffer.bytes) else { return false }
      count = copied
      return isBlank ? takeEmpty() : isValid
    }
    // What is no object goes through as it is: each command says that it wants one.
    if let parsed = payload.member("params"), !parsed.isNull {
      return parsed.rawText.withUnsafeBufferPointer { copy($0) }
    }
    return takeEmpty()
  }

  /// Copies a string of the gateway that is answered from where it stands.
  func take(string: borrowing JSONView) -> Bool {
    guard let copied = string.copyString(into: buffer.bytes) else { return false }
    count = copied
    return true
  }

  /// Gives memory back once the handler has read them.
  func done() {
    if count > Self.kept { buffer.release() }
  }

  private func takeEmpty() -> Bool { copy(("{}" as StaticString).bytes) }

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
