import Gateway
import Testing

@Suite("Addresses as people write them")
struct GatewayURLTests {
  @Test(
    "a host alone means TLS at the gateway's own port; a URL without a port means what any URL means",
    arguments: [
      ("gateway.local", "wss://gateway.local:18789"), ("Gateway.local:8443", "wss://gateway.local:8443"),
      ("192.168.1.2", "wss://192.168.1.2:18789"), ("[fd00::12]", "wss://[fd00::12]:18789"),
      ("[fd00::12]:1", "wss://[fd00::12]:1"),
      ("wss://gateway.local", "wss://gateway.local:443"), ("ws://localhost", "ws://localhost:80"),
      ("https://g.example/context", "wss://g.example:443/context"),
      ("wss://gateway.local:18789", "wss://gateway.local:18789"),
    ])
  func read(text: String, url: String) throws {
    #expect(try GatewayURL(address: text).text == url)
  }

  @Test(
    "what is neither is refused",
    arguments: [
      ("gateway.local/context", GatewayURLError.scheme), ("wss:/gateway.local", .scheme), ("/", .scheme),
      ("ftp://g", .scheme),
      ("", .host), (":18789", .host), ("fd00::12", .port), ("g:0", .port), ("g:", .port), ("u@g", .userInfo),
      ("g?x", .queryOrFragment),
    ])
  func refused(text: String, error: GatewayURLError) {
    #expect(throws: error) { try GatewayURL(address: text) }
  }
}
