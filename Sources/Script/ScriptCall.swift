import CQuickJS
import Canvas
import Codec
import Graphics
import Runtime

/// Decodes a picture of a script. On the script's worker.
public protocol PictureReader: AnyObject {
  /// Nil: it cannot be decoded.
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture?
}

/// A call of a script to the page. The script waits for the answer.
struct ScriptCall: ~Copyable {
  private let call: UnsafePointer<tl_script_call>

  init(_ call: UnsafePointer<tl_script_call>) { self.call = call }

  /// One of `TL_SCRIPT_…`.
  var what: Int { Int(call.pointee.what) }
  /// Number of numeric arguments.
  var given: Int { Int(call.pointee.given) }
  /// A numeric argument; NaN when it is missing. Untrusted: it may be infinite, huge, negative or have a fraction.
  subscript(index: Int) -> Double { call.pointee.numbers[index] }
  /// A whole numeric argument; -1 for any other.
  func whole(_ index: Int) -> Int { Int(exactly: self[index]) ?? -1 }
  /// True when it is present, and neither 0 nor NaN.
  func isTrue(_ index: Int) -> Bool { self[index] != 0 && !self[index].isNaN }

  /// The numeric arguments from `first` on.
  func numbers(from first: Int) -> UnsafeBufferPointer<Double> {
    UnsafeBufferPointer(start: call.pointee.numbers + first, count: max(min(given, TL_SCRIPT_NUMBERS) - first, 0))
  }

  var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { _overrideLifetime(Span(_unsafeElements: bytes), borrowing: self) }
  }

  /// The first text.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: call.pointee.text, count: Int(call.pointee.length))
  }
  /// The second text.
  var otherBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: call.pointee.text2, count: Int(call.pointee.length2))
  }
}

/// The result of a call; `undefined` unless a value is set.
struct ScriptAnswer: ~Copyable {
  private let answer: UnsafeMutablePointer<tl_script_answer>

  init(_ answer: UnsafeMutablePointer<tl_script_answer>) { self.answer = answer }

  /// Throws an error in the script.
  mutating func fail(_ text: StaticString) {
    set(text)
    answer.pointee.kind = Int32(TL_SCRIPT_ERROR)
  }

  /// The same with a text that stays valid until the next call.
  mutating func fail(_ text: UnsafeBufferPointer<UInt8>) {
    set(text)
    answer.pointee.kind = Int32(TL_SCRIPT_ERROR)
  }

  mutating func set(_ text: StaticString) { set(text.bytes) }

  /// The text has to stay valid until the next call.
  mutating func set(_ text: UnsafeBufferPointer<UInt8>) {
    answer.pointee.kind = Int32(TL_SCRIPT_TEXT)
    answer.pointee.text = text.baseAddress
    answer.pointee.length = Int64(text.count)
  }

  mutating func set(_ number: Double) {
    answer.pointee.kind = Int32(TL_SCRIPT_NUMBER)
    answer.pointee.numbers[0] = number
  }

  mutating func set(_ truth: Bool) {
    set(truth ? 1.0 : 0.0)
    answer.pointee.kind = Int32(TL_SCRIPT_TRUTH)
  }

  mutating func beginList() {
    answer.pointee.kind = Int32(TL_SCRIPT_LIST)
    answer.pointee.count = 0
  }

  /// Appends a number to the list.
  mutating func add(_ number: Double) {
    if answer.pointee.kind != Int32(TL_SCRIPT_LIST) { beginList() }
    guard answer.pointee.count < Int32(TL_SCRIPT_ANSWERS) else { return }
    answer.pointee.numbers[Int(answer.pointee.count)] = number
    answer.pointee.count += 1
  }

  mutating func take(_ gradient: Context2D.GradientHandle?) {
    guard let gradient else {
      return fail("a gradient has finite numbers and no negative radius, and there are at most 256")
    }
    set(Double(gradient.number))
  }
}

/// Memory that is allocated at first use and released after each use.
final class ScratchMemory {
  private let capacity: Int
  private var memory: ReservedBuffer?

  init(capacity: Int) { self.capacity = capacity }

  /// Empty when there is no memory.
  var bytes: UnsafeMutableBufferPointer<UInt8> {
    if memory == nil { do throws(Errno) { memory = try ReservedBuffer(capacity: capacity) } catch {} }
    return memory?.bytes ?? UnsafeMutableBufferPointer(start: nil, count: 0)
  }

  func release() { memory?.release() }
}
