import Codec
import Testing

@testable import Location

@Suite struct LocationRequestTests {
  private func request(_ parameters: String) throws(LocationError) -> LocationRequest {
    let bytes = parameters.utf8.span
    return try LocationRequest(JSONView(bytes))
  }

  private func refusal(_ parameters: String) -> String {
    do throws(LocationError) {
      _ = try request(parameters)
      return "accepted"
    } catch {
      return text(error)
    }
  }

  @Test(
    "no parameters are all defaults",
    arguments: [
      "{}", "null", "", #"{"timeoutMs":null,"maxAgeMs":null,"desiredAccuracy":null}"#, #"{"other":[1]}"#,
    ])
  func defaults(parameters: String) throws {
    let request = try request(parameters)
    #expect(request.timeout == 10_000)
    #expect(request.maxAge == nil)
  }

  @Test(
    "the time is clamped to 1 s ... 60 s",
    arguments: [
      ("-5", 1000), ("0", 1000), ("999", 1000), ("1000", 1000), ("2e4", 20_000), ("60001", 60_000),
      ("9223372036854775807", 60_000),
    ])
  func clamps(value: String, milliseconds: Int64) throws {
    #expect(try request(#"{"timeoutMs":\#(value)}"#).timeout == milliseconds)
  }

  @Test("any age from 0 on is taken, and every accuracy")
  func accepts() throws {
    #expect(try request(#"{"maxAgeMs":0,"desiredAccuracy":"coarse"}"#).maxAge == 0)
    #expect(try request(#"{"maxAgeMs":9223372036854775807,"desiredAccuracy":"precise"}"#).maxAge == 1 << 53)
    #expect(try request(#"{"desiredAccuracy":"balanced"}"#).maxAge == nil)
  }

  @Test(
    "what is wrong is refused by name",
    arguments: [
      (#"{"timeoutMs":"5"}"#, "INVALID_REQUEST | INVALID_REQUEST: timeoutMs must be an integer"),
      (#"{"timeoutMs":1.5}"#, "INVALID_REQUEST | INVALID_REQUEST: timeoutMs must be an integer"),
      (#"{"timeoutMs":true}"#, "INVALID_REQUEST | INVALID_REQUEST: timeoutMs must be an integer"),
      (#"{"maxAgeMs":-1}"#, "INVALID_REQUEST | INVALID_REQUEST: maxAgeMs must be an integer of 0 or more"),
      (#"{"maxAgeMs":{}}"#, "INVALID_REQUEST | INVALID_REQUEST: maxAgeMs must be an integer of 0 or more"),
      (
        #"{"desiredAccuracy":"best"}"#,
        "INVALID_REQUEST | INVALID_REQUEST: desiredAccuracy must be coarse, balanced or precise"
      ),
      (
        #"{"desiredAccuracy":1}"#,
        "INVALID_REQUEST | INVALID_REQUEST: desiredAccuracy must be coarse, balanced or precise"
      ),
      ("[]", "INVALID_REQUEST | INVALID_REQUEST: parameters must be an object"),
      (#""x""#, "INVALID_REQUEST | INVALID_REQUEST: parameters must be an object"),
    ])
  func refuses(parameters: String, message: String) {
    #expect(refusal(parameters) == message)
  }
}
