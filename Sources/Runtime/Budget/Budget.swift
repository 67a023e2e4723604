// Runtime: what every other module stands on: the loop and its timers, workers, fixed buffers, the log, records on
// flash, child processes, and system calls, the only access to the kernel (`Syscall`, `CLinux`). It must not know a
// protocol, a device or a capability; only their limits are here, because all memory is counted in one place.

/// Every limit, in one table: what it limits, its unit, what it costs and why. `Budget+NAME.swift` continues it.
///
/// Memory named here is taken at start. Large buffers are reserved address space: a page of them costs memory only from
/// the first time it is touched (`ReservedBuffer`).
public enum Budget {

  // MARK: Event loop

  /// Descriptors that the loop can watch at once: link, DNS (up to 8), multicast DNS (2 a query), network and device
  /// events, signals, wake-up, serial port, display and console (5), input devices (12), two fetches and live reload
  /// with DNS of their own (30), connection attempts that overlap (10 lanes, 8 addresses), microphone, speaker, phrase
  /// detector and sound card events (4), the board's recognizer (2), the process that learns a phrase (2), one for each
  /// hand, one for each MCP server, or as many as it has connections, and spare ones. 32 bytes each.
  public static let loopDescriptors = 180 + hands + mcpServers * mcpLanes
  /// Events taken from one `epoll_wait`: the size of the array inside the system call shim.
  public static let loopEventsPerWait = 64
  /// Timers in the queue: among them five for each connection, three for each attempt that overlaps with others (30),
  /// one each for a simulated microphone, a simulated speaker and sound card events, and four each for the board's
  /// recognizer and the process that learns phrases, and five for each connection to an MCP server. 32 bytes each.
  public static let loopTimers = 96 + 5 * mcpServers * mcpLanes

  // MARK: Workers

  /// Worker threads: one may wait for a camera while the other runs fsync or reads sysfs.
  public static let workerThreads = 2
  /// Jobs queued for workers, and results queued for the loop. 8 bytes each. Each job object is queued at most once, so
  /// this limits the number of kinds of job.
  public static let workerQueue = 16
  /// Stack of a worker in bytes: libjpeg and V4L2 need less than 64 KiB, and so do values of a push that are nested as
  /// deep as they may be, but for a debug build, in which they need several times as much. Touched pages count only.
  public static let workerStackBytes = 512 * 1024

  // MARK: Log

  /// Lines kept in memory for `status` and later commands. 256 bytes each: 64 KiB.
  public static let logLines = 256
  /// Bytes of one line; a longer one is cut and ends in "...".
  public static let logLineBytes = 256
  /// Bytes of words of others in a sentence, unless it says otherwise: two lines of a small screen.
  public static let quotedBytes = 160
  /// Secrets that the log hides: configured token and password, old and new device tokens, a setup code's token,
  /// private seed, header fields of the owner's own.
  public static let logSecrets = 24
  /// Longest secret that is hidden whole; longer ones are hidden by this prefix. Bytes.
  public static let logSecretBytes = 256

  // MARK: Files

  /// The record that this board had a camera, in bytes.
  public static let cameraRecordBytes = 1
  /// Largest record in the store, in bytes: identity, gateways, outbox.
  public static let storeRecordBytes = 32 * 1024
  /// Longest path that the store builds, in bytes, as `PATH_MAX`.
  public static let pathBytes = 4096
  /// Largest configuration file read, in bytes. The commented example has under 8 KiB.
  public static let configurationBytes = 64 * 1024

  // MARK: Gateway link

