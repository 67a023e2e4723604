import Codec
import Runtime

/// What an operator connection may do (gateway reference 3.6): a set, written in one fixed order, because the order is
/// signed and every widening needs a new approval.
public struct Scopes: Equatable, Sendable {
  /// The scopes that Talon knows, in the order in which they are sent.
  static let names: [StaticString] = [
    "operator.read", "operator.write", "operator.talk", "operator.talk.secrets", "operator.approvals",
    "operator.pairing", "operator.questions", "operator.admin",
  ]
  /// What a gateway may hand to this board beside its node token (gateway reference 5.4): the first five.
  static let handoff = Scopes(bits: 0b1_1111)
  /// Read and write: what a console with chat needs on every generation.
  public static let console = Scopes(bits: 0b11)

  private(set) var bits: UInt16

  /// No scope at all: what a node asks for.
  public init() { bits = 0 }

  private init(bits: UInt16) { self.bits = bits }

  public var isEmpty: Bool { bits == 0 }

  /// True when all of the other's are in it.
  public func contains(_ other: Scopes) -> Bool { bits & other.bits == other.bits }

  /// Adds a scope by its name; false when Talon does not know it.
  public mutating func add(_ name: Span<UInt8>) -> Bool {
    for index in Self.names.indices where Self.equal(name, Self.names[index]) {
      bits |= 1 << UInt16(index)
      return true
    }
    return false
  }

  /// The scopes that are in both.
  func intersection(_ other: Scopes) -> Scopes { Scopes(bits: bits & other.bits) }

  /// Calls `body` with each name, in order.
  func forEach(_ body: (StaticString) -> Void) {
    for index in Self.names.indices where bits & 1 << UInt16(index) != 0 { body(Self.names[index]) }
  }

  /// Reads an array of names; those that Talon does not know are left out.
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
