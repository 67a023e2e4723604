import Codec
import Device
import Foundation
import Location
import Motion
import Runtime
import Simulated
@testable import Node

/// Clients in memory.
final class NotingServer: LineServer {
  var lines: [(client: Int, text: String)] = []
  var capacity = Budget.controlOutputBytes
  private let buffer = FixedBuffer(capacity: Budget.controlOutputBytes)

  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard let count = write(UnsafeMutableBufferPointer(rebasing: buffer.bytes[..<capacity])) else { return false }
    lines.append((client, String(decoding: buffer.bytes[..<count], as: UTF8.self)))
    return true
  }
  func hangUp(_ client: Int) {}
}

final class BenchNode: ControlNode {
  var desk: OperatorDesk?
  let parts: PartTable
  var posted: [String] = []
  var isOnline = true
  var hasRoom = true

  init(_ parts: Part...) {
    self.parts = PartTable()
    for part in parts { self.parts.add(part) }
  }

  var operations: [ControlRow] {
    [
      ControlRow("status") { (control, call, _) in
        control.finish(call) { writer in
          writer.beginObject()
          writer.key("state")
          writer.string("online")
          writer.endObject()
        }
      }
    ] + parts.operations
  }

  func post(_ event: StaticString, ageLimit: Int64, hasID: Bool, _ payload: borrowing JSONView) -> UInt64? {
    posted.append("\(event) \(ageLimit) \(hasID) \(NotingListener.text(payload.rawText))")
    return hasRoom ? UInt64(posted.count) : nil
  }
  func sendPresence() -> Int64? { isOnline ? 1_500 : nil }
  func forget(_ control: Control, _ call: Int) { parts.forget(control, call) }
  func clientDisconnected(_ client: Int) { parts.clientDisconnected(client) }
}