  /// Range in milliseconds to which every wait, period or timeout from a peer is clamped (`PeerTime`). At most an hour,
  /// the longest pause of Talon's own, after which it checks the peer again; and far from where instants overflow.
  public static let peerMilliseconds: ClosedRange<Int64> = 0...3_600_000
  /// Inbound message held in memory, in bytes: `hello-ok` (up to 64 KiB since August 2026, newer-gateways 9), and the
  /// parameters of commands. Larger messages are drained. Reserved, and given back after use.
  public static let inboundMessageBytes = 512 * 1024
  /// Bytes read from the link at once: one TLS record.
  public static let linkReadBytes = 16 * 1024
  /// Bytes produced, masked and handed to TLS at once: one TLS record.
  public static let linkWriteBytes = 16 * 1024
  /// Largest HTTP response to the upgrade request, with its headers, in bytes.
  public static let upgradeAnswerBytes = 8 * 1024
  /// Bytes of the longest frame of an invoke that the loop reads by itself. A worker opens a longer one: a page for the
  /// screen may have megabytes, and each pass over one is some milliseconds here, thirty times that on a Pi Zero.
  public static let openedAtOnce = 32 * 1024
  /// Nesting of JSON from the gateway (reference 2.4: 64 is ample). Costs one bit a level.
  public static let jsonDepth = 64
  /// Messages queued for the link: an answer for each invoke that runs or waits, and some of the board's own. When it
  /// is full, reading stops until one is sent.
  public static let outboundMessages = 24
  /// Bytes of one outbound message beside its blob: a `connect` with every command, a camera list, or a button's action
  /// (20,000 characters, escaped twice). Reserved.
  public static let outboundMessageBytes = 64 * 1024
  /// Least value of the gateway's `policy.maxPayload` that is believed, in bytes: about the size of `connect`, and room
  /// for any error.
  public static let peerMessageMinimumBytes = 4 * 1024
  /// Events that arrive before `hello-ok` and wait for it (reference 1.6 suggests 32).
  public static let earlyEvents = 32
  /// Bytes for those events together. Reserved.
  public static let earlyEventBytes = 64 * 1024
  /// The record of a gateway in bytes: five secrets of 4 KiB, eight addresses, pins.
  public static let gatewayRecordBytes = 24 * 1024
  /// Members of it that only a newer release knows, in bytes: a dozen of them. What is more is forgotten.
  public static let unknownMemberBytes = 1024
  /// First and longest pause in milliseconds before a failed write of a record is tried again; it doubles in between.
  /// On a disk that stays full that is six times an hour.
  public static let recordRetryMilliseconds: ClosedRange<Int64> = 1_000...600_000
  /// A reason for which records could not be written is told again when none was seen for so many milliseconds: twice
  /// the longest pause of any keeper (`FixKeeper`: a quarter of an hour), so that a disk which stays full is told once.
  public static let recordQuietMilliseconds: Int64 = 1_800_000
  /// When the program ends, what flash does not take is tried again this often, and for so long at most: less than what
  /// the service manager gives (`TimeoutStopSec` 30 s) and what a watchdog of images gives (20 s).
  public static let flushRetryMilliseconds: Int64 = 500
  public static let flushMilliseconds: Int64 = 3_000
  /// Addresses of one gateway beside the configured one (reference 5.4: a setup code has up to 8).
  public static let gatewayURLs = 8
  /// Connection attempts that overlap: each address of a gateway, one that was found, and the one in use. 16 KiB each,
  /// freed after a second.
  public static let connectionLanes = 10
  /// Fingerprints in [gateway] pin: what a gateway shows now, what it will show, and those of fronts that take turns.
  public static let gatewayPins = 4
  /// A setup code in bytes: base64 of a secret of 4 KiB and eight addresses.
  public static let setupCodeBytes = 16 * 1024
  /// Text of a gateway's address in bytes: scheme, a host of 253, port and a context path.
  public static let urlBytes = 512
  /// The `connect` request in bytes: what gateways take before `hello-ok` (reference 1.3).
  public static let connectBytes = 65_536
  /// Requests to the gateway that wait for a response (reference 13: at most 64). 40 bytes each.
  public static let requests = 16
  /// Inbound message of the operator connection held in memory, in bytes: a chat history, a spoken sentence as
  /// base64. Reserved, and given back after each message.
  public static let operatorMessageBytes = 4 * 1024 * 1024
  /// A device token (reference 5.5: at most 4 KiB). Bytes.
  public static let tokenBytes = 4096
  /// A challenge nonce in bytes; a UUID today.
  public static let nonceBytes = 256
  /// Certificates that a gateway shows, together, in bytes: three with RSA-4096 have 5 KiB, three with ML-DSA-87 22
  /// KiB. OpenSSL holds them during the handshake.
  public static let certificateChainBytes: UInt32 = 32 * 1024
  /// Addresses tried for one host name.
  public static let hostAddresses = 8

  // MARK: Commands

