/// The Unix-domain socket in the state folder through which the CLI talks to the running gateway.
///
/// One JSON object per line and direction: `{"id":1,"op":"devices.list","params":{}}` is answered by
/// `{"id":1,"ok":true,"result":...}` or `{"id":1,"ok":false,"error":{code,message,details}}`. Answers may come
/// in any order.
enum ControlSocket {
  static let name = "control.sock"

  /// A path longer than this does not fit `sockaddr_un`.
  static let pathBytesMax = 107

  static func request(_ id: Int64, _ operation: String, _ params: JSON) -> JSON {
    ["id": .integer(id), "op": .string(operation), "params": params]
  }

  static func answer(_ id: JSON, _ result: Result<JSON, GatewayError>) -> JSON {
    switch result {
    case .success(let value): ["id": id, "ok": true, "result": value]
    case .failure(let error): ["id": id, "ok": false, "error": error.json]
    }
  }
}
