import Codec
import Testing

@testable import Camera

struct ClipParametersTests {
  private func parse(_ json: String) throws -> ClipParameters {
    let bytes = Array(json.utf8)
    return try ClipParameters(JSONView(bytes.span))
  }

  @Test(
    "no parameters, null and unknown keys all mean the defaults",
    arguments: [
      "{}", "null", #"{"torch":true,"format":"mp4"}"#, #"{"deviceId":""}"#,
      #"{"deviceId":null,"facing":null,"durationMs":null,"includeAudio":null,"format":null}"#,
    ])
  func defaults(json: String) throws {
    let parameters = try parse(json)
    #expect(parameters.choice == CameraChoice())
    #expect(parameters.duration == 3000)
    #expect(parameters.includesAudio)
  }

  @Test(
    "durationMs is clamped to 250...60000",
    arguments: [
      ("250", 250), ("249", 250), ("-1", 250), ("1e4", 10_000), ("60000", 60_000), ("60001", 60_000),
      ("300000", 60_000), ("1e300", 60_000), ("999.9", 999),
    ] as [(String, Int64)])
  func duration(value: String, expected: Int64) throws {
    #expect(try parse(#"{"durationMs":\#(value)}"#).duration == expected)
  }

  @Test("a camera may be named, or the way that it looks")
  func camera() throws {
    #expect(try parse(#"{"deviceId":"/dev/video2"}"#).choice.device == CameraText(cutting: "/dev/video2"))
    #expect(try parse(#"{"facing":"front"}"#).choice.position == .front)
    #expect(try parse(#"{"facing":"b\u0061ck"}"#).choice.position == .back)
    #expect(try !parse(#"{"includeAudio":false}"#).includesAudio)
  }

  @Test(
    "what cannot be meant is refused with its reason",
    arguments: [
      ("[]", "params must be an object"), ("3", "params must be an object"),
      (#"{"durationMs":"3000"}"#, "durationMs must be a number"),
      (#"{"includeAudio":1}"#, "includeAudio must be true or false"),
      (#"{"deviceId":0}"#, "deviceId must be a string"),
      (#"{"format":7}"#, "format must be a string"),
      (#"{"format":"webm"}"#, "unsupported camera video format: webm"),
      (#"{"format":"MP4"}"#, "unsupported camera video format: MP4"),
    ])
  func refusals(json: String, message: String) throws {
    let error = #expect(throws: CameraError.self) { try parse(json) }
    #expect(try #require(error).message == "INVALID_REQUEST: \(message)")
  }

  @Test("words longer than any are refused, not cut until they fit")
  func long() throws {
    let id = String(repeating: "x", count: 65)
    let unknown = #expect(throws: CameraError.self) { try parse(#"{"deviceId":"\#(id)"}"#) }
    #expect(try #require(unknown).message == "INVALID_REQUEST: camera device not found: \(id.dropLast())")
    let padded = "mp4" + String(repeating: " ", count: 300)
    #expect(throws: CameraError.self) { try parse(#"{"format":"\#(padded)"}"#) }
  }

  @Test("a facing that is neither front nor back means any camera", arguments: ["true", "\"both\"", "\"\""])
  func otherFacing(word: String) throws { #expect(try parse("{\"facing\":\(word)}").choice.position == nil) }
}
