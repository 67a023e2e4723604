/// What `talon-gateway run` was asked for.
struct GatewayOptions: Sendable {
  var generation = Generation.newest
  var authMode: AuthMode
  var policy = CommandPolicy()
  var surfaceApproval = SurfaceApproval.auto
  var tickIntervalMilliseconds: Int64 = 30_000
  /// Connects during this time after the start are turned away.
  var startingMilliseconds: Int64 = 0
  /// Wrong credentials from this machine count too.
  var limitsLoopback = false
  /// Whether `talk.speak` has a voice.
  var speaks = true
  /// Between two pieces of the simulated agent's reply.
  var replyDelayMilliseconds: Int64 = 30
  var trace = FrameTrace(isOn: false)
}

/// Where clients find the gateway, for setup codes and canvas URLs.
struct GatewayAddress {
  var url: String
  /// Of the certificate; nil without TLS.
  var fingerprint: String?
}
