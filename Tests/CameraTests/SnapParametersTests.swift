import Codec
import Testing

@testable import Camera

struct SnapParametersTests {
  private func parse(_ json: String, defaultDelay: Int64 = SnapParameters.protocolDelay) throws
    -> SnapParameters
  {
    let bytes = Array(json.utf8)
    return try SnapParameters(JSONView(bytes.span), defaultDelay: defaultDelay)
  }

  @Test(
    "no parameters, null and unknown keys all mean the defaults",
    arguments: [
      "{}", "null", #"{"facing":"front","torch":true,"nested":{"maxWidth":3}}"#,
      #"{"deviceId":null,"maxWidth":null,"quality":null,"format":null,"delayMs":null}"#, #"{"deviceId":""}"#,
    ])
  func defaults(json: String) throws {
    let parameters = try parse(json)
    #expect(parameters.choice.device == nil)
    #expect(parameters.maxWidth == 1600)
    #expect(parameters.quality == 0.9)
    #expect(parameters.format == .jpg)
    #expect(parameters.delay == 2000)
  }

  @Test(
    "maxWidth is floored, and below 2 it is the default",
    arguments: [
      ("640", 640), ("640.9", 640), ("6.4e2", 640), ("2", 2), ("1.99", 1600), ("0", 1600), ("-5", 1600),
      ("1e18", 65535),
    ])
  func maxWidth(value: String, expected: Int) throws {
    #expect(try parse(#"{"maxWidth":\#(value)}"#).maxWidth == expected)
  }

  @Test(
    "quality is clamped to 0.05...1",
    arguments: [("0.5", 0.5), ("0", 0.05), ("-1", 0.05), ("80", 1), ("1", 1)])
  func quality(value: String, expected: Double) throws {
    #expect(try parse(#"{"quality":\#(value)}"#).quality == expected)
  }

  @Test(
    "delayMs is clamped to 0...10000",
    arguments: [("0", 0), ("150", 150), ("-1", 0), ("10001", 10_000), ("1e300", 10_000), ("99.9", 99)])
  func delay(value: String, expected: Int64) throws {
    #expect(try parse(#"{"delayMs":\#(value)}"#).delay == expected)
  }

  @Test("a configured warm-up counts when the caller names none, and is clamped too")
  func configuredDelay() throws {
    #expect(try parse("{}", defaultDelay: 100).delay == 100)
    #expect(try parse(#"{"delayMs":5}"#, defaultDelay: 100).delay == 5)
    #expect(SnapParameters(defaultDelay: 99_999).delay == 10_000)
  }

  @Test("both words for JPEG are taken, escaped or not, and echoed")
  func formats() throws {
    #expect(try parse(#"{"format":"jpg"}"#).format == .jpg)
    #expect(try parse(#"{"format":"jpeg"}"#).format == .jpeg)
    #expect(try parse(#"{"format":"jp\u0065g"}"#).format == .jpeg)
  }

  @Test("the device is kept by its id")
  func device() throws {
    #expect(try parse(#"{"deviceId":"/dev/video2"}"#).choice.device == CameraText(cutting: "/dev/video2"))
  }

  @Test(
    "what cannot be meant is refused with its reason",
    arguments: [
      (#"[]"#, "INVALID_REQUEST: params must be an object"),
      (#""{}""#, "INVALID_REQUEST: params must be an object"),
      (#"{"maxWidth":"640"}"#, "INVALID_REQUEST: maxWidth must be a number"),
      (#"{"quality":true}"#, "INVALID_REQUEST: quality must be a number"),
      (#"{"delayMs":[1]}"#, "INVALID_REQUEST: delayMs must be a number"),
      (#"{"deviceId":0}"#, "INVALID_REQUEST: deviceId must be a string"),
      (#"{"format":{}}"#, "INVALID_REQUEST: format must be a string"),
      (#"{"format":"png"}"#, "INVALID_REQUEST: unsupported camera image format: png"),
      (#"{"format":"JPG"}"#, "INVALID_REQUEST: unsupported camera image format: JPG"),
      (#"{"format":""}"#, "INVALID_REQUEST: unsupported camera image format: "),
    ])
  func refusals(json: String, message: String) throws {
    let error = #expect(throws: CameraError.self) { try parse(json) }
    #expect(try #require(error).message == message)
    #expect(error?.code.description == "INVALID_REQUEST")
  }

  @Test(
    "an id longer than any camera's is an unknown camera, shown cut at a character's edge",
    arguments: [65, 1000])
  func longDevice(length: Int) throws {
    let id = String(repeating: "x", count: 63) + String(repeating: "é", count: length - 63)
    let error = #expect(throws: CameraError.self) { try parse(#"{"deviceId":"\#(id)"}"#) }
    let shown = String(repeating: "x", count: 63)
    #expect(try #require(error).message == "INVALID_REQUEST: camera device not found: \(shown)")
  }
}
