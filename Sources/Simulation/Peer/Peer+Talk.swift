import Codec
import Runtime

/// What a gateway does for a board that talks.
extension Peer {
  /// Half of the gateways have a provider that transcribes; none had before there were talk sessions.
  func talkCreate(_ params: borrowing JSONView, _ id: borrowing JSONView) {
    guard let mode = params.member("mode"), mode.equals("transcription") || mode.equals("realtime") else {
      return life.invariants.violated("a talk session of no mode")
    }
    let isRealtime = mode.equals("realtime")
    if generation < .june { return refuseRequest(id, "INVALID_REQUEST", "unknown method: talk.session.create") }
    if !(isRealtime ? life.scenario.gatewayConverses : life.scenario.gatewayListens) || life.chance(1, in: 25) {
      return refuseRequest(id, "UNAVAILABLE", "no provider is configured")
    }
    // One that never answers has opened nothing.
    if life.chance(1, in: 25) { return }
    guard let session = life.sessions.open(isRealtime: isRealtime, over: self) else {
      return refuseRequest(id, "UNAVAILABLE", "Too many active sessions for this connection")
    }
    let forms = [
      "\"inputEncoding\":\"g711_ulaw\",\"inputSampleRateHz\":8000",
      "\"inputEncoding\":\"pcm16\",\"inputSampleRateHz\":24000",
      "\"inputEncoding\":\"pcm16\",\"inputSampleRateHz\":16000",
    ]
    let form = life.chance(1, in: 60) ? "\"inputEncoding\":\"opus\"" : forms[Int(life.random(below: 3))]
    let pause = life.chance(1, in: 15) ? 1_000 + life.random(below: 6_000) : life.random(below: 200)
    id.rawText.withUnsafeBufferPointer { beginAnswer($0) }
    builder.text(",\"ok\":true,\"payload\":{\"sessionId\":\"talk-\(session.number)\",\"audio\":{\(form)}}}")
    send(after: pause)
  }

  /// Sound, or the end of a session.
  func talk(_ method: borrowing JSONView, _ params: borrowing JSONView, _ id: borrowing JSONView) {
    guard let name = params.member("sessionId") else { return life.invariants.violated("sound for no talk session") }
    guard let number = life.sessions.find(name, over: self) else {
      return refuseRequest(id, "INVALID_REQUEST", "unknown session")
    }
    if method.equals("talk.session.appendAudio"), !life.sessions.append(to: number) { return }
    answer(id, "{\"ok\":true}")
    if method.equals("talk.session.close") { life.sessions.close(number) }
    if method.equals("talk.session.cancelOutput") { life.sessions.cancelOutput(number) }
  }

  /// Speech, or what gateways say where they have none.
  func speak(_ id: borrowing JSONView) {
    guard life.scenario.gatewaySpeaks else {
      return id.rawText.withUnsafeBufferPointer { raw in
        beginAnswer(raw)
        builder.text(
          ",\"ok\":false,\"error\":{\"code\":\"UNAVAILABLE\",\"message\":\"talk is not configured\","
            + "\"details\":{\"reason\":\"talk_unconfigured\",\"fallbackEligible\":true}}}")
        send(after: life.random(below: 20))
      }
    }
    switch life.random(below: 20) {
    case 0: refuseRequest(id, "UNAVAILABLE", "talk is not configured")
    case 1: answer(id, "{\"audioBase64\":\"\(Self.speech)\",\"provider\":\"p\",\"outputFormat\":\"mp3_44100_128\"}")
    case 2: answer(id, "{\"audioBase64\":\"AA=A\",\"provider\":\"p\",\"outputFormat\":\"pcm_24000\"}")
    case 3: answer(id, "{\"provider\":\"p\"}")
    case 4: if life.chance(3, in: 4) { answer(id, "{\"audioBase64\":\"AAAA\",\"provider\":\"p\"}") }
    case 5: answer(id, "{\"audioBase64\":\"\(Self.speech)\",\"provider\":\"p\",\"outputFormat\":\"ulaw_8000\"}")
    default: answer(id, "{\"audioBase64\":\"\(Self.speech)\",\"provider\":\"p\",\"outputFormat\":\"pcm_24000\"}")
    }
  }

  /// 200 ms at 24 kHz.
  private static let speech = String(repeating: "AAEA", count: 3_200)

  /// Push to talk.
  func invokeTalk(_ command: StaticString) {
    let timeout: Int64? = [nil, 30_000, 60_000, 120_000, 5_000][Int(life.random(below: 5))]
    let number = life.invokes.begin(over: connection, timeout: timeout ?? 30_000)
    writeInvoke(number, command, life.chance(1, in: 2) ? "{}" : nil, timeout)
    send(0x81, .invoke(number))
    life.trace.note(life.now, command, Int64(number), connection.serial)
    if generation == .newest, life.chance(1, in: 15) {
      life.schedule.add(self, Step.cancel.rawValue, Int64(number), at: life.now + life.random(below: 9_000))
    }
  }

  /// The wake phrases as they are.
  func sendPhrases() {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"voicewake.changed\",\"payload\":\(life.phrases.json)}")
    send(0x81, .phrases(life.phrases.current, isAnswer: false))
  }

  func sendEvent(_ name: StaticString, text payload: String) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"")
    builder.text(name)
    builder.text("\",\"payload\":")
    builder.text(payload)
    builder.text("}")
    send(after: life.random(below: 10))
  }
}
