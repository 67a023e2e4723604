import Runtime

/// Tests whether a regular expression matches anywhere in a text, like `RegExp.test` of ECMAScript. No pair of
/// instruction and position is tried twice, so that the time is bounded by the product of both lengths. Of a fixed
/// size, used for all fields.
public final class Pattern {
  private let code = PatternCode()
  /// A bit for each instruction at each place of the text: it leads nowhere.
  private let seen: ReservedBuffer
  private let stack: ReservedBuffer
  private var steps = 0
  private var columns = 0

  private struct Try: BitwiseCopyable {
    var step: Int32
    var place: Int32
  }

  private enum Failure: Error { case outputTooLong }

  /// Reserves its memory; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    seen = try ReservedBuffer(capacity: Budget.patternStates / 8)
    stack = try ReservedBuffer(capacity: Budget.patternStack * MemoryLayout<Try>.stride)
  }

  /// Whether an expression is understood.
  public func reads(_ expression: Span<UInt8>) -> Bool {
    var parser = PatternParser(expression, into: code)
    do throws(PatternError) { try parser.read() } catch { return false }
    return true
  }

  /// Whether a text matches. Also true for an expression that is not supported, and when `Budget.patternSteps` is
  /// exceeded.
  public func accepts(_ text: Span<UInt8>, _ expression: Span<UInt8>) -> Bool {
    var parser = PatternParser(expression, into: code)
    do throws(PatternError) { try parser.read() } catch { return true }
    columns = text.count + 1
    guard code.count * columns <= Budget.patternStates else { return true }
    steps = 0
    forget(0, code.count)
    do throws(Failure) {
      for start in 0...text.count where try matches(0, start, text, 0) { return true }
      return false
    } catch {
      return true
    }
  }

  /// Forgets what is known of some instructions.
  private func forget(_ first: Int, _ end: Int) {
    let to = end * columns
    var bit = first * columns
    while bit < to {
      if bit % 8 == 0, bit + 8 <= to {
        seen.bytes[bit / 8] = 0
        bit += 8
      } else {
        seen.bytes[bit / 8] &= ~(1 << UInt8(bit % 8))
        bit += 1
      }
    }
    steps += (end - first) * columns / 64
  }

  private func isNew(_ step: Int, _ place: Int) -> Bool {
    let bit = step * columns + place
    guard seen.bytes[bit / 8] >> UInt8(bit % 8) & 1 == 0 else { return false }
    seen.bytes[bit / 8] |= 1 << UInt8(bit % 8)
    return true
  }

  /// Whether the instructions from one on match from a place on. `bottom`: of the stack, which others use below.
  private func matches(_ first: Int, _ start: Int, _ text: Span<UInt8>, _ bottom: Int) throws(Failure) -> Bool {
    let tries = UnsafeMutableRawPointer(stack.bytes.baseAddress!).assumingMemoryBound(to: Try.self)
    var count = bottom
    var (step, place) = (first, start)
    while true {
      steps += 1
      guard steps < Budget.patternSteps else { throw .outputTooLong }
      var isOn = isNew(step, place)
      let now = code[step]
      if isOn {
        switch now.kind {
        case .match: return true
        case .split:
          guard count < Budget.patternStack else { throw .outputTooLong }
          tries[count] = Try(step: Int32(step) + now.second, place: Int32(place))
          count += 1
          step += Int(now.first)
        case .jump: step += Int(now.first)
        case .ahead, .notAhead:
          let end = step + Int(now.second)
          // What was seen there belongs to another place.
          forget(step + 1, end)
          isOn = try matches(step + 1, place, text, count) == (now.kind == .ahead)
          step = end
        case .scalar, .any, .oneOf, .noneOf:
          isOn = place < text.count && takes(now, Characters.scalar(text, place))
          if isOn { place += Characters.length(text, place) }
          step += 1
        case .start, .end, .wordEdge, .noWordEdge:
          isOn = stands(now.kind, text, place)
          step += 1
        }
      }
      if isOn { continue }
      guard count > bottom else { return false }
      count -= 1
      (step, place) = (Int(tries[count].step), Int(tries[count].place))
    }
  }

  private func takes(_ step: PatternStep, _ scalar: UInt32) -> Bool {
    switch step.kind {
    case .scalar: UInt32(step.first) == scalar
    case .oneOf: code.contains(step, scalar)
    case .noneOf: !code.contains(step, scalar)
    default: scalar != 0x0A && scalar != 0x0D && scalar != 0x2028 && scalar != 0x2029
    }
  }

  private func stands(_ kind: PatternStep.Kind, _ text: Span<UInt8>, _ place: Int) -> Bool {
    switch kind {
    case .start: return place == 0
    case .end: return place == text.count
    default:
      let isBefore = place > 0 && PatternCode.isWord(UInt32(text[place - 1]))
      let isAfter = place < text.count && PatternCode.isWord(UInt32(text[place]))
      return (isBefore != isAfter) == (kind == .wordEdge)
    }
  }
}
