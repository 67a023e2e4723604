import Codec
import Runtime
import Testing

@testable import Gateway

@Suite("Join URLs and what else connects a board")
struct JoinURLTests {
  static let code = "AbCdEfGhIjKlMnOpQr_-19"

  private func read(_ text: String) -> String {
    do throws(JoinURLError) {
      return try JoinURL(text).text
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "what is a join URL, and what is wrong with others",
    arguments: [
      ("https://gw.example/j/\(code)", "https://gw.example:443/j/\(code)"),
      ("HTTPS://GW.example:8443/a/b/j/\(code)", "https://gw.example:8443/a/b/j/\(code)"),
      ("https://[fd00::1]/j/\(code)", "https://[fd00::1]:443/j/\(code)"),
      ("https://gw/j/\(code)/j/\(code)", "https://gw:443/j/\(code)/j/\(code)"),
      ("https://gw/j/x/j/\(code)", "https://gw:443/j/x/j/\(code)"),
      ("http://127.0.0.1:18789/j/\(code)", "http://127.0.0.1:18789/j/\(code)"),
      ("http://localhost/j/\(code)", "http://localhost:80/j/\(code)"), ("http://gw/j/\(code)", "plaintext"),
      ("http://127.0.0.1.example/j/\(code)", "plaintext"), ("wss://gw/j/\(code)", "scheme"),
      ("gw/j/\(code)", "scheme"), ("https://u@gw/j/\(code)", "userInfo"), ("https://u:p@gw/j/\(code)", "userInfo"),
      ("https://gw/j/\(code)?x", "queryOrFragment"), ("https://gw/j/\(code)#x", "queryOrFragment"),
      ("https://gw/j/\(code)/", "code"), ("https://gw/j/\(code)A", "code"), ("https://gw/j/\(code.dropLast())", "code"),
      ("https://gw/j/\(code.dropLast())%", "code"), ("https://gw/\(code)", "code"), ("https://gw/", "code"),
      ("https://gw/J/\(code)", "code"), ("https://gw", "code"), ("https://gw/a b/j/\(code)", "path"),
      ("https:///j/\(code)", "host"), ("https://gw:0/j/\(code)", "port"), ("https://gw:65536/j/\(code)", "port"),
      ("https://gw/\(String(repeating: "x", count: 512))/j/\(code)", "tooLong"),
    ] as [(String, String)])
  func parts(text: String, expected: String) {
    #expect(read(text) == expected)
  }

  @Test("its name for people does not hold the code")
  func origin() throws {
    #expect(try JoinURL("https://gw/ctx/j/\(Self.code)").origin == "https://gw:443")
  }

  @Test(
    "URLs, codes and files are told apart",
    arguments: [
      ("https://gw/j/\(code)", "join"), ("oc-pair://abc", "code"), ("OC-PAIR://abc", "code"), ("eyJ1cmwi", "code"),
      ("/media/code.txt", "file"), ("./code", "file"), ("code.txt", "file"), ("", "code"),
      ("OpenClaw://gateway?host=a.b/c", "link"), ("https://gw", "code!"),
      ("https://gw.example/#token=abc", "wss://gw.example:443 abc"),
      ("http://192.168.1.2:18789/chat?session=main#token=a%2Bb", "ws://192.168.1.2:18789 a+b"),
      ("wss://gw.example/context/?token=abc&x=1", "wss://gw.example:443/context abc"),
      ("https://gw.example/#token=", "queryOrFragment!"),
    ])
  func targets(text: String, kind: String) {
    do throws(JoinURLError) {
      switch try ConnectTarget(text) {
      case .join: #expect(kind == "join")
      case .dashboard(let url, let token): #expect("\(url.text) \(String(decoding: token, as: UTF8.self))" == kind)
      case .code(let code): #expect(kind == "code" && code == text)
      case .link(let link): #expect(kind == "link" && link == text)
      case .file(let path): #expect(kind == "file" && path == text)
      }
    } catch {
      #expect(kind == "\(error)!")
    }
  }
}

@Suite("What stands before a gateway")
struct EdgeTests {
  private func proxy(_ text: String) -> String {
    do throws(ProxyAddressError) {
      let proxy = try ProxyAddress(text)
      return "\(proxy.text) \(proxy.credentials) \(String(decoding: proxy.password, as: UTF8.self))"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "a proxy's address, with and without a user",
    arguments: [
      ("http://proxy:3128", "http://proxy:3128  "), ("HTTP://Proxy:3128/", "http://proxy:3128  "),
      ("http://[fd00::1]:8080", "http://[fd00::1]:8080  "),
      ("http://Aladdin:open%20sesame@p:1", "http://p:1 QWxhZGRpbjpvcGVuIHNlc2FtZQ== open sesame"),
      ("http://a:p%40%3a@p:1", "http://p:1 YTpwQDo= p@:"), ("http://a:b@c@p:1", "http://p:1 YTpiQGM= b@c"),
      ("http://a:@p:1", "http://p:1 YTo= "),
      ("socks5://p:1", "socks5://p:1  "), ("SOCKS5H://a:b@p:1", "socks5://p:1 YTpi b"),
      ("socks5://a:@p:1", "credentials"), ("socks5://a:\(String(repeating: "x", count: 256))@p:1", "credentials"),
      ("https://proxy:3128", "scheme"), ("socks4://p:1", "scheme"), ("proxy:3128", "scheme"), ("http://p", "port"),
      ("http://[fd00::1]", "port"), ("http://p:0", "port"), ("http://p:x", "port"), ("http://:3128", "host"),
      ("http://p p:1", "host"), ("http://", "scheme"), ("http://p:1/x", "path"), ("http://p:1?x", "path"),
      ("http://@p:1", "credentials"), ("http://a@p:1", "credentials"), ("http://:b@p:1", "credentials"),
      ("http://a:%0d%0a@p:1", "credentials"), ("http://a:%2@p:1", "credentials"), ("http://a%3ab:c@p:1", "credentials"),
      ("http://a:\(String(repeating: "x", count: 1024))@p:1", "credentials"),
    ] as [(String, String)])
  func proxies(text: String, expected: String) {
    #expect(proxy(text) == expected)
  }

  @Test(
    "the fields of an edge go encrypted to the configured gateway, and to nobody else",
    arguments: [
      ("wss://gw", true), ("wss://gw/another/path", true), ("ws://gw:443", false), ("wss://gw:444", false),
      ("wss://another", false), ("wss://plain", false),
    ])
  func origins(text: String, isFor: Bool) throws {
    let origins = try [GatewayURL("wss://gw/ctx"), GatewayURL("ws://plain:443")]
    let access = EdgeAccess(fields: EdgeAccess.cloudflare(id: "abc.access", secret: "s3cret"), origins: origins)
    let buffer = FixedBuffer(capacity: 200)
    var writer = ByteWriter(into: buffer.bytes)
    access.write(for: try GatewayURL(text), to: &writer)
    let text = String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
    #expect(text == (isFor ? "CF-Access-Client-Id: abc.access\r\nCF-Access-Client-Secret: s3cret\r\n" : ""))
  }
}
