import Codec
import Runtime

/// Told what the gateway answers to a person's questions. `tag` is what the listener gave with the question.
public protocol DeskListener: AnyObject {
  /// The gateway's answer, gone when this returns. For `chat.send`: the run has begun.
  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView)
  /// There is none, or the run ended with an error. The last word on this tag.
  func deskFailed(_ tag: Int, _ failure: DeskFailure)
  /// The agent says more, or anew what it said before; gone when this returns.
  func chatSaid(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool)
  /// More text came than this board takes; what follows may lack a part.
  func chatCut(_ tag: Int)
  /// The run has ended. The last word on this tag.
  func chatEnded(_ tag: Int, isAborted: Bool)
}

/// The desk's questions that wait for the gateway's answer: a fixed number of slots, whose numbers are the tags.
struct DeskCalls: ~Copyable {
  /// What an answer is for.
  enum Purpose {
    /// A listener asked.
    case person
    /// The phrases that are shown, and what the gateway lets through.
    case wakePhrases, policy, listing
    /// A run begins; how a run stands after the connection was lost.
    case send, catchUp
  }

  struct Call {
    var purpose: Purpose
    var method: StaticString
    var listener: (any DeskListener)?
    var tag = 0
    /// A run's slot, and how often it was used before.
    var run = 0
    var serial = 0
  }

  private let slots: UnsafeMutableBufferPointer<Call?>

  init() {
    slots = .allocate(capacity: Budget.requests)
    slots.initialize(repeating: nil)
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  /// Takes a slot; nil when all are taken.
  mutating func add(_ call: Call) -> Int? {
    for index in 0..<slots.count where slots[index] == nil {
      slots[index] = call
      return index
    }
    return nil
  }

  /// Frees a slot.
  mutating func take(_ index: Int) -> Call? {
    guard index >= 0, index < slots.count, let call = slots[index] else { return nil }
    slots[index] = nil
    return call
  }

  /// Nobody listens to these any more.
  mutating func forget(_ listener: any DeskListener, _ tag: Int) {
    for index in 0..<slots.count {
      if let call = slots[index], let owner = call.listener, owner === listener, call.tag == tag {
        slots[index]!.listener = nil
      }
    }
  }
}
