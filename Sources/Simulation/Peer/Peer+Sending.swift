import Runtime

/// What a gateway sends by itself.
extension Peer {
  func sendTick() {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"tick\",\"payload\":{\"ts\":")
    builder.decimal(life.wall)
    builder.text("}")
    endBroadcast()
  }

  func sendHealth() {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"health\",\"payload\":{\"ok\":true,\"ts\":")
    builder.decimal(life.wall)
    builder.text(",\"channels\":{\"telegram\":{\"configured\":true,\"linked\":true}},\"agents\":[{\"id\":\"main\"}]}")
    builder.text(",\"stateVersion\":{\"presence\":3,\"health\":7}")
    endBroadcast()
  }

  private func endBroadcast() {
    sequence += 1
    builder.text(",\"seq\":")
    builder.decimal(sequence)
    builder.text("}")
    send()
  }

  func sendEvent(_ name: StaticString, _ payload: StaticString, isBroadcast: Bool = false) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"")
    builder.text(name)
    builder.text("\",\"payload\":")
    builder.text(payload)
    if isBroadcast { return endBroadcast() }
    builder.text("}")
    send()
  }

  /// Tells the node that what it can do was approved.
  func sendApproval() {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"node.pair.resolved\",\"payload\":{\"requestId\":\"surface\",")
    builder.text("\"nodeId\":\"")
    builder.text(life.board.nodeID)
    builder.text("\",\"decision\":\"approved\",\"ts\":")
    builder.decimal(life.wall)
    builder.text("}}")
    send()
  }

  /// Says that the gateway ends, and closes.
  func shutDown(restartExpected: Int64?) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"shutdown\",\"payload\":{\"reason\":\"restart\"")
    if let restartExpected { builder.text(",\"restartExpectedMs\":\(restartExpected)") }
    builder.text("}")
    endBroadcast()
    close(1012, "service restart")
  }

  func sendCancel(_ number: Int64) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"node.invoke.cancel\",\"payload\":{\"invokeId\":\"invoke-")
    builder.decimal(number)
    builder.text("\",\"nodeId\":\"")
    builder.text(life.board.nodeID)
    builder.text("\"}}")
    send()
  }

  // MARK: Invokes

  /// What is asked of a node, and with which parameters; nil: none, or `null`.
  private static let commands: [(name: StaticString, parameters: StaticString?)] = [
    ("device.info", nil), ("device.status", "{}"), ("device.health", nil), ("device.permissions", nil),
    ("device.status", "{\\\"sections\\\":[\\\"os\\\",\\\"cpu\\\"]}"),
    ("camera.list", "{}"), ("location.get", "{\\\"timeoutMs\\\":5000}"), ("location.get", nil),
    ("camera.snap", "{\\\"maxWidth\\\":640,\\\"quality\\\":0.8}"), ("camera.snap", "{\\\"delayMs\\\":100}"),
    ("camera.clip", "{\\\"durationMs\\\":400}"), ("camera.ptz.status", "{\\\"deviceId\\\":\\\"/dev/video0\\\"}"),
    ("system.notify", "{\\\"title\\\":\\\"Hello\\\",\\\"body\\\":\\\"from the simulation\\\"}"),
    ("photos.latest", "{\\\"limit\\\":3}"), ("no.such.command", "{}"), ("camera.snap", "not json"),
    ("device.info", "{\\\"unknown\\\":[1,2,{}]}"),
  ]

  /// Asks something of the board.
  func invoke() {
    let command = Self.commands[Int(life.random(below: Int64(Self.commands.count)))]
    let timeouts: [Int64?] = [nil, 30_000, 30_000, 10_000, 2_000, 120_000]
    let timeout = timeouts[Int(life.random(below: 6))]
    let number = life.invokes.begin(over: connection, timeout: timeout ?? 30_000)
    writeInvoke(number, command.name, command.parameters, timeout)
    if life.options.plant == .forgetsReply {
      // An event that the board does not know, where the books have an invoke.
      builder.begin()
      builder.text("{\"type\":\"event\",\"event\":\"node.invoke.forgotten\",\"payload\":{}}")
    }
    send(0x81, .invoke(number))
    if life.options.plant == .answersTwice { send(0x81, .nothing) }
    life.trace.note(life.now, "invoke", Int64(number), connection.serial)
    if generation == .newest, life.chance(1, in: 10) {
      life.schedule.add(self, Step.cancel.rawValue, Int64(number), at: life.now + life.random(below: 3_000))
    }
    // A caller that asks again with the same key.
    if life.chance(1, in: 20) {
      life.schedule.add(self, Step.invokeAgain.rawValue, at: life.now + life.random(below: 2_000))
    }
  }

  /// The call of a tool, as an agent's turn makes it.
  func sendCall(_ number: Int, _ tool: String, key: Int64, timeout: Int64) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"node.invoke.request\",\"payload\":{\"id\":\"invoke-")
    builder.decimal(Int64(number))
    builder.text("\",\"nodeId\":\"\(life.board.nodeID)\",\"command\":\"mcp.tools.call.v1\",\"paramsJSON\":\"")
    builder.text("{\\\"server\\\":\\\"talon\\\",\\\"tool\\\":\\\"\(tool)\\\",\\\"arguments\\\":{")
    if tool == "notify" { builder.text("\\\"title\\\":\\\"Hello\\\"") }
    builder.text("}}\",\"timeoutMs\":\(timeout),\"sessionKey\":\"agent:main:main\",\"idempotencyKey\":\"")
    builder.text("turn:call-\(key)\"}}")
    send(0x81, .invoke(number))
    life.trace.note(life.now, "call of a tool", Int64(number), connection.serial)
  }

  func writeInvoke(_ number: Int, _ name: StaticString, _ parameters: StaticString?, _ timeout: Int64?) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"node.invoke.request\",\"payload\":{\"id\":\"invoke-")
    builder.decimal(Int64(number))
    // Longer than any id that a node keeps.
    if life.chance(1, in: 200) { builder.fill(UInt8(ascii: "-"), 200) }
    builder.text("\",\"nodeId\":\"")
    if life.chance(1, in: 200) {
      builder.text("another-node")
    } else {
      builder.text(life.board.nodeID)
    }
    builder.text("\",\"command\":\"")
    builder.text(name)
    builder.text("\",\"paramsJSON\":")
    if let parameters {
      builder.text("\"")
      builder.text(parameters)
      builder.text("\"")
    } else {
      builder.text("null")
    }
    if let timeout {
      builder.text(",\"timeoutMs\":")
      builder.decimal(timeout)
    }
    if life.chance(1, in: 2) {
      builder.text(",\"idempotencyKey\":\"key-")
      builder.decimal(Int64(number) / 3)
      builder.text("\"")
    }
    builder.text("}}")
  }
}

