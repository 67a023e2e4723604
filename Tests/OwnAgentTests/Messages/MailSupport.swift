import Codec
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

/// A client and the mail server that the test is.
final class MailBench: MailDelegate {
  let clock = PageClock()
  let server = PageServer()
  let client: MailClient
  var outcome = ""
  var failure: MailFailure?
  /// What the client has said so far.
  var said: String { server.sent }

  init(user: String = "me", password: String = "hunter2-secret") {
    let settings = MailSettings(host: "smtp.example.org", user: user, password: password, client: "board.local")
    client = MailClient(settings, transport: server, clock: clock)
    client.delegate = self
    server.addresses = ["smtp.example.org": "192.168.1.3"]
  }

  func mailEnded(_ client: MailClient, _ failure: MailFailure?) {
    self.failure = failure
    guard let failure else { return outcome += "taken" }
    let room = FixedBuffer(capacity: 400)
    var writer = ByteWriter(into: room.bytes)
    failure.write(to: &writer)
    outcome += String(decoding: room.bytes[..<writer.count], as: UTF8.self)
  }

  func send(_ text: String = "Hello.\n", from: String = "a@example.org", to: String = "b@example.org") throws {
    (outcome, failure) = ("", nil)
    let (text, from, to) = (Array(text.utf8), Array(from.utf8), Array(to.utf8))
    let subject = Array("Hi".utf8)
    try text.withUnsafeBufferPointer { text throws(MailFailure) in
      try from.withUnsafeBufferPointer { from throws(MailFailure) in
        try to.withUnsafeBufferPointer { to throws(MailFailure) in
          try subject.withUnsafeBufferPointer { subject throws(MailFailure) in
            try client.send(
              MailMessage(sender: from, recipient: to, subject: subject, text: text, date: 0, id: (1, 2)))
          }
        }
      }
    }
    server.secure()
  }

  /// The server says lines, and the client answers.
  func say(_ lines: String...) {
    for line in lines {
      server.deliver(line + "\r\n")
      server.drain()
      pass(0)
    }
  }

  func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    while let deadline = client.nextDeadline, deadline <= clock.monotonic { client.advance(to: clock.monotonic) }
  }

  func fail(_ kind: TransportFailure.Kind) {
    server.fail(TransportFailure(kind))
    pass(0)
  }

  static let hello = "250-hi\r\n250-SIZE 100000\r\n250-AUTH LOGIN PLAIN\r\n250-8BITMIME\r\n250 SMTPUTF8"
  static let login = "AUTH PLAIN AG1lAGh1bnRlcjItc2VjcmV0\r\n"
}
