import Device
import Runtime

/// Makes reports by running this program's own commands (`LimitedProgram`), as the user of the agent.
public final class OwnProgram: Inspector {
  private let configuration: String
  private let program: String
  /// What the command says of its failures; nobody reads it, and a full pipe would hold it up.
  private let errors = FixedBuffer(capacity: 256)

  /// Reports of the agent that runs with this configuration file. `program` is the file that runs, also when an upgrade
  /// has put another one in its place.
  @export(interface)
  public init(configuration: String, program: String = "/proc/self/exe") {
    (self.configuration, self.program) = (configuration, program)
  }

  public func inspect(
    _ inspection: Inspection, into report: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) throws(DiagnosisError) -> Int {
    let words =
      switch inspection {
      case .doctor: ["talon", "doctor", "--json", "--config", configuration]
      case .bundle: ["talon", "support", "--out", "-", "--config", configuration]
      }
    let result: LimitedProgram.Result
    do throws(Errno) {
      result = try LimitedProgram.run(
        Path(program), words, milliseconds: Budget.inspectionMilliseconds, output: report,
        errors: errors.bytes, cancellation: cancellation)
    } catch {
      throw .failed
    }
    guard case .exited(let code) = result.end else { throw result.end == .timedOut ? .slow : .failed }
    if result.isOutputCut { throw .tooLarge }
    // The code of a doctor that has found something is not zero.
    guard result.outputBytes > 0, code == 0 || inspection == .doctor else { throw .failed }
    return result.outputBytes
  }
}