// What a node must bear.
extension Peer {
  /// Texts that are no JSON, or JSON that is no frame.
  func sendGarbage() {
    let texts: [StaticString] = [
      "", "{", "null", "[]", "{\"type\":1}", "{\"type\":\"event\"}", "{\"type\":\"res\",\"id\":{}}", "\u{FEFF}{}",
      "{\"type\":\"event\",\"event\":\"node.invoke.request\"}", "{\"type\":\"res\",\"id\":\"q99999999\",\"ok\":true}",
      "{\"type\":\"event\",\"event\":\"node.invoke.request\",\"payload\":{\"id\":7}}", "\"\\ud800\"", "[[[[[[[[",
      "{\"type\":\"event\",\"event\":\"node.invoke.request\",\"payload\":null}", "1e999", "{\"a\":}",
    ]
    for text in texts {
      builder.begin()
      builder.text(text)
      send(life.chance(1, in: 4) ? 0x82 : 0x81)
    }
  }

  /// Unknown events, and known ones with additional members.
  func sendStrangeEvents() {
    for _ in 0..<20 { sendEvent("gateway.future", "{\"x\":[1,2,3],\"y\":{\"z\":null}}", isBroadcast: true) }
    sendEvent("tick", "{\"ts\":1,\"new\":{\"deep\":[[[[]]]]}}", isBroadcast: true)
    sendEvent("connect.challenge", "{\"nonce\":\"again\",\"ts\":1}")
    sendEvent("node.invoke.cancel", "{\"invokeId\":\"nobody\",\"nodeId\":\"nobody\"}")
    sendEvent("node.invoke.input", "{\"id\":\"nobody\",\"nodeId\":\"nobody\",\"seq\":0,\"payloadJSON\":\"{}\"}")
  }

  /// One message of so many bytes: larger than a board keeps.
  func sendLarge(_ count: Int) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"chat\",\"payload\":{\"text\":\"")
    builder.fill(UInt8(ascii: "x"), count)
    builder.text("\"}}")
    send()
  }

  /// A message in many pieces, with pings between them.
  func sendFragments(_ count: Int) {
    builder.begin()
    builder.text("{\"type\":\"event\",\"event\":\"chat\",\"payload\":[")
    send(0x01)
    for _ in 0..<count {
      builder.begin()
      builder.text("1, ")
      send(0x00)
      builder.begin()
      if life.chance(1, in: 20) { send(0x89) }
    }
    builder.begin()
    builder.text("1]}")
    send(0x80)
  }
}
