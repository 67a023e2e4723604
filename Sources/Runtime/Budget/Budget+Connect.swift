/// Limits of connecting for the first time, and of what stands between a board and its gateway (newer-gateways 4.2 and
/// 4.4).
extension Budget {
  /// Timeout in milliseconds for a join request, name and TLS included: as the gateway's own clients have it.
  public static let joinMilliseconds: Int64 = 15_000
  /// Body of a join request's answer in bytes: what the gateway's own clients take.
  public static let joinBodyBytes = 24 * 1024
  /// The request itself in bytes: a URL, and the header fields of an edge.
  public static let joinRequestBytes = 8 * 1024
  /// The record of join URLs in bytes: one payload, one URL, and which URLs were asked for.
  public static let joinRecordBytes = joinBodyBytes + 2 * 1024
  /// Join URLs that are remembered as asked for. A gateway takes one for ten minutes, so more than a person tries in
  /// that time.
  public static let joinURLs = 8
  /// A file that holds a setup code or a join URL, in bytes: what the gateway's own clients take.
  public static let connectFileBytes = 64 * 1024
  /// Words of the command line of another node's service.
  public static let serviceWords = 64
  /// Each of both values of a Cloudflare Access service token in bytes; today's have 39 and 64.
  public static let accessBytes = 512
  /// Header fields of the owner's own in [gateway] headers_file: forward authentication wants one to four.
  public static let ownHeaders = 8
  /// The file of them in bytes: a signed token has 1 to 2 KiB.
  public static let ownHeaderBytes = 4 * 1024
  /// User and password of a proxy together in bytes; their base64 must fit one line of a header.
  public static let proxyCredentialBytes = 1024
  /// Header of a proxy's answer in bytes.
  public static let proxyAnswerBytes = 8 * 1024
  /// Seconds for which `talon connect` looks for gateways before it asks its first question: as `talon discover`.
  public static let connectSearchSeconds: Int64 = 5
  /// Gateways that it lists: each is chosen by one digit, and the list leaves room for the question on 24 rows.
  public static let connectGateways = 9
  /// Wrong answers to one question, after which the option is named that answers it: who types the third has not
  /// understood the question, or is a program.
  public static let connectWrongAnswers = 3
  /// Milliseconds between two looks at the agent while `talon connect` waits: as the console.
  public static let connectLookMilliseconds: Int64 = 2_000
  /// Looks in a row with the same outcome until it counts as the last one: an agent that was told to connect again is
  /// away for a moment, and asks for the approval of its commands some seconds after it is online.
  public static let connectSettledLooks = 4
  /// Milliseconds for which `talon connect` waits for the approval: as long as a join URL counts.
  public static let connectWaitMilliseconds: Int64 = 600_000
}
