import CZlib

/// gzip (RFC 1952), for files that people send on. For commands: it allocates.
public enum Gzip {
  /// The bytes as a file of gzip; nil when there is too little memory.
  public static func pack(_ bytes: [UInt8]) -> [UInt8]? {
    // What cannot be compressed becomes a little longer.
    let room = bytes.count + bytes.count / 100 + 1024
    var count: Int64 = 0
    let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, used in
      count = bytes.withUnsafeBufferPointer {
        tl_gzip($0.baseAddress, Int64($0.count), buffer.baseAddress, Int64(room))
      }
      used = Int(max(count, 0))
    }
    return count > 0 ? packed : nil
  }
}
