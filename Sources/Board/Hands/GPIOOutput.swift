import Hands
import Runtime

/// A line of a GPIO chip that switches something.
///
/// When the program dies, the kernel gives the line back. Most chips leave it at the level that it had; some make it an
/// input (the handbook, docs/owners/hands.md, says which).
public final class GPIOOutput: OutputLine {
  private let line: GPIOLine

  /// A closed line.
  @export(interface)
  public init(_ place: GPIOPlace, bias: GPIOBias) { line = GPIOLine(place, GPIOLine.flags(bias)) }

  public func open(_ isOn: Bool?) throws(Errno) { try line.openOutput(isOn) }

  public func set(_ isOn: Bool) throws(Errno) { try line.set(isOn) }

  public func isOn() throws(Errno) -> Bool { try line.isOn() }

  public func close() { line.close() }
}
