import COpenSSL
import Gateway
import Runtime

/// The protocol's cryptography by OpenSSL. Its primitives fail only without memory; then the process stops and is
/// restarted.
public final class OpenSSLCryptography: Cryptography {
  @export(interface)
  public init() {}

  public func sha256(_ message: Span<UInt8>) -> InlineArray<32, UInt8> {
    fill { output in
      message.withUnsafeBufferPointer { tl_sha256($0.baseAddress, numericCast($0.count), output) }
    }
  }

  public func sha1(_ message: Span<UInt8>) -> InlineArray<20, UInt8> {
    fill { output in
      message.withUnsafeBufferPointer { tl_sha1($0.baseAddress, numericCast($0.count), output) }
    }
  }

  public func ed25519PublicKey(seed: InlineArray<32, UInt8>) -> InlineArray<32, UInt8> {
    fill { output in
      seed.span.withUnsafeBufferPointer { tl_ed25519_public($0.baseAddress, output) }
    }
  }

  public func ed25519Signature(
    _ message: Span<UInt8>, seed: InlineArray<32, UInt8>
  ) -> InlineArray<64, UInt8> {
    fill { output in
      message.withUnsafeBufferPointer { bytes in
        seed.span.withUnsafeBufferPointer {
          tl_ed25519_sign($0.baseAddress, bytes.baseAddress, numericCast(bytes.count), output)
        }
      }
    }
  }

  private func fill<let count: Int>(
    _ operation: (UnsafeMutablePointer<UInt8>) -> Int32
  ) -> InlineArray<count, UInt8> {
    var output = InlineArray<count, UInt8>(repeating: 0)
    var span = output.mutableSpan
    let done = span.withUnsafeMutableBufferPointer { operation($0.baseAddress!) }
    if done != 1 { Process.endWithoutMemory() }
    return output
  }
}
