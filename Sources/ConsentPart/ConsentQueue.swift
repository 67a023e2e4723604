import Codec
import Consent
import Node
import Runtime

/// The requests that wait for a person, in the order in which they came.
struct ConsentQueue: ~Copyable {
  /// A request that waits.
  struct Waiting {
    var number: Int
    var token: InvokeToken
    var demand: ConsentDemand
    /// What nobody has allowed yet, when it came.
    var missing: PermissionSet
    var sessionKey: SessionKey
    /// Only an answer to its own question counts.
    var mustAsk: Bool
    /// The board's own agent asks.
    var isOwnAgent: Bool
    /// A yes is for this once, however long it would be good for otherwise: nobody sees the whole of it.
    var isOnceOnly: Bool { mustAsk || demand.subject.unshown > 0 }
    /// Its command, for the journal.
    var command: InlineText<32>
    var until: Int64
    fileprivate var parameterCount: Int
    /// Its work begins: its parameters are being read.
    fileprivate var isStarting = false
  }

  /// Parameters of each place.
  private let parameters: ReservedBuffer
  private var places: [Waiting?]
  private var last = 0

  init() throws(Errno) {
    parameters = try ReservedBuffer(capacity: Budget.consentQuestions * Budget.consentParameterBytes)
    places = Array(repeating: nil, count: Budget.consentQuestions)
  }

  /// Why a request was not added.
  enum Refusal { case full, large }

  /// Adds a request at the end, with a copy of its parameters; a reason when there is no room.
  mutating func add(
    _ request: ConsentRequest, _ demand: ConsentDemand, missing: PermissionSet, _ view: borrowing JSONView,
    until: Int64
  ) -> Refusal? {
    let text = view.rawText
    guard text.count <= Budget.consentParameterBytes else { return .large }
    for index in 0..<places.count where places[index] == nil {
      let start = index * Budget.consentParameterBytes
      for byte in 0..<text.count { parameters.bytes[start + byte] = text[byte] }
      last &+= 1
      places[index] = Waiting(
        number: last, token: request.token, demand: demand, missing: missing, sessionKey: request.sessionKey,
        mustAsk: request.lent?.mustAsk == true, isOwnAgent: request.lent != nil,
        command: InlineText(cutting: request.name), until: until, parameterCount: text.count)
      return nil
    }
    return .full
  }

  /// The place of the oldest request that `matches`; nil without one.
  func first(where matches: (borrowing Waiting) -> Bool) -> Int? {
    var found: Int?
    for index in 0..<places.count {
      guard let waiting = places[index], !waiting.isStarting, matches(waiting) else { continue }
      if let other = found, places[other]!.number < waiting.number { continue }
      found = index
    }
    return found
  }

  /// The request at a place.
  subscript(place: Int) -> Waiting { places[place]! }

  /// The parameters of a place; valid until it is freed.
  func text(_ place: Int) -> UnsafeBufferPointer<UInt8> {
    let start = place * Budget.consentParameterBytes
    return UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(parameters.bytes)[start..<start + places[place]!.parameterCount])
  }

  /// Its work begins; `free` follows.
  mutating func begin(_ place: Int) { places[place]!.isStarting = true }

  mutating func free(_ place: Int) { places[place] = nil }

  /// When the first of them has waited long enough.
  var nextDeadline: Int64? {
    var next: Int64?
    for index in 0..<places.count { if let waiting = places[index] { next = earliest(next, waiting.until) } }
    return next
  }
}