  /// Invokes that run at once (reference 9.2 suggests 4 on a board; most only wait, so 12).
  public static let runningInvokes = 12
  /// Longest invoke id kept while its command runs, in bytes; a UUID has 36. A longer one is
  /// answered at once with an error.
  public static let invokeIdBytes = 128
  /// Invokes that wait for room for their command, and bytes of the payload of each: an agent asks for some pictures at
  /// once, of every side or page, and each waits its turn within its own deadline. Reserved, and given back.
  public static let waitingInvokes = 8
  public static let waitingInvokeBytes = 4 * 1024
  /// `camera.snap` at once: one is taken, the others wait for the camera. All limits of commands that wait for hardware
  /// add up to less than `runningInvokes`, so that a quick command finds room. (Those for files come on top: a disk
  /// answers at once, unless it fails.)
  public static let snapInvokes = 3
  /// `camera.clip` at once: one is made, the other waits.
  public static let clipInvokes = 2
  /// `camera.ptz.status` at once, and `camera.ptz.control` at once.
  public static let axisInvokes = 1
  /// Bytes of a message reserved for the envelope of a photo or a clip (node-commands 1.4).
  public static let mediaEnvelopeBytes = 65_536
  /// The same for gateways with small messages: ids, sizes and quotes take about 300.
  public static let mediaEnvelopeMinimumBytes = 1_024
  /// `location.get` at once; each may wait for a fix.
  public static let locationInvokes = 4
  /// Bytes of one chunk of progress. The gateway takes 16 KiB (reference 9.4); escaped, this fits an outbound message.
  public static let progressBytes = 1024
  /// Answers remembered by idempotency key (reference 9.2, rule 4). 240 bytes each beside the text.
  public static let answersRemembered = 64
  /// Bytes of a remembered answer: the results of commands with side effects are a few fields. Reserved.
  public static let answerBytes = 512
  /// Parameters of one invoke after unescaping, in bytes. One buffer, used at once on arrival. Reserved, and given back
  /// after use.
  public static let invokeParameterBytes = 512 * 1024

  // MARK: Pending work

  /// Pending actions begun in one round: no more than can run.
  public static let pendingActions = 8
  /// Rounds of pulling and acknowledging after one connect: the gateway keeps 64 actions (reference 9.6), and
  /// some may find no room at first.
  public static let pendingRounds = 24

  // MARK: Outbox

  /// Events that wait for the gateway.
  public static let outboxEvents = 64
  /// Name and payload of one event in bytes. As JSON inside JSON it may double, and must fit an outbound message.
  public static let outboxEventBytes = 3584
  /// Names and payloads together, in bytes: the most that one write to flash has. Reserved.
  public static let outboxBytes = 32 * 1024
  /// The record on flash: the above, and 8 bytes for each event.
  public static let outboxRecordBytes = outboxBytes + 8 * outboxEvents
  /// Longest age limit of an event in milliseconds: a week.
  public static let outboxAge: Int64 = 7 * 86_400_000

  // MARK: Camera

  /// Cameras listed.
  public static let cameras = 8
  /// Encoded photo limit in bytes: 5 MiB of base64 (node-commands 5.1).
  public static let photoBytes = 3_932_160
  /// Largest photo that the configuration may allow, in bytes: what fits a message of 25 MiB as base64 (node-commands
  /// 1.4).
  public static let photoBytesMaximum = 19_611_648
  /// Encodings of one photo to reach the limit; the last is the smallest size at the lowest quality. One or two nearly
  /// always suffice.
  public static let photoEncodings = 6
  /// Sampled blocks from which a JPEG's size is predicted, of Y and of Cb and Cr each: the error is about 3 % for
  /// photos. 324 bytes each, while a photo is made.
  public static let sizeModelLumaBlocks = 3072
  public static let sizeModelChromaBlocks = 512
  /// Largest frame taken from a device, in bytes: 3840 x 2160 in YUYV. Kernel memory, mapped.
  public static let cameraFrameBytes = 3840 * 2160 * 2
  /// Buffers requested from the driver: one being filled, one ready, one in use.
  public static let cameraBuffers = 3
  /// Milliseconds without a frame after which a stream has stalled: sensors expose for one second at most, and USB
  /// cameras take up to two to begin.
  public static let cameraStall: Int64 = 5_000
  /// Milliseconds for which the program waits at its end for a camera to close; then the kernel closes it.
  public static let cameraStopMilliseconds: Int64 = 2_000
  /// Milliseconds for which a driver waits for a frame before it checks for cancellation.
  public static let cameraWait: Int64 = 50
  /// Controls of one camera that the configuration sets by name; a camera has about 20, most of them for tuning.
  public static let namedControls = 8
  /// Formats read of a camera; webcams have about 3, the kernel's test driver 90.
  public static let cameraFormats = 128
  /// Sizes read of a format; webcams have about 20.
  public static let cameraModes = 64
  /// Frame rates read of a format and size; webcams have about 6.
  public static let cameraRates = 16
  /// Controls of a camera that are searched for one by its name; webcams have about 20, the kernel's test driver 70.
  public static let cameraControls = 256
  /// Frames of at least this many bytes are captured with `photoBuffers` buffers, of which one is mapped at a time:
  /// mapped buffers count as Talon's memory.
  public static let largeFrameBytes = 1024 * 1024
  /// Buffers for a photo of large frames: one being filled, one in use.
  public static let photoBuffers = 2
  /// Milliseconds in which a camera that went away may come back by itself: a USB device whose driver resets it, or
  /// whose hub had too little power, is found again within two seconds.
  public static let cameraReturnMilliseconds: Int64 = 3_000
  /// Milliseconds without a frame after which a camera's input is checked for a signal.
  public static let cameraSignalMilliseconds: Int64 = 1_000
  /// Bytes of a camera's id or name. V4L2 cuts a name at 32; an id is a path below /dev.
  public static let cameraTextBytes = 64
  /// Longest side of a frame that is scaled, in pixels. 20 bytes each while a photo is made: 160 KiB.
  public static let cameraSidePixels = 8192
  /// Room for one encoding, in bytes: libjpeg-turbo asks for 3 bytes a pixel before it knows how few it
  /// needs, and a picture in `cameraFrameBytes` at 4:2:0 has 11 million. Reserved.
  public static let photoStorageBytes = 2 * cameraFrameBytes + 1024 * 1024

