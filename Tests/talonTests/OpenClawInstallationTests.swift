import Runtime
import Testing

@testable import talon

@Suite("What another node on the same board knows of its gateway")
struct OpenClawInstallationTests {
  private static let pin = String(repeating: "ab", count: 32)

  private func url(_ found: OpenClawInstallation) -> String {
    do throws(Failure) { return try found.url().text } catch { return error.text }
  }

  @Test("name, gateway and certificate of its state file; its own pairing token is left there")
  func stateFile() throws {
    var found = OpenClawInstallation()
    let json =
      #"{"version":1,"nodeId":"n","token":"of-the-node","displayName":" Shed ","#
      + #""gateway":{"host":"gw.local","port":8443,"#
      + #""tls":true,"tlsFingerprint":"\#(Self.pin)","path":"ctx/j/x"}}"#
    let isTaken = found.take(nodeJSON: Array(json.utf8))
    #expect(isTaken)
    #expect(found.name == "Shed")
    #expect(url(found) == "wss://gw.local:8443/ctx/j/x")
    #expect(try found.pin() != nil)
    #expect(found.token.isEmpty)
  }

  @Test("the words of its service, and the token in its environment")
  func unit() {
    var found = OpenClawInstallation()
    let unit = """
      [Service]
      ExecStart=/usr/bin/node /opt/openclaw/index.js node run --host 10.0.0.7 --port 18790 --tls --display-name "A shed"
      Environment=HOME=/home/pi
      Environment="OPENCLAW_GATEWAY_TOKEN=from-the-unit" PATH=/bin
      """
    found.take(unit: Array(unit.utf8))
    #expect(found.name == "A shed")
    #expect(url(found) == "wss://10.0.0.7:18790")
    #expect(found.token == "from-the-unit")
  }

  @Test(
    "a token of an environment file",
    arguments: [
      ("OPENCLAW_GATEWAY_TOKEN=abc\n", "abc"), ("# x\nexport OPENCLAW_GATEWAY_TOKEN=\"a b\"\r\n", "a b"),
      ("OPENCLAW_GATEWAY_TOKEN='abc'", "abc"), ("MY_OPENCLAW_GATEWAY_TOKEN=abc", ""), ("", ""),
    ])
  func environment(text: String, token: String) {
    var found = OpenClawInstallation()
    found.take(environment: Array(text.utf8))
    #expect(found.token == token)
  }

  @Test("the token of its commands, and what was read first stays")
  func order() {
    var found = OpenClawInstallation()
    found.take(openclawJSON: Array(#"{"gateway":{"remote":{"token":"abc"}}}"#.utf8))
    found.take(openclawJSON: Array("{not json".utf8))
    found.take(environment: Array("OPENCLAW_GATEWAY_TOKEN=other".utf8))
    #expect(found.token == "abc")
  }

  @Test(
    "what is missing or wrong is named",
    arguments: [
      ("{}", "the installation names no gateway: no host is in it"),
      (#"{"gateway":{"host":"a","port":0}}"#, "the installation's gateway has no valid port (1 to 65535)"),
      (#"{"gateway":{"host":"a","port":70000}}"#, "the installation's gateway has no valid port (1 to 65535)"),
      (#"{"gateway":{"host":"a b"}}"#, "the installation's gateway has no valid host"),
      (#"{"gateway":{"host":"a"}}"#, "ws://a:18789"),
      (#"{"gateway":{"host":"fd00::1","tls":true}}"#, "wss://[fd00::1]:18789"),
      (#"{"gateway":"x","displayName":7}"#, "the installation names no gateway: no host is in it"),
    ])
  func wrong(json: String, says: String) {
    var found = OpenClawInstallation()
    let isTaken = found.take(nodeJSON: Array(json.utf8))
    #expect(isTaken)
    #expect(url(found) == says)
  }

  @Test("a file that is not JSON, and a fingerprint that is none, are refused")
  func refused() {
    var found = OpenClawInstallation()
    let isTaken = found.take(nodeJSON: Array("nodeId".utf8))
    #expect(!isTaken)
    found.fingerprint = "abc"
    #expect(throws: Failure.self) { try found.pin() }
  }
}

@Suite("The answer to openclaw node identity --json")
struct PublicIdentityTests {
  private static let id = String(repeating: "0a", count: 32)
  private static let key = String(repeating: "A", count: 43)

  @Test("a copy is read strictly: others may have written it")
  func strict() {
    let whole = "{\"deviceId\":\"\(Self.id)\",\"publicKey\":\"\(Self.key)\"}"
    #expect(PublicIdentity.parse(Array(whole.utf8))?.id == Self.id)
    for text in [
      "", "{}", whole.replacing("0a", with: "zz"), whole.replacing("AAA\"", with: "A\\n\""),
      whole.replacing("AAA\"", with: "AA\""), whole.replacing("deviceId", with: "device"),
    ] {
      #expect(PublicIdentity.parse(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
