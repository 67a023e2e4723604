import Hands
import Runtime

/// Runs programs as processes of the kernel (`LimitedProgram`).
public final class ProgramProcess: ProgramRunner {
  private let user: LimitedProgram.User?

  /// Programs run with the rights of `user`, nil: with those of this process, which must not be root then.
  public init(user: LimitedProgram.User?) { self.user = user }

  public func run(
    _ path: Path, _ words: ProgramWords, milliseconds: Int64, output: UnsafeMutableBufferPointer<UInt8>,
    errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> ProgramEnd {
    // Whatever the configuration says, no agent runs anything as root.
    if user?.isRoot ?? (Process.user == 0) { return ProgramEnd(.failed(.notPermitted)) }
    do throws(Errno) {
      let result = try LimitedProgram.run(
        path, words.arguments, user: user, milliseconds: milliseconds, output: output, errors: errors,
        cancellation: cancellation)
      var end = ProgramEnd(.timedOut)
      switch result.end {
      case .exited(let code): end.outcome = .exited(code)
      case .signal(let number): end.outcome = .signal(number)
      case .timedOut: end.outcome = .timedOut
      case .cancelled: end.outcome = .cancelled
      }
      end.outputBytes = result.outputBytes
      end.errorBytes = result.errorBytes
      end.isOutputCut = result.isOutputCut
      end.isErrorCut = result.isErrorCut
      return end
    } catch {
      return ProgramEnd(.failed(error))
    }
  }
}
