import Codec
import Runtime

/// Gets the gateway's responses to requests of the desk. `tag` is the number that was given with the request.
public protocol DeskDelegate: AnyObject {
  /// The gateway's response, valid until this returns. For `chat.send`: the run has begun.
  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView)
  /// There is no response, or the run ended with an error. The last event of this tag.
  func deskFailed(_ tag: Int, _ failure: DeskFailure)
  /// The reply continues, or replaces its earlier text; valid until this returns.
  func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool)
  /// The reply was longer than this board takes; what follows may lack a part.
  func chatCut(_ tag: Int)
  /// The agent has begun or ended a step: a tool that it calls, or a thought.
  func chatStep(_ tag: Int, _ step: ChatStep)
  /// The run has ended. The last event of this tag.
  func chatEnded(_ tag: Int, isAborted: Bool)
}

/// The desk's requests that wait for a response: a fixed number of slots, whose numbers are the tags.
struct DeskCalls: ~Copyable {
  /// What a response is for.
  enum Purpose {
    /// A delegate.
    case person
    /// The wake phrases, and the command policy.
    case wakePhrases, policy, listing
    /// The beginning of a run; the state of a run after the connection was lost.
    case send, catchUp
  }

  struct Call {
    var purpose: Purpose
    var method: StaticString
    var delegate: (any DeskDelegate)?
    var tag = 0
    /// The slot of a run, and how often it was used before.
    var run = 0
    var serial = 0
  }

  private var slots = Slots<Call>(capacity: Budget.requests)

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: Call) -> Int? { slots.add(call) }

  /// Frees a slot.
  mutating func take(_ index: Int) -> Call? { slots.take(index) }

  /// The responses to these are not needed any more.
  mutating func forget(_ delegate: any DeskDelegate, _ tag: Int) {
    for index in slots.indices {
      if let call = slots[index], let caller = call.delegate, caller === delegate, call.tag == tag {
        slots[index]!.delegate = nil
      }
    }
  }
}