  /// Reads of an LED's state until it shows what was written: 95 ms in all, for an LED on a slow bus.
  public static let indicatorReads = 20

  /// Pixels of a frame in a vendor's format: 3840 x 2160.
  public static let converterPixels = 3840 * 2160
  /// Bytes for a pixel of such a frame. No code is longer than 2 bytes, and a decoder reads on to the last pixel of a
  /// truncated frame. Reserved.
  public static let converterBytesPerPixel = 4
  /// Padding after the frame and after the picture in bytes, for decoders that read ahead or write whole blocks.
  /// Reserved.
  public static let converterSlackBytes = 64 * 1024

  // MARK: Clip

  /// A whole clip in bytes: what fits a message of 25 MiB as base64, less 64 KiB of envelope (node-commands 1.4).
  /// Reserved, and given back when the clip was sent.
  public static let clipBytes = 19_611_648
  /// Length of a clip in milliseconds (node-commands 4.2).
  public static let clipMilliseconds: ClosedRange<Int64> = 250...60_000
  /// Longer and shorter edge of a clip's picture in pixels, in either orientation: the most of H.264 level 3.1 at 30
  /// pictures a second, which every player supports and a board can encode in real time. 1.4 MB each.
  public static let clipLongEdge = 1280, clipShortEdge = 720
  /// Consecutive frames whose timestamp does not increase, after which a camera has failed: two seconds of a usual
  /// camera. A single one is skipped.
  public static let clipFramesOutOfOrder = 60
  /// Pictures of a clip: a minute at 60 a second. 12 bytes each.
  public static let clipSamples = 3_600
  /// Longest pause between two pictures in microseconds. A camera that stalls for longer has failed. With `clipSamples`
  /// it keeps a clip's time within the 32 bits that an MP4 file has for it.
  public static let clipGapMicroseconds: Int64 = 5_000_000
  /// Buffers requested from a hardware encoder, for raw pictures and for coded ones: one in work, one queued, one in
  /// use, and one more for coded pictures. Kernel memory: 7 MB at 1280 x 720.
  public static let encoderRawBuffers = 3, encoderCodedBuffers = 4
  /// One parameter set of an H.264 stream in bytes: encoders use 8 to 40, scaling lists add 100.
  public static let clipParameterSetBytes = 256
  /// Picture parameter sets of a clip; encoders use one or two.
  public static let clipPictureSets = 4
  /// Everything before the pictures of the longest clip, in bytes: fixed boxes, parameter sets, and a row in each table
  /// for every picture.
  public static let clipHeaderBytes = 2048 + (clipPictureSets + 1) * (clipParameterSetBytes + 2) + 16 * clipSamples
  /// Bytes of 20 ms of a clip's sound: 32,000 bits a second, at which Opus is transparent for speech at 16 kHz.
  public static let clipPacketBytes = 80
  /// Packets of a clip: a minute, and half a second more. They are written after the pictures, and kept in memory until
  /// then: 242,000 bytes.
  public static let clipPackets = 3_025
  /// Samples that a clip takes from the microphone at a time: a tenth of a second.
  public static let clipHeardSamples = 1_600

  // MARK: Discovery

