import Canvas
import Codec
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

@Suite("A conversation between the screen and the gateway")
struct ConversationTests {
  @Test("opened, it asks as the reconnect recipe says, and shows what was said")
  func opening() throws {
    let bench = try TalkBench()
    try bench.desk.connect()
    #expect(try !bench.desk.requests().contains { $0.method.hasPrefix("chat.") || $0.method.hasPrefix("sessions.") })
    bench.press(.chat)
    let requests = try bench.desk.requests()
    #expect(requests.map(\.method) == ["sessions.messages.subscribe", "chat.history"])
    #expect(requests[0].params["key"] as? String == TalkBench.key)
    #expect(requests[1].params["sessionKey"] as? String == TalkBench.key)
    #expect(requests[1].params["limit"] as? Int == Budget.chatHistoryMessages)
    #expect(bench.texts.contains("Reading what was said…"))
    bench.desk.answer(requests[1], TalkBench.history("user hello", "assistant Hi"))
    #expect(bench.messages == ["person done hello", "agent done Hi"])
    #expect(bench.texts.contains("Hi") && !bench.texts.contains("Reading"))
  }

  @Test("a message is on its way until the gateway has it; its reply grows and ends")
  func replying() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("lamp on")
    #expect(bench.messages.last == "person sending lamp on")
    let request = try bench.answer("chat.send", #"{"runId":"ignored","status":"started"}"#)
    #expect(request.params["message"] as? String == "lamp on")
    #expect(bench.messages.suffix(2) == ["person done lamp on", "agent streaming "])
    bench.event("ignored", 1, #""state":"delta","deltaText":"The lamp""#)
    bench.event("ignored", 2, #""state":"delta","deltaText":" is on.""#)
    #expect(bench.messages.last == "agent streaming The lamp is on.")
    bench.event("ignored", 3, #""state":"final","message":{"content":"The lamp is **on**."}"#)
    #expect(bench.messages.last == "agent done The lamp is **on**.")
    #expect(bench.log.count == 4)
  }

  @Test("snapshots of protocol 3 replace each other")
  func snapshots() throws {
    let bench = try TalkBench()
    try bench.open(protocol: 3)
    bench.write("go")
    try bench.answer("chat.send", #"{"runId":"r","status":"started"}"#)
    for (seq, text) in ["a", "a b", "c"].enumerated() {
      bench.event(
        "r", seq + 1, #""state":"delta","message":{"role":"assistant","content":[{"type":"text","text":"\#(text)"}]}"#)
    }
    #expect(bench.messages.last == "agent streaming c")
    bench.event("r", 9, #""state":"final""#)
    #expect(bench.messages.last == "agent done c")
  }

  @Test("a message that is refused says why, and is sent again under another name")
  func refused() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("lamp on")
    let first = try bench.desk.request("chat.send")
    bench.desk.refuse(first, #"{"code":"UNAVAILABLE","message":"no agent"}"#)
    #expect(bench.messages.last == "person failed lamp on (the gateway refused chat.send: \"no agent\")")
    bench.conversation.chatRetry(2)
    #expect(bench.messages.last == "person sending lamp on")
    let second = try bench.answer("chat.send", #"{"runId":"r","status":"started"}"#)
    #expect(second.run != first.run)
    #expect(bench.messages.suffix(2) == ["person done lamp on", "agent streaming "])
  }

  @Test("without a connection a message fails, keeps its text, and reaches the agent once in the end")
  func offline() throws {
    let bench = try TalkBench()
    bench.press(.chat)
    #expect(bench.texts.contains("node connection has not been online yet"))
    bench.write("lamp on")
    #expect(bench.messages.last?.hasPrefix("person failed lamp on") == true)
    try bench.desk.connect()
    try bench.answer("chat.history", TalkBench.history("user hello"))
    #expect(bench.messages.map { $0.prefix(19) } == ["person done hello", "person failed lamp "])
    bench.conversation.chatRetry(1)
    let first = try bench.desk.request("chat.send")
    // Nobody knows whether it arrived.
    bench.desk.pass(OperatorDesk.timeout)
    #expect(bench.messages.last?.contains("did not answer in time") == true)
    bench.conversation.chatRetry(1)
    let second = try bench.desk.request("chat.send")
    #expect(second.run == first.run)
    bench.desk.answer(second, #"{"runId":"\#(second.run)","status":"ok"}"#)
    try bench.answer("chat.history", TalkBench.history("user hello", "user lamp on", "assistant On."))
    #expect(bench.messages == ["person done hello", "person done lamp on", "agent done On."])
  }

  @Test("a run that fails says so at its message, which can be sent again")
  func runFails() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("go")
    try bench.answer("chat.send", #"{"runId":"r","status":"started"}"#)
    bench.event("r", 1, #""state":"error","errorMessage":"too much","errorKind":"rate_limit""#)
    #expect(bench.messages.last == "person failed go (the agent's run failed: \"too much\" (rate_limit))")
    #expect(bench.log.count == 3)
  }

  @Test("a reply is stopped by the gateway when a person wants it")
  func stopping() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("go")
    try bench.answer("chat.send", #"{"runId":"r","status":"started"}"#)
    bench.event("r", 1, #""state":"delta","deltaText":"One""#)
    bench.conversation.chatStop()
    let abort = try bench.answer("chat.abort", #"{"ok":true}"#)
    #expect(abort.params["runId"] as? String == "r")
    bench.event("r", 2, #""state":"aborted""#)
    #expect(bench.messages.last == "agent stopped One")
  }

  @Test("what others begin is followed, and their question read; other sessions' are not")
  func others() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.event("elsewhere", 1, #""state":"delta","deltaText":"Hm""#, key: "agent:main:other")
    #expect(bench.log.count == 2)
    bench.event("phone", 1, #""state":"delta","deltaText":"It is""#)
    #expect(bench.messages.last == "agent streaming It is")
    bench.desk.pass(Budget.chatReadMilliseconds)
    try bench.answer("chat.history", TalkBench.history("user hello", "assistant Hi", "user what time?"))
    #expect(bench.messages.suffix(2) == ["person done what time?", "agent streaming It is"])
    bench.event("phone", 2, #""state":"final","message":{"content":"It is noon."}"#)
    bench.event("phone", 3, #""state":"delta","deltaText":"late""#)
    #expect(bench.messages.last == "agent done It is noon.")
    #expect(bench.log.count == 4)
  }

  @Test("more runs of others than can be followed are read when they are over")
  func manyRuns() throws {
    let bench = try TalkBench()
    try bench.open()
    for run in 0...Budget.chatFollowed { bench.event("run\(run)", 1, #""state":"delta","deltaText":"x""#) }
    #expect(bench.messages.filter { $0.contains("streaming") }.count == Budget.chatFollowed)
    bench.desk.pass(Budget.chatReadMilliseconds)
    #expect(try bench.desk.request("chat.history").params["limit"] as? Int == Budget.chatHistoryMessages)
  }

  @Test("what a person says elsewhere is read at once, but not oftener than the bound")
  func sessionMessages() throws {
    let bench = try TalkBench()
    try bench.open()
    for _ in 0..<5 {
      bench.desk.event(
        "session.message", #"{"sessionKey":"\#(TalkBench.key)","message":{"role":"user","content":"from a phone"}}"#)
    }
    #expect(try bench.desk.requests().isEmpty)
    bench.desk.pass(Budget.chatReadMilliseconds)
    #expect(try bench.desk.requests().filter { $0.method == "chat.history" }.count == 1)
  }

  @Test("over a new connection the history is read anew, and a run that goes on is taken up")
  func reconnect() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.event("phone", 1, #""state":"delta","deltaText":"It""#)
    bench.desk.lose()
    #expect(bench.messages.last == "agent failed It (the connection was lost while the agent replied)")
    try bench.desk.connect()
    let requests = try bench.desk.requests()
    #expect(requests.contains { $0.method == "sessions.messages.subscribe" })
    bench.desk.answer(
      requests.last { $0.method == "chat.history" }!,
      TalkBench.history(
        "user hello", "assistant Hi", "user time?", inFlight: #","inFlightRun":{"runId":"phone","text":"It is"}"#))
    #expect(bench.messages.suffix(2) == ["person done time?", "agent streaming It is"])
    bench.event("phone", 7, #""state":"delta","deltaText":" noon","message":{"content":"It is noon"}"#)
    bench.event("phone", 8, #""state":"final""#)
    #expect(bench.messages.last == "agent done It is noon")
  }

  @Test("a message whose answer was lost stands once when the history has it")
  func lostAnswer() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("lamp on")
    _ = try bench.desk.request("chat.send")
    bench.desk.lose()
    #expect(bench.messages.last == "person sending lamp on")
    try bench.desk.connect()
    for request in try bench.desk.requests() where request.method == "chat.history" {
      bench.desk.answer(request, TalkBench.history("user hello", "assistant Hi", "user lamp on", "assistant On."))
    }
    #expect(bench.messages == ["person done hello", "agent done Hi", "person done lamp on", "agent done On."])
  }

  @Test("and failed when it has not")
  func lostMessage() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("hello")
    _ = try bench.desk.request("chat.send")
    bench.desk.lose()
    try bench.desk.connect()
    for request in try bench.desk.requests() where request.method == "chat.history" {
      bench.desk.answer(request, TalkBench.history("assistant Hi"))
    }
    #expect(bench.messages.count == 2)
    #expect(bench.messages.last?.hasPrefix("person failed hello (the connection was lost") == true)
  }

  @Test("a gateway whose history is too large is asked for less; one that does not know how to cut is not asked to")
  func limits() throws {
    let bench = try TalkBench()
    try bench.desk.connect()
    bench.press(.chat)
    bench.desk.refuse(
      try bench.desk.request("chat.history"), #"{"code":"INVALID_REQUEST","message":"unexpected property maxChars"}"#)
    let second = try bench.desk.request("chat.history")
    #expect(second.params["maxChars"] == nil)
    let large = String(repeating: "x", count: Budget.operatorMessageBytes + 100)
    bench.desk.answer(second, #"{"messages":[{"role":"user","content":"\#(large)"}]}"#)
    let third = try bench.desk.request("chat.history")
    #expect(third.params["limit"] as? Int == Budget.chatHistoryMessages / 4)
    bench.desk.answer(third, TalkBench.history("user \(String(repeating: "y", count: 300_000))", "assistant Hi"))
    #expect(bench.log.count == 2)
    #expect(bench.log[0].isCut)
    #expect(bench.log.text(0).count <= Budget.chatShownBytes)
    #expect(bench.messages.last == "agent done Hi")
  }

  @Test("a gateway that refuses the history says why on the page")
  func noScope() throws {
    let bench = try TalkBench()
    try bench.desk.connect()
    bench.press(.chat)
    bench.desk.refuse(
      try bench.desk.request("chat.history"), #"{"code":"FORBIDDEN","message":"missing scope: operator.read"}"#)
    #expect(bench.texts.contains("operator.read"))
  }

  // MARK: The screen

  @Test("the agent's page comes before the conversation; one touch or key leads back, and the draft is there")
  func agentInFront() throws {
    let bench = try TalkBench()
    try bench.open()
    for scalar in "half".unicodeScalars { bench.face.input(.character(scalar), at: 0) }
    bench.canvas.pushButton()
    #expect(bench.canvas.take().count == 1)
    #expect(bench.texts.contains("Go") && bench.texts.contains("Chat") && !bench.texts.contains("half"))
    bench.canvas.invoke("dump", "canvas.a2ui.dump")
    #expect(bench.canvas.take().first?.contains(#""showing":"documents""#) == true)
    bench.canvas.tap(30, 300)
    #expect(bench.texts.contains("half"))
    bench.canvas.invoke("dump", "canvas.a2ui.dump")
    #expect(bench.canvas.take().first?.contains(#""showing":"chat""#) == true)
    // Left, what the agent shows is there, without a way back to what the person left.
    bench.press(.escape)
    #expect(bench.texts.contains("Go") && !bench.texts.contains("Chat"))
    bench.press(.chat)
    #expect(bench.texts.contains("half"))
    bench.canvas.invoke("home", "canvas.navigate", #"{"url":""}"#)
    #expect(!bench.texts.contains("half"))
    bench.press(.chat)
    bench.canvas.invoke("hide", "canvas.hide")
    bench.canvas.invoke("show", "canvas.present")
    #expect(bench.texts.contains("Go"))
  }

  @Test("home has a button while there is somebody to talk to, and says why not otherwise")
  func home() throws {
    let bench = try TalkBench()
    var facts = HomeFacts()
    facts.noChat = InlineText(cutting: "Chat: not yet")
    bench.face.say(facts)
    // Behind a touch, as all that is technical.
    #expect(!bench.texts.contains("Chat: not yet"))
    bench.canvas.tap(240, 285)
    #expect(bench.texts.contains("Chat: not yet") && bench.face.view == .home)
    (facts.canChat, facts.noChat) = (true, InlineText())
    bench.face.say(facts)
    bench.canvas.tap(240, 285)
    #expect(bench.face.view == .chat)
    bench.press(.escape)
    bench.press(.activate)
    #expect(bench.face.view == .chat)
  }

  @Test("the cover of a board that is held stands before the conversation, and takes its keys")
  func held() throws {
    let bench = try TalkBench()
    try bench.open()
    var facts = OverlayFacts()
    facts.isHeld = true
    bench.face.say(facts)
    #expect(bench.texts.contains("Held") && !bench.texts.contains("Hi"))
    bench.write("x")
    facts.isHeld = false
    bench.face.say(facts)
    #expect(bench.log.count == 2)
    #expect(bench.texts.contains("Hi"))
  }
}
