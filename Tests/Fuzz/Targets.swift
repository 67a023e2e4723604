import Glibc

/// One part of Talon, and what must be true of it whatever comes in.
struct Target {
  let name: String
  let check: ([UInt8]) -> Void

  init(_ name: String, _ check: @escaping ([UInt8]) -> Void) {
    self.name = name
    self.check = check
  }

  nonisolated(unsafe) static let all = [
    Target("json", checkJSON),
    Target("a2ui", checkA2UI),
    Target("websocket", checkWebSocket),
    Target("http", checkHTTP),
    Target("motion-pictures", checkMotionPictures),
    Target("gnss", checkGNSS),
    Target("gpsd", checkGPSD),
    Target("dns", checkDNS),
    Target("netlink", checkNetlink),
    Target("wireless", checkWireless),
    Target("uevent", checkUevent),
    Target("system-texts", checkSystemTexts),
    Target("wifi-code", checkWiFiCode),
    Target("sensor-texts", checkSensorTexts),
    Target("modbus", checkModbus),
    Target("serial-answer", checkSerialAnswer),
    Target("program", checkProgram),
    Target("run", checkRun),
    Target("run-frames", checkRunFrames),
    Target("url", checkURL),
    Target("setup-code", checkSetupCode),
    Target("connect", checkConnect),
    Target("link", checkLink),
    Target("join", checkJoin),
    Target("join-record", checkJoinRecord),
    Target("update", checkUpdate),
    Target("update-files", checkUpdateFiles),
    Target("samples", checkSamples),
    Target("proxy", checkProxy),
    Target("state", checkState),
    Target("outbox", checkOutbox),
    Target("consent", checkConsent),
    Target("configuration", checkConfiguration),
    Target("frames", checkFrames),
    Target("clip", checkClip),
    Target("jpeg-frame", checkFrame),
    Target("imu", checkIMU),
    Target("wav", checkWAV),
    Target("motion-history", checkMotionHistory),
    Target("motion-window", checkMotionWindow),
    Target("track-page", checkTrackPage),
    Target("track-request", checkTrackRequest),
    Target("console", checkConsole),
    Target("picture", checkPicture),
    Target("code-picture", checkCodePicture),
    Target("evdev", checkEvdev),
    Target("entry", checkEntry),
    Target("locale", checkLocale),
    Target("text", checkText),
    Target("fetch", checkFetch),
    Target("address", checkAddress),
    Target("svg", checkSVG),
    Target("reader", checkReader),
    Target("context2d", checkContext2D),
    Target("painter", checkPainter),
    Target("canvas-draw", checkCanvasDraw),
    Target("canvas-document", checkCanvasDocument),
    Target("script", checkScript),
    Target("tampered-script", checkTamperedScript),
    Target("voice-directive", checkDirective),
    Target("speech", checkSpeech),
    Target("phrase-file", checkPhraseFile),
    Target("phrase-text", checkPhraseText),
    Target("phrase-record", checkPhraseRecord),
    Target("speech-bank", checkSpeechBank),
    Target("language-file", checkLanguageFile),
    Target("wave", checkWave),
    Target("completion", checkCompletion),
    Target("page", checkWebPage),
    Target("memory", checkMemory),
    Target("own-agent", checkOwnAgent),
    Target("mcp", checkMCP),
    Target("agent-server", checkAgentServer),
    Target("agent", checkAgent),
  ]
}

nonisolated(unsafe) private var target = Target.all[0]

/// libFuzzer's entry points. The target stands in TALON_FUZZ_TARGET.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>
) -> CInt {
  let name = getenv("TALON_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let found = Target.all.first(where: { $0.name == name }) else { fatalError("no target \(name)") }
  target = found
  readWords()
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// Stops the fuzzer when something is not true of this input.
func expect(_ condition: Bool, _ what: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
  if condition { return }
  let text = "\(file):\(line): not true: \(what())\n"
  _ = write(2, text, text.utf8.count)
  abort()
}

/// Cuts `bytes` into pieces whose lengths follow from the bytes themselves, so that an input always runs the same.
func pieces(_ bytes: [UInt8]) -> [Range<Int>] {
  var state: UInt32 = 2_166_136_261
  for byte in bytes { state = (state ^ UInt32(byte)) &* 16_777_619 }
  var ranges: [Range<Int>] = []
  var start = 0
  while start < bytes.count {
    state = state &* 1_664_525 &+ 1_013_904_223
    let length = state >> 28 < 8 ? 1 : Int(state >> 24) % 61 + 1
    let end = min(start + length, bytes.count)
    ranges.append(start..<end)
    start = end
  }
  return ranges
}
