import Codec
import Runtime

/// Why a file of header fields was refused; each with the number of its line, from 1.
public enum HeaderFileError: Error, Equatable, Sendable {
  case noColon(line: Int)
  case name(line: Int)
  case reserved(line: Int)
  case value(line: Int)
  case credentials(line: Int)
  case tooMany
  case tooLong

  /// What a person reads after the name of the file.
  public var text: String {
    switch self {
    case .noColon(let line): "line \(line) must be a name, a colon and a value, as in Remote-User: board"
    case .name(let line): "line \(line) begins with something that is no name of a header field (RFC 9110 section 5.1)"
    case .reserved(let line): "line \(line) names a field that Talon sends itself"
    case .value(let line):
      "line \(line) has a value that is empty, or has other characters than visible ASCII and spaces"
    case .credentials(let line): "line \(line) must have a user, a colon and a password after Basic, or their base64"
    case .tooMany: "must have at most \(Budget.ownHeaders) fields"
    case .tooLong: "must have at most \(Budget.ownHeaderBytes) bytes"
    }
  }
}

/// A file of header fields, one in a line: `Name: value`. Empty lines and those that begin with # count nothing. The
/// credentials of basic authentication may stand in clear, `Authorization: Basic USER:PASSWORD`: base64 has no colon
/// (RFC 7617 section 2).
public enum HeaderFile {
  /// What Talon writes into a request by itself, or what would change where it ends; in lower case.
  private static let reserved: [StaticString] = [
    "host", "upgrade", "connection", "user-agent", "accept", "accept-encoding", "content-length", "transfer-encoding",
    "te", "trailer",
    "expect", "origin",
  ]

  /// Reads the fields of a file.
  public static func fields(_ bytes: ArraySlice<UInt8>) throws(HeaderFileError) -> [EdgeAccess.Field] {
    guard bytes.count <= Budget.ownHeaderBytes else { throw .tooLong }
    var fields: [EdgeAccess.Field] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = trimmed(line)
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      guard fields.count < Budget.ownHeaders else { throw .tooMany }
      fields.append(try field(line, number))
    }
    return fields
  }

  private static func field(_ line: ArraySlice<UInt8>, _ number: Int) throws(HeaderFileError) -> EdgeAccess.Field {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon(line: number) }
    let name = line[..<colon]
    guard !name.isEmpty, name.allSatisfy({ $0.isTokenCharacter }) else { throw .name(line: number) }
    let lower = String(decoding: name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard !isReserved(lower) else { throw .reserved(line: number) }
    let value = trimmed(line[(colon + 1)...])
    guard !value.isEmpty, value.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .value(line: number) }
    let text = lower == "authorization" ? try credentials(value, number) : value
    return EdgeAccess.Field(
      name: String(decoding: name, as: UTF8.self), value: String(decoding: text, as: UTF8.self))
  }

  private static func isReserved(_ name: String) -> Bool {
    if name.utf8.starts(with: "sec-websocket-".utf8) { return true }
    for word in reserved
    where name.utf8.span.count == word.utf8CodeUnitCount && name.utf8.span.hasPrefix(lowercased: word) {
      return true
    }
    return false
  }

  /// The value of `Authorization`, with user and password of the Basic scheme as base64.
  private static func credentials(_ value: ArraySlice<UInt8>, _ number: Int) throws(HeaderFileError) -> ArraySlice<
    UInt8
  > {
    let scheme: StaticString = "basic "
    guard value.count > scheme.utf8CodeUnitCount, Array(value).span.hasPrefix(lowercased: scheme) else { return value }
    let pair = trimmed(value.dropFirst(scheme.utf8CodeUnitCount))
    guard let colon = pair.firstIndex(of: UInt8(ascii: ":")) else {
      guard !pair.contains(0x20) else { throw .credentials(line: number) }
      return value
    }
    guard colon > pair.startIndex else { throw .credentials(line: number) }
    var text = [UInt8](repeating: 0, count: Base64.standard.encodedLength(of: pair.count))
    let bytes = Array(pair)
    let count = text.withUnsafeMutableBufferPointer { Base64.standard.encode(bytes.span, into: $0) }
    return (Array("Basic ".utf8) + text[..<count])[...]
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let byte = rest.first, isBlank(byte) { rest = rest.dropFirst() }
    while let byte = rest.last, isBlank(byte) { rest = rest.dropLast() }
    return rest
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
