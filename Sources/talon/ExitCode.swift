/// How the program ends, in the numbers of `sysexits.h`.
enum ExitCode: Int32 {
  case ok = 0
  /// Of talon doctor: there are warnings.
  case warnings = 1
  /// Of talon doctor: something does not work.
  case failures = 2
  /// EX_USAGE: the command line is wrong.
  case usage = 64
  /// EX_UNAVAILABLE: something needed does not exist.
  case unavailable = 69
  /// EX_SOFTWARE: an internal failure.
  case software = 70
  /// EX_OSERR: the kernel refused something essential.
  case system = 71
  /// EX_CANTCREAT: the state folder cannot be used.
  case cannotCreate = 73
  /// EX_TEMPFAIL: try again later.
  case temporary = 75
  /// EX_CONFIG: the configuration is wrong.
  case configuration = 78
}

/// Why a command failed: the sentence for the person, and the exit code.
struct Failure: Error {
  let code: ExitCode
  let text: String

  init(_ code: ExitCode, _ text: String) {
    self.code = code
    self.text = text
  }
}
