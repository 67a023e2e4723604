import Codec
import Consent
import Gateway
import Node
import Runtime

/// What exactly a request is about: the words that decide what it does.
extension ConsentDemand {
  /// The members of parameters that decide what a command does. A grant that lasts is for the same values alone.
  private static let members: InlineArray<6, StaticString> = ["command", "cwd", "env", "server", "tool", "arguments"]
  /// Those that choose a camera.
  private static let cameras: InlineArray<2, StaticString> = ["deviceId", "facing"]

  /// The whole command line, with folder and environment where the request has them.
  mutating func addCommandLine(_ parameters: borrowing JSONView) {
    subject = ConsentSubject(label: "Command line: ")
    if let command = parameters.member("command") {
      var isFirst = true
      if command.kind == .array {
        var words = command.elements()
        while let word = words.next() {
          if !isFirst { subject.add(" ") }
          quote(word)
          isFirst = false
        }
      } else {
        quote(command)
      }
    }
    if let folder = parameters.member("cwd"), !folder.isNull {
      subject.add(" in ")
      quote(folder)
    }
    guard let environment = parameters.member("env"), environment.kind == .object else { return }
    subject.add(" with")
    addMembers(environment)
  }

  /// A tool that a gateway names, and its arguments.
  mutating func addTool(_ parameters: borrowing JSONView) {
    subject = ConsentSubject(label: "Tool: ")
    if let tool = parameters.member("tool") { quote(tool) }
    if let arguments = parameters.member("arguments"), arguments.kind == .object { addMembers(arguments) }
  }

  /// A tool of the board's own agent, and its arguments.
  mutating func addTool(_ lent: LentCall, _ arguments: borrowing JSONView) {
    subject = ConsentSubject(label: "Tool: ")
    lent.tool.withBytes { subject.quote(Span(_unsafeElements: $0), of: $0.count) }
    if arguments.kind == .object { addMembers(arguments) }
  }

  /// The camera that a request names, by its id or by where it looks.
  mutating func addCamera(_ parameters: borrowing JSONView) {
    for index in 0..<2 where subject.isEmpty {
      guard let camera = parameters.member(index == 0 ? "deviceId" : "facing"), camera.kind == .string else { continue }
      subject = ConsentSubject(label: "Camera: ")
      quote(camera)
      kinds.insert(.namedCamera)
    }
  }

  /// Writes ` "action" = "on", "level" = "5"`.
  private mutating func addMembers(_ object: borrowing JSONView) {
    var members = object.members()
    var isFirst = true
    while let member = members.next() {
      subject.add(isFirst ? " " : ", ")
      quote(member.name)
      subject.add(" = ")
      quote(member.value)
      isFirst = false
    }
  }

  /// Adds a string without its escapes, or anything else as it was sent.
  private mutating func quote(_ value: borrowing JSONView) {
    guard let length = value.stringLength else {
      let raw = value.rawText
      return subject.quote(raw, of: raw.count)
    }
    var beginning = InlineText<600>()
    beginning.fill { value.copyBeginning(into: $0) }
    subject.quote(beginning.span, of: length)
  }

  /// Adds the digest of all that decides what the request does, where a grant is for its words, or its camera, alone.
  mutating func addDigest(
    _ lent: LentCall?, _ parameters: borrowing JSONView, _ cryptography: any Cryptography
  ) {
    guard permissions.contains(.run) || permissions.contains(.tools) else {
      if kinds.contains(.namedCamera) { addCameraDigest(parameters, cryptography) }
      return
    }
    var sums = InlineArray<256, UInt8>(repeating: 0)
    for index in 0..<6 {
      guard let member = parameters.member(Self.members[index]) else { continue }
      Self.put(cryptography.sha256(member.rawText), at: index, &sums)
    }
    if let lent {
      Self.put(cryptography.sha256(lent.tool.utf8.span), at: 6, &sums)
      Self.put(cryptography.sha256(parameters.rawText), at: 7, &sums)
    }
    let sum = cryptography.sha256(sums.span)
    subject.digest.set(sum.span)
  }

  private mutating func addCameraDigest(_ parameters: borrowing JSONView, _ cryptography: any Cryptography) {
    var sums = InlineArray<256, UInt8>(repeating: 0)
    for index in 0..<2 {
      guard let member = parameters.member(Self.cameras[index]) else { continue }
      Self.put(cryptography.sha256(member.rawText), at: index, &sums)
    }
    let sum = cryptography.sha256(sums.span)
    subject.digest.set(sum.span)
  }

  /// A grant that answers the question about this, for one of its permissions: for what was asked, and no more.
  func limited(_ grant: Grant, to permission: Permission) -> Grant {
    var grant = grant
    let isOfCamera = permission == .camera || permission == .frontCamera
    if permission.isOfWords || isOfCamera && kinds.contains(.namedCamera) { grant.digest = subject.digest }
    if !permission.isOfWords { grant.kinds = kinds }
    return grant
  }

  private static func put(_ sum: InlineArray<32, UInt8>, at place: Int, _ sums: inout InlineArray<256, UInt8>) {
    for index in 0..<32 { sums[32 * place + index] = sum[index] }
  }
}