  /// Gateways of one search (reference 7.3). 1.3 KiB each, while a search runs.
  public static let discoveryInstances = 64
  /// Largest packet taken, in bytes (reference 7.3); multicast DNS allows 9000.
  public static let discoveryPacketBytes = 8 * 1024
  /// Largest TXT record read, in bytes (reference 7.3, RFC 6763 section 6.2).
  public static let discoveryTextBytes = 1300
  /// Bytes of one query: fits a link of any kind unfragmented, as IPv6 asks for (1280 less headers).
  public static let discoveryQueryBytes = 1200
  /// Interfaces that a query is sent on; a board has two or three, and one for each container.
  public static let discoveryInterfaces = 16
  /// Questions and records of one packet: an answer repeats at most what it was asked, and a packet of gateways has
  /// five records for each, of some 250 bytes. What has more is made to be read for long.
  public static let discoveryPacketQuestions = 16
  public static let discoveryPacketRecords = 256
  /// Questions of one search: for each instance its service, text and two addresses, three times. Without a bound,
  /// whoever changes its answers would make the board ask without end, on each of its interfaces.
  public static let discoveryQuestions = 3 + discoveryInstances * 12
  /// Packets and bytes taken from one socket before the loop gets its turn.
  public static let discoveryPacketsPerTurn = 16
  public static let discoveryBytesPerTurn = 8 * 1024
  /// Queries to name servers at once.
  public static let wideAreaQuestions = 8
  /// Bytes of a gateway's display name: a DNS label and its length.
  public static let gatewayNameBytes = 64

  // MARK: Network changes

  /// Bytes of one datagram from the kernel; it sends at most half of that unless it was given more room.
  public static let netlinkBytes = 16 * 1024
  /// Links, addresses and default routes that are remembered. 32 bytes each. One that finds no room counts as a change
  /// each time.
  public static let networkFacts = 64
  /// Milliseconds for which changes are collected into one: an interface that comes up causes a dozen.
  public static let networkSettleMilliseconds: Int64 = 1_000

  // MARK: Hot plug

  /// Bytes of one message of the kernel about a device: 2 KiB of fields (`UEVENT_BUFFER_SIZE`), and a path in sysfs.
  public static let ueventBytes = 8 * 1024
  /// Bytes for events of a watched folder: 14 of the longest names (`NAME_MAX`), each with its 16 bytes of header.
  public static let fileEventBytes = 4 * 1024
  /// Milliseconds for which changes of a file are collected into one: an editor writes it, then its modes.
  public static let fileSettleMilliseconds: Int64 = 500
  /// Milliseconds for which changes are collected into one: a camera appears with several nodes, and udev then gives
  /// each of them its group.
  public static let ueventSettleMilliseconds: Int64 = 1_000

  // MARK: Console

  /// Clients of the agent's control socket at once: the serial console and its log view, a person in a shell, two other
  /// programs, and one spare. One more is refused.
  public static let controlClients = 6
  /// One line from such a client, in bytes: larger than any message to the gateway that is made of it. 16 KiB each.
  public static let controlLineBytes = 16 * 1024
  /// Bytes of unread answers to such a client: the largest response of the gateway, and its envelope. A client that
  /// leaves more unread is disconnected. Reserved, and given back when read.
  public static let controlOutputBytes = operatorMessageBytes + 64 * 1024
  /// Calls of all those clients that wait for an answer: as many as requests to the gateway.
  public static let controlCalls = requests
  /// Replies of the gateway's agent that are followed at once: one for each client, those on the screen, and one that a
  /// conversation waits for.
  public static let chatRuns = controlClients + chatFollowed + 1
  /// Requests at the gateway that wait for a person and are shown at the board; a gateway has one at a time as a rule.
  /// 900 bytes each. And the longest time in milliseconds that one is believed to wait.
  public static let approvals = 8
  public static let approvalMilliseconds: Int64 = 24 * 3_600_000
  /// Messages after a tool call in which its result is looked for: an agent calls some tools at once.
  public static let chatStepSearch = 12
  /// A photo that a person's message takes along: its width in pixels, and its bytes (gateways take 5 MB as base64).
  public static let chatPhotoWidth = 1280
  public static let chatPhotoBytes = 1024 * 1024
  /// Tools and thoughts of agents whose end is awaited, of all replies that are followed. 800 bytes each; one more
  /// makes the oldest forgotten.
  public static let chatSteps = 8
  /// The text of one chat event in bytes; a longer one is cut and marked. An agent's long replies have 20 KiB.
  /// Reserved.
  public static let chatTextBytes = 256 * 1024
  /// One message of a person to the agent, in bytes: it has to fit `outboundMessageBytes` with room for escapes.
  public static let chatMessageBytes = 6 * 1024
  /// A session's key (gateway reference 9.9: 512 characters), in bytes.
  public static let sessionKeyBytes = 512
  /// Phrases that wake the agent, and UTF-16 units of each (gateway reference 9.11).
  public static let wakePhrases = 32
  public static let wakePhraseUnits = 64
}
