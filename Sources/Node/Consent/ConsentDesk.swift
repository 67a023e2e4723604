import Consent
import Runtime

/// What is asked at the board, and what is granted, for the parts on which people see it and answer.
public protocol ConsentDesk: AnyObject {
  /// The question that waits for an answer; nil without one.
  var question: ConsentQuestion? { get }
  /// A person answers the question of this number; nothing happens when another one is asked, or none.
  func answer(_ answer: ConsentAnswer, to number: Int, by source: Grant.Source)
  /// What is granted now, and when the first of it ends by time, in milliseconds of the monotonic clock.
  var granted: PermissionSet { get }
  var grantEnd: Int64? { get }
  /// The use that was `back` before the last one; nil when the journal has not so many.
  func use(back: Int) -> Use?
}
