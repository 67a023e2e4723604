/// What one generation does and another does not. Section numbers are those of the protocol reference.
extension Generation {
  /// Also accepted from a node in mode `node`, and from a probe (3.4).
  var legacyNodeProtocol: Int64? { era >= .july ? 3 : nil }

  /// What a proof may have been signed over, in the order of trying (4.3).
  var proofVersions: [ProofVersion] { era == .old ? [.two] : [.three, .two] }

  /// Connect errors carry `details` (14.1); before that there is the message, and a pairing's request id.
  var hasConnectErrorDetails: Bool { era >= .early }

  /// A protocol mismatch names the client's range too (3.4).
  var explainsProtocolMismatch: Bool { era >= .may }

  /// `retryable` and `retryAfterMs` go with a lockout (example E25).
  var namesLockoutTime: Bool { era >= .may }

  /// A token that is valid but too narrow has a code of its own (5.6).
  var knowsScopeMismatch: Bool { era >= .june }

  /// A waiting pairing request lives on with every retry instead of ending five minutes after it began (5.3).
  var keepsRetriedRequests: Bool { era >= .july }

  /// Device tokens are issued in `hello-ok`.
  var issuesDeviceTokens: Bool { era >= .early }

  /// Setup codes and bootstrap tokens exist (5.4).
  var hasSetupCodes: Bool { era >= .april }

  /// A ping that is not answered within one interval ends the connection (1.4).
  var enforcesPongs: Bool { era >= .july }

  /// One event counter per connection instead of one for the whole gateway (2.3).
  var numbersEventsPerConnection: Bool { era >= .may }

  /// `chat` goes to everybody, nodes included (9.13).
  var sendsChatToEveryone: Bool { era < .may }

  /// `presence` goes to everybody (9.13).
  var sendsPresenceToEveryone: Bool { era < .july }

  /// Voice-wake routing exists (9.11).
  var hasVoiceWakeRouting: Bool { era >= .may }

  /// `node.presence.alive` is recorded and answered (10); before that it is an unknown event.
  var recordsPresence: Bool { era >= .may }

  /// `node.host.stats` and `node.presence.activity` are recorded (9.5).
  var recordsHostStats: Bool { era >= .july }

  /// `exec.*` must belong to a command that this connection was asked to run (9.5).
  var matchesExecEvents: Bool { era >= .june }

  /// Callers that give up, and deadlines, are told to the node (9.4).
  var cancelsInvokes: Bool { era >= .july }

  /// A node that answers `NODE_NOT_READY` is called again, four times at most (newer-gateways 12).
  var callsUnreadyNodesAgain: Bool { era >= .july }

  /// `device.signedAt` has to be the `ts` of the challenge (newer-gateways 12); before that, a time that is near.
  var signsChallengeTime: Bool { era >= .autumn }

  /// `timeoutMs` goes with every invoke, not only where the caller named one (9.2).
  var alwaysSendsInvokeTimeout: Bool { era >= .july }

  /// A transcription that its client closed stays for what the provider has still to say; before that, its end was told
  /// at once.
  var drainsTranscriptions: Bool { era >= .july }

  /// Missing operator scopes are FORBIDDEN with details (2.2).
  var forbidsMissingScopes: Bool { era >= .july }

  /// Without the scope `operator.admin`, an unknown method gives the error of the missing scope (2.2).
  var authorizesUnknownMethods: Bool { era < .june }

  /// Connects during start-up get `UNAVAILABLE` and close 1013 (3.8); before that HTTP 503 (1.2).
  var answersWhileStarting: Bool { era >= .june }

  /// A surface that is not approved yet can be used (5.8).
  var unapprovedSurfaceIsLive: Bool { era < .june }

  /// The surface is compared with an approved one at all (5.8).
  var reviewsSurfaces: Bool { era >= .april }

  /// Also fewer caps or permissions need a new approval (3.7).
  var reviewsNarrowerSurfaces: Bool { era == .june }

  /// Requests for the approval of a surface wait until somebody decides (newer-gateways 4.1).
  var keepsSurfaceRequests: Bool { era >= .september }

  /// A changed list of commands counts at once, for those that were approved, and ends what runs (newer-gateways 3).
  var refreshesPolicy: Bool { era >= .september }

  /// Caps go with the commands that the policy withholds (newer-gateways 3).
  var withholdsCaps: Bool { era >= .september }

  /// Node rows show host stats and tools, and readers are told of stats (newer-gateways 1.5).
  var showsHostStats: Bool { era >= .september }

  /// A description that is too long ends in `...` instead of where it is cut (newer-gateways 1.1).
  var marksCutDescriptions: Bool { era >= .september }

  /// `hello-ok` has what control pages and attachments need (newer-gateways 4.5).
  var hasLongHello: Bool { era >= .september }

  /// `node.command.features` is taken (newer-gateways 1.5).
  var takesCommandFeatures: Bool { era >= .next }

  /// A node hears that its surface was approved (newer-gateways 12).
  var tellsNodesOfApprovals: Bool { era >= .autumn }

  /// What `hello-ok` calls the canvas.
  var hasPluginSurfaces: Bool { era >= .june }
}

/// The layouts of table 4.2 that any gateway still takes from afar.
enum ProofVersion: String, Sendable {
  case two = "v2"
  case three = "v3"
}
