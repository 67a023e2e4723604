/// What is bounded about fetching (pictures and pages: canvas reference 1.14).
extension Budget {
  /// Bytes of an address: the longest that servers take is 8 KiB, and those that people see have a few hundred.
  public static let fetchURLBytes = 2048
  /// Bytes of one line of an answer's header that are looked at; what is longer is cut, and none of the fields that count
  /// is. A content security policy may have more.
  public static let fetchLineBytes = 4096
  /// Bytes of all that an answer says beside its content: header, sizes of chunks, trailer.
  public static let fetchHeaderBytes = 64 * 1024
  /// Bytes that are fetched at most (canvas reference 1.14). Reserved twice: for what documents show, and for what is
  /// navigated to; given back after each.
  public static let fetchBodyBytes = 8 * 1024 * 1024
  /// Bytes that a `data:` address makes at most (canvas reference 1.14), and its characters: in base64, or each byte as
  /// `%xx`, with some room for its type.
  public static let dataURLBytes = 2 * 1024 * 1024
  public static let dataURLCharacters = 3 * dataURLBytes + 1024
  /// How often an answer may lead elsewhere.
  public static let fetchRedirects = 5
  /// Milliseconds for all of a fetch, and for the server to say something: less than an invoke has (30 s).
  public static let fetchMilliseconds: Int64 = 20_000
  public static let fetchIdleMilliseconds: Int64 = 6_000
  /// Milliseconds before an invoke's end at which its fetch is given up, so that the answer says why.
  public static let fetchMargin: Int64 = 1_000
  /// Hosts and networks that a configuration allows.
  public static let fetchAllowed = 16
  /// Milliseconds that a new address of the gateway's canvas host may take.
  public static let canvasRefreshMilliseconds: Int64 = 5_000
  /// Addresses of pictures that are remembered: twice as many as there are pictures, for some cannot be had. 64 bytes each.
  public static let pictureAddresses = 2 * pictures
  /// Milliseconds after which a picture that could not be had is tried again, the first time and at most.
  public static let pictureRetryMilliseconds: ClosedRange<Int64> = 30_000...1_800_000

  // MARK: Pages that follow what the gateway hosts

  /// Milliseconds for a connection to the canvas host's news to stand.
  public static let reloadOpenMilliseconds: Int64 = 15_000
  /// Milliseconds from the news of a change to the fetch: who saves several files makes several changes.
  public static let reloadDelayMilliseconds: Int64 = 200
  /// Milliseconds from one fetch to the next at least, however often something changes.
  public static let reloadSpacingMilliseconds: Int64 = 1_000
}
