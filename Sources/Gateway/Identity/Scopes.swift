import Codec
import Runtime

/// The scopes of an operator connection (gateway reference 3.6): a set, written in a fixed order, because the order is
/// signed. More scopes need a new approval.
public struct Scopes: Equatable, Sendable {
  /// The scopes that Talon knows, in the order in which they are sent.
  static let names: [StaticString] = [
    "operator.read", "operator.write", "operator.talk", "operator.talk.secrets", "operator.approvals",
    "operator.pairing", "operator.questions", "operator.admin",
  ]
  /// The scopes of an operator token that a gateway may issue together with the node token (gateway reference 5.4): the
  /// first five.
  static let handoff = Scopes(bits: 0b1_1111)
  /// Read and write: what a console with chat needs on every generation.
  public static let console = Scopes(bits: 0b11)

  /// Requests of programs, and of devices and nodes, that wait for a person.
  public static let approvals = Scopes(bits: 0b1_0000)
  public static let pairing = Scopes(bits: 0b10_0000)

  private(set) var bits: UInt16

  /// No scopes, as for a node.
  public init() { bits = 0 }

  private init(bits: UInt16) { self.bits = bits }

  public var isEmpty: Bool { bits == 0 }

  /// True when it has all scopes of `other`.
  public func contains(_ other: Scopes) -> Bool { bits & other.bits == other.bits }

  /// Adds a scope by its name; false when Talon does not know it.
  public mutating func add(_ name: Span<UInt8>) -> Bool {
    for index in Self.names.indices where Self.equal(name, Self.names[index]) {
      bits |= 1 << UInt16(index)
      return true
    }
    return false
  }

  /// The scopes that are in either.
  public func union(_ other: Scopes) -> Scopes { Scopes(bits: bits | other.bits) }

  /// The scopes that are in both.
  func intersection(_ other: Scopes) -> Scopes { Scopes(bits: bits & other.bits) }

  /// Calls `body` with each name, in order.
  public func forEach(_ body: (StaticString) -> Void) {
    for index in Self.names.indices where bits & 1 << UInt16(index) != 0 { body(Self.names[index]) }
  }

  /// Reads an array of names; unknown ones are skipped.
  init(_ array: borrowing JSONView) {
    bits = 0
    guard array.kind == .array else { return }
    var elements = array.elements()
    while let element = elements.next() {
      for index in Self.names.indices where element.equals(Self.names[index]) { bits |= 1 << UInt16(index) }
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in Self.names.indices where bits & 1 << UInt16(index) != 0 { writer.string(Self.names[index]) }
    writer.endArray()
  }

  private static func equal(_ text: Span<UInt8>, _ name: StaticString) -> Bool {
    guard text.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<text.count where text[index] != name.bytes[index] { return false }
    return true
  }
}
