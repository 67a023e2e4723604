/// What the CLI can ask of the running gateway, except invoking.
enum ControlOperations {
  typealias Operation = @Sendable (GatewayCore, JSON) throws -> JSON

  static let table = DeviceOperations.table.merging(NodeOperations.table) { $1 }
    .merging(GatewayOperations.table) { $1 }.merging(TalkOperations.table) { $1 }
    .merging(ToolOperations.table) { $1 }.merging(ApprovalOperations.table) { $1 }

  static func unknownRequest(_ id: String) -> GatewayError {
    GatewayError(code: "APPROVAL_NOT_FOUND", message: "no pairing request \(id) is waiting")
  }
}
