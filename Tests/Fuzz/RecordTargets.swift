import Board
import Codec
import Runtime
import Simulated

@testable import Gateway
@testable import talon

nonisolated(unsafe) private let cryptography = OpenSSLCryptography()

/// An address that is taken means the same when its canonical text is read again.
func checkURL(_ bytes: [UInt8]) {
  for allowsQuery in [false, true] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = try? GatewayURL(text, allowsQuery: allowsQuery) else { continue }
    expect(!url.host.isEmpty && url.port > 0 && url.path.hasPrefix("/"), "\(text) gives \(url)")
    expect(!url.host.utf8.contains(UInt8(ascii: "@")), "a user in \(url.host)")
    guard let again = try? GatewayURL(url.text, allowsQuery: allowsQuery) else {
      return expect(false, "\(url.text) is written, and not read")
    }
    let isSame = again.host == url.host && again.port == url.port && again.isSecure == url.isSecure
    expect(isSame && again.path == url.path && again.isLoopback == url.isLoopback, "\(url.text) is another address")
  }
}

/// Stored records: what is taken is written as something that means the same; what is not, is said to be torn.
func checkState(_ bytes: [UInt8]) {
  let record = GatewayRecord(key: "fuzz", cryptography: cryptography)
  if record.decode(bytes.span) {
    let written = encoded(record)
    let again = GatewayRecord(key: "fuzz", cryptography: cryptography)
    expect(again.decode(written.span), "a record is written, and not read")
    expect(encoded(again) == written, "a record changes when it is read")
  }
  let store = MemoryStore()
  bytes.withUnsafeBufferPointer { bytes in try? store.save("identity", bytes) }
  let random = SeededRandom(seed: 1)
  do throws(StoreError) {
    let loaded = try NodeIdentity.load(from: store, random: random, cryptography: cryptography)
    expect(loaded.origin == .stored, "an identity that cannot be read was replaced")
    let again = try NodeIdentity.load(from: store, random: random, cryptography: cryptography)
    expect(Hex.same(loaded.identity, again.identity), "an identity changes when it is read again")
  } catch {
    expect(error == .torn, "an identity fails with \(error)")
  }
  expect(store.saves == 1, "an identity that is there was written")
}

private func encoded(_ record: GatewayRecord) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: Budget.gatewayRecordBytes)
  let count = bytes.withUnsafeMutableBufferPointer { record.encode(into: $0) }
  expect(count <= bytes.count, "a record of \(count) bytes")
  return Array(bytes[..<count])
}

private enum Hex {
  static func same(_ left: NodeIdentity, _ right: NodeIdentity) -> Bool {
    (0..<64).allSatisfy { left.id[$0] == right.id[$0] }
  }
}

/// A configuration is taken or refused by file, line and reason, and a comment behind it changes nothing.
func checkConfiguration(_ bytes: [UInt8]) {
  let verdict = parse(bytes)
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).count
  if let error = verdict {
    expect(!error.reason.isEmpty, "refused without a reason")
    expect((1...lines).contains(error.line ?? 0), "refused in line \(String(describing: error.line)) of \(lines)")
  }
  let commented = parse(bytes + Array("\n# a comment\n".utf8))
  expect(commented?.reason == verdict?.reason && commented?.line == verdict?.line, "a comment changes the verdict")
}

private func parse(_ bytes: [UInt8]) -> ConfigurationError? {
  do throws(ConfigurationError) {
    _ = try ConfigurationFile.parse(bytes, file: "fuzz.conf")
    return nil
  } catch {
    return error
  }
}
