import Testing

@testable import A2UI

@Suite("Dump")
struct DumpTests {
  @Test("says surfaces in order of creation, with root, components and data")
  func whole() {
    let page = Page().push(
      update(component("t", "Text", #""text" : { "literalString" : "\u0041\n" }"#)), data(entry("a", 1)), begin("t"),
      #"{"dataModelUpdate":{"surfaceId":"empty","contents":[]}}"#,
      #"{"surfaceUpdate":{"surfaceId":"w","components":[{"id":"x","weight":2,"component":{"Icon":{}}}]}}"#)
    #expect(
      page.dump
        == #"{"main":{"surfaceId":"main","root":"t","components":{"t":{"component":{"Text":{"text":{"literalString":"\#("\\u0041")\n"}}}}},"dataModel":{"a":1}},"empty":{"surfaceId":"empty","root":null,"components":{},"dataModel":{}},"w":{"surfaceId":"w","root":null,"components":{"x":{"weight":2,"component":{"Icon":{}}}},"dataModel":{}}}"#
    )
  }

  @Test(
    "values whose name sounds like a secret are redacted",
    arguments: [
      "password", "userPassword", "API_KEY", "apiKey", "x-api-key", "accessToken", "pin", "userPin", "PIN", "otp_code",
      "auth",
      "Authorization", "privateKey", "client_secret", "session", "refresh", "pin2",
    ])
  func secrets(name: String) {
    let page = Page().push(data(entry("a", map: entry(name, "hunter2"))))
    #expect(page.dump.contains(#""\#(name)":"[redacted]""#))
    #expect(!page.dump.contains("hunter2"))
  }

  @Test("others are not", arguments: ["shipping", "author", "spin", "pineapple", "accessible", "name", "optional"])
  func innocent(name: String) {
    #expect(Page().push(data(entry("a", map: entry(name, "shown")))).dump.contains(#""\#(name)":"shown""#))
  }

  @Test("whole maps after such a name are, booleans are not")
  func maps() {
    let page = Page().push(
      data(entry("credentials", map: entry("user", "ann")), #"{"key":"refresh","valueBoolean":true}"#))
    #expect(page.dump.contains(#""dataModel":{"credentials":"[redacted]","refresh":true}"#))
  }

  @Test("what obscured fields show is, wherever it stands")
  func obscured() {
    let field = #""textFieldType":"obscured","label":{"literalString":"Word"}"#
    let page = Page().push(
      update(
        column("root", "a", "b"), component("a", "TextField", #""text":{"path":"/form/word"},\#(field)"#),
        component("b", "TextField", #""text":{"literalString":"hunter3"},\#(field)"#)),
      data(entry("form", map: entry("word", "hunter2"), entry("user", "ann"))), begin())
    #expect(!page.dump.contains("hunter"))
    #expect(page.dump.contains(#""form":{"word":"[redacted]","user":"ann"}"#))
    #expect(page.dump.contains(#""label":{"literalString":"Word"}"#))
  }

  @Test("in templates as well")
  func obscuredElements() {
    let page = Page().push(
      update(
        list("root", of: "f", at: "/items"),
        component("f", "TextField", #""text":{"path":"w"},"textFieldType":"obscured""#)),
      #"{"dataModelUpdate":{"contents":{"items":[{"w":"hunter2"}]}}}"#, begin())
    #expect(page.dump.contains(#""items":[{"w":"[redacted]"}]"#))
  }

  @Test("properties of components whose name sounds like a secret are")
  func properties() {
    let page = Page().push(
      update(component("a", "Login", #""token":"hunter2","n":{"password":"hunter2"},"x":[{"pin":1}]"#)))
    #expect(
      page.dump.contains(#"{"Login":{"token":"[redacted]","n":{"password":"[redacted]"},"x":[{"pin":"[redacted]"}]}}"#))
  }
}
