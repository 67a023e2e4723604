/// How the program ends, in the numbers of `sysexits.h`.
enum ExitCode: Int32 {
  case ok = 0
  /// Of talon doctor: there are warnings.
  case warnings = 1
  /// Of talon doctor: something does not work.
  case failures = 2
  /// EX_USAGE: the command line is wrong.
  case usage = 64
  /// EX_UNAVAILABLE: what was asked for is not there.
  case unavailable = 69
  /// EX_SOFTWARE: a failure inside.
  case software = 70
  /// EX_OSERR: the kernel refused something essential.
  case system = 71
  /// EX_CANTCREAT: the state folder cannot be used.
  case cannotCreate = 73
  /// EX_TEMPFAIL: not now.
  case temporary = 75
  /// EX_CONFIG: the configuration is wrong.
  case configuration = 78
}

/// Why a command ended without doing its work: what to tell the person, and the exit code.
struct Failure: Error {
  let code: ExitCode
  let text: String

  init(_ code: ExitCode, _ text: String) {
    self.code = code
    self.text = text
  }
}
