/// One request from a client that is online.
struct MethodCall {
  let id: String
  let core: GatewayCore
  let session: Session
  let admission: Admission
  let params: JSON

  var deviceID: String { admission.claim.deviceID }
}

/// One entry of the method table.
struct Method: Sendable {
  enum Caller: Sendable {
    case anyone
    case node
    /// Operators with this scope.
    case holder(of: String)
    /// Operators that may send messages: `operator.talk` since July 2026, `operator.write` before.
    case talker
  }

  /// Returns the answer, or nil when it comes later through the session.
  typealias Body = @Sendable (MethodCall) throws(GatewayError) -> JSON?

  let caller: Caller
  var since = Era.old
  var until = Era.autumn
  let params: Schema
  let body: Body

  func exists(in era: Era) -> Bool { since <= era && era <= until }

  /// The operator scope it takes; nil for methods that have none.
  func scope(in era: Era) -> String? {
    switch caller {
    case .anyone, .node: nil
    case .holder(let scope): scope
    case .talker: era >= .july ? OperatorScope.talk : OperatorScope.write
    }
  }
}

/// What clients may call, by role (protocol reference, section 9.1).
enum Methods {
  static let unauthorizedPrefix = "unauthorized role: "

  private static let table = common.merging(NodeMethods.table) { $1 }.merging(OperatorMethods.table) { $1 }

  private static let common: [String: Method] = [
    "health": Method(caller: .anyone, params: .object([.optional("probe", .bool)])) { (call) in
      call.core.health
    }
  ]

  /// The answer, or nil when it comes later.
  static func answer(_ name: String, _ call: MethodCall) throws(GatewayError) -> JSON? {
    let generation = call.core.generation
    let method = table[name].flatMap { $0.exists(in: generation.era) ? $0 : nil }
    try authorize(name, method, call)
    guard let method else { throw .invalidRequest("unknown method: \(name)") }
    do {
      try method.params.validate(call.params)
    } catch {
      call.core.noteViolation("\(name) params \(error)", from: call.deviceID)
      throw .invalidRequest("invalid \(name) params: \(error)")
    }
    return try method.body(call)
  }

  private static func authorize(_ name: String, _ method: Method?, _ call: MethodCall) throws(GatewayError) {
    let generation = call.core.generation
    let claim = call.admission.claim
    if case .anyone? = method?.caller { return }
    if claim.role == "node" {
      guard case .node? = method?.caller else { throw .invalidRequest(unauthorizedPrefix + "node") }
      return
    }
    if case .node? = method?.caller { throw .invalidRequest(unauthorizedPrefix + claim.role) }
    let unknownNeeds = generation.authorizesUnknownMethods ? OperatorScope.admin : nil
    guard let scope = method?.scope(in: generation.era) ?? (method == nil ? unknownNeeds : nil) else {
      return
    }
    guard OperatorScope.satisfied(scope, by: claim.scopes) else {
      throw OperatorScope.missing(scope, in: generation)
    }
  }
}
