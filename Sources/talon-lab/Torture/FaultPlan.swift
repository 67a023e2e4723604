import CTracer
import Foundation

/// One system call of a run that fails once.
struct Fault: Equatable {
  /// As in `syscall(2)`.
  var call: String
  /// From 1, counted over all threads of the process since exec.
  var occurrence: Int
  /// As in `errno(3)`.
  var error: Int32

  /// For lists: "openat 12 EMFILE".
  var text: String { "\(call) \(occurrence) \(FallibleCalls.names[error] ?? String(error))" }
}

/// One system call of a run in which nothing fails, as the tracer wrote it down.
struct TracedCall: Equatable {
  var name: String
  var occurrence: Int
  /// The path, or what the descriptor stands for; empty when the call has neither.
  var target: String

  /// Reads "NAME OCCURRENCE TARGET"; nil for the tracer's other lines.
  init?(_ line: Substring) {
    let parts = line.split(separator: " ", maxSplits: 2)
    guard parts.count >= 2, parts[0] != "pid", parts[0] != "signal", let occurrence = Int(parts[1]) else { return nil }
    name = String(parts[0])
    self.occurrence = occurrence
    target = parts.count > 2 ? String(parts[2]) : ""
  }

  /// The target without what differs each time: sockets are one place, and so is a file of every process.
  var place: String { target.hasPrefix("socket:") ? "socket" : target.filter { !$0.isNumber } }
}

/// Which calls of a run fail, and with what. The first fallible call of a place fails with each error of its kind; of
/// those after it each twelfth fails, with one error, in turn: a loop over the same socket teaches little more.
struct FaultPlan {
  /// How many calls of one place fail with every error.
  static let thorough = 1
  /// One in so many of the later ones fails.
  static let laterStep = 12

  private(set) var faults: [Fault] = []
  /// Fallible calls of the run.
  private(set) var calls = 0
  /// Different calls on different targets among them.
  private(set) var places = 0

  /// - Parameter all: every call fails with every error, one after the other.
  /// - Throws: for a call without a defined fault.
  init(_ run: [TracedCall], all: Bool = false) throws {
    var seen: [String: Int] = [:]
    for call in run where FallibleCalls.spared[call.name] == nil {
      guard let errors = FallibleCalls.errors[call.name] else {
        throw TortureError("no rule says whether \(call.name) may fail")
      }
      let earlier = seen["\(call.name) \(call.place)", default: 0]
      seen["\(call.name) \(call.place)"] = earlier + 1
      calls += 1
      let chosen = all || earlier < Self.thorough ? errors[...] : Self.later(earlier - Self.thorough, errors)
      faults += chosen.map { Fault(call: call.name, occurrence: call.occurrence, error: $0) }
    }
    places = seen.count
  }

  private static func later(_ index: Int, _ errors: [Int32]) -> ArraySlice<Int32> {
    guard index % laterStep == 0 else { return [] }
    let turn = index / laterStep % errors.count
    return errors[turn...turn]
  }

  /// How many of a run's calls for memory fail, unless all shall.
  static let memorySample = 120

  /// The first calls of a process are the C library's own: thread-local data before `main`, and where the heap begins.
  /// Without them it ends by itself, with a sentence, 127 or SIGABRT (glibc 2.36; in `sysmalloc`, for want of the rest
  /// of a page that has begun).
  static let memoryOfLibrary = 5

  /// Every other call for memory fails, with those after it (`FallibleCalls.memory`); or a sample of them, evenly
  /// spread. A program that reads its configuration again starts over (execve), and its C library with it.
  init(memoryOf run: [TracedCall], all: Bool = false) {
    var places: [Int] = []
    var count = 0
    var atStart = 0
    for call in run {
      if call.name == "execve" {
        atStart = count
        places.removeAll { $0 > count - Int(CTRACER_MEMORY_TRIES) + 1 }
      }
      guard FallibleCalls.memory.contains(call.name) else { continue }
      count += 1
      if count - atStart > Self.memoryOfLibrary { places.append(count) }
    }
    calls = places.count
    self.places = 1
    let chosen = all ? calls : min(calls, Self.memorySample)
    faults = (0..<chosen).map { Fault(call: "memory", occurrence: places[$0 * calls / chosen], error: ENOMEM) }
  }
}
