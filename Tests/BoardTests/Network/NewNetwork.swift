import Foundation
import Glibc

/// `unshare(2)`, which Swift's Glibc leaves out.
@_silgen_name("unshare")
private func unshare(_ flags: Int32) -> Int32

/// A network of a test's own: the thread of the test moves into a new network namespace, with a loopback that is down
/// and nothing else. Only root may do so.
enum NewNetwork {
  /// Whether this machine allows it.
  static let isPermitted: Bool = {
    do { return try run { true } } catch { return false }
  }()

  struct NotPermitted: Error {}

  /// Runs `body` in such a thread.
  static func run<Result>(_ body: @escaping () throws -> Result) throws -> Result {
    let work = Work(body)
    Thread.detachNewThread {
      // CLONE_NEWNET of <sched.h>.
      work.result = unshare(0x4000_0000) == 0 ? Swift.Result { try work.body() } : .failure(NotPermitted())
      work.done.signal()
    }
    work.done.wait()
    return try work.result!.get()
  }

  /// Runs a line of shell in the namespace of this thread.
  static func shell(_ line: String) -> Bool { system(line) == 0 }

  private final class Work<Result>: @unchecked Sendable {
    let body: () throws -> Result
    let done = DispatchSemaphore(value: 0)
    var result: Swift.Result<Result, any Error>?

    init(_ body: @escaping () throws -> Result) { self.body = body }
  }
}
