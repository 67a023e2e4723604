/// The result of one check, for people.
public struct Finding: Equatable, Sendable {
  /// The grade of a finding.
  public enum Grade: Int, Comparable, Sendable {
    /// As it should be.
    case good
    /// Unknown, or not configured.
    case unknown
    /// It works, but not well or not for long.
    case warning
    /// It does not work.
    case failure

    public static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }

    /// One word for machines.
    public var word: StaticString {
      switch self {
      case .good: "ok"
      case .unknown: "unknown"
      case .warning: "warning"
      case .failure: "failure"
      }
    }
  }

  /// What was checked, in one word.
  public let subject: StaticString
  public let grade: Grade
  /// The result.
  public let text: String
  /// What to do about it, in one sentence; empty when there is nothing to do.
  public let remedy: String

  /// A finding; see the properties.
  public init(_ subject: StaticString, _ grade: Grade, _ text: String, remedy: String = "") {
    self.subject = subject
    self.grade = grade
    self.text = text
    self.remedy = remedy
  }

  public static func == (left: Finding, right: Finding) -> Bool {
    left.subject.isEqual(to: right.subject) && left.grade == right.grade && left.text == right.text
      && left.remedy == right.remedy
  }
}

extension StaticString {
  fileprivate func isEqual(to other: StaticString) -> Bool {
    guard utf8CodeUnitCount == other.utf8CodeUnitCount else { return false }
    for index in 0..<utf8CodeUnitCount where utf8Start[index] != other.utf8Start[index] { return false }
    return true
  }
}
