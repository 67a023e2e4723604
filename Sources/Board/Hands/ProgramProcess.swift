import Hands
import Runtime

/// Runs programs as processes of the kernel (`LimitedProgram`).
public final class ProgramProcess: ProgramRunner {
  private var user: LimitedProgram.User?
  public private(set) var refusal: StaticString?

  /// Programs run as the user `name`, which only root can give them; empty: as the user of this process, which must not
  /// be root then.
  @export(interface)
  public init(user name: String) {
    if name.isEmpty {
      if Process.user == 0 { refusal = "Talon runs as root here, and runs no program as root: the owner must set user" }
      return
    }
    guard Process.user == 0 else {
      refusal = "the owner has set a user for it, which only root can change to: Talon does not run as root here"
      return
    }
    do throws(Errno) {
      let user = try LimitedProgram.User(named: name)
      if user.isRoot { refusal = "the owner has set root as its user, which is never done" }
      self.user = user
    } catch {
      refusal = "the user that the owner has set for it does not exist on this board"
    }
  }

  public func run(
    _ path: Path, _ words: ProgramWords, milliseconds: Int64, output: UnsafeMutableBufferPointer<UInt8>,
    errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> ProgramEnd {
    if refusal != nil { return ProgramEnd(.failed(.notPermitted)) }
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
