/// What `talon-gateway run` was asked for.
struct GatewayOptions: Sendable {
  var generation = Generation.newest
  var authMode: AuthMode
  var policy = CommandPolicy()
  /// What the policy is read with again.
  var policyOptions = PolicyOptions()
  var surfaceApproval = SurfaceApproval.auto
  /// New nodes from these addresses need no approval as devices (`gateway.nodes.pairing.autoApproveCidrs`).
  var trustedRanges: [AddressRange] = []
  var tickIntervalMilliseconds: Int64 = 30_000
  /// Connects during this time after the start are turned away.
  var startingMilliseconds: Int64 = 0
  /// Wrong credentials from this machine count too.
  var limitsLoopback = false
  /// Whether `talk.speak` has a voice from the start.
  var speaks = true
  /// What `tts.speak` gives.
  var clips = SpokenClip.Form.none
  var talk = TalkOptions()
  /// Between two pieces of the simulated agent's reply.
  var replyDelayMilliseconds: Int64 = 30
  /// The program that answers chats; nil: the simulated agent repeats what it hears.
  var agentProgram: String?
  /// What the canvas host serves; nil: nothing. And how long an address of it counts.
  var canvasFolder: String?
  var canvasMilliseconds: Int64 = 600_000
  var trace = FrameTrace(isOn: false)
}

/// Where clients find the gateway, for setup codes and canvas URLs.
struct GatewayAddress {
  var url: String
  /// Of the certificate; nil without TLS.
  var fingerprint: String?
}
