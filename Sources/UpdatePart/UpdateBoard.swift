import Fetch
import Gateway
import Node
import Runtime
import Updates

/// What an update has to know of the rest of the agent.
public protocol UpdateHost: AnyObject {
  /// A call or a conversation is under way, which a restart would cut.
  var isBusy: Bool { get }
  /// A connection to the gateway was made since the start, whatever the gateway said on it.
  var hasReachedGateway: Bool { get }
  /// What the connection to the gateway is like, in one sentence.
  var gatewaySentence: Explanation { get }
  /// Begins the self-test, which ends with `UpdatePart.boardTested`; false when one is under way.
  func testBoard(for part: UpdatePart) -> Bool
}

/// What updates need of the board.
public struct UpdateBoard {
  public var files: any UpdateFiles
  /// The path at which a bundle stands while it is installed.
  public var bundlePath: String
  /// Two connections: for messages, and for bundles.
  public var messages: any FetchTransport
  public var bundles: any FetchTransport
  public var verifier: any SignatureVerifier
  /// The store of the record. It must not be shared, because a worker writes there.
  public var store: any RecordStore
  /// The board's serial number; empty when it has none.
  public var serial: String
  /// Minutes that local time is ahead of UTC at an instant in milliseconds since 1970.
  public var localOffset: (Int64) -> Int64

  /// What the board has; see the properties.
  public init(
    files: any UpdateFiles, bundlePath: String, messages: any FetchTransport, bundles: any FetchTransport,
    verifier: any SignatureVerifier, store: any RecordStore, serial: String,
    localOffset: @escaping (Int64) -> Int64
  ) {
    self.files = files
    self.bundlePath = bundlePath
    self.messages = messages
    self.bundles = bundles
    self.verifier = verifier
    self.store = store
    self.serial = serial
    self.localOffset = localOffset
  }
}

/// What the part works with.
public struct UpdateSurroundings {
  let board: UpdateBoard
  let router: Router
  let runner: any JobRunner
  let clock: any Clock
  let random: any RandomSource
  let log: Log

  /// The board, and what all parts share.
  public init(
    _ board: UpdateBoard, router: Router, runner: any JobRunner, clock: any Clock, random: any RandomSource, log: Log
  ) {
    (self.board, self.router, self.runner) = (board, router, runner)
    (self.clock, self.random, self.log) = (clock, random, log)
  }
}
