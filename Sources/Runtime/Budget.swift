/// Every number that bounds something, in one table: what it limits, its unit, what it costs and why.
///
/// Memory named here is taken at start. Large buffers are reserved address space: a page of them
/// costs memory only from the first time it is touched (`ReservedBuffer`).
public enum Budget {

  // MARK: Event loop

  /// Descriptors that the loop can watch at once: link, DNS (up to 8), multicast DNS (2 a question), news of the
  /// network and of devices, signals, wake-up, serial port, display and console (5), input devices (12), two fetches and
  /// the news of what the gateway hosts with their own DNS (30), a microphone, a speaker, the ear for phrases and news of cards (4),
  /// the board's recogniser (2), who learns a phrase (2), and room for more.
  /// 32 bytes each.
  public static let loopDescriptors = 100
  /// Events taken from one `epoll_wait`: the size of the array inside the system call shim.
  public static let loopEventsPerWait = 64
  /// Timers in the queue, five of each connection, and one each of a simulated microphone and speaker and of news of cards among them, and
  /// four each of the board's recogniser and of who learns phrases. 32 bytes each.
  public static let loopTimers = 66

  // MARK: Workers

  /// Worker threads: one may sit in a camera while the other fsyncs or reads sysfs.
  public static let workerThreads = 2
  /// Jobs waiting for a worker, and results waiting for the loop. 8 bytes each. Each job object is
  /// queued at most once, so this is a bound on the number of kinds of job.
  public static let workerQueue = 16
  /// Stack of a worker in bytes: libjpeg and V4L2 need less than 64 KiB; touched pages count only.
  public static let workerStackBytes = 256 * 1024

  // MARK: Log

  /// Lines kept in memory for `status` and later commands. 256 bytes each: 64 KiB.
  public static let logLines = 256
  /// Bytes of one line; a longer one is cut and ends in "...".
  public static let logLineBytes = 256
  /// Secrets that the log hides: configured token and password, device tokens old
  /// and new, what a setup code brought, private seed.
  public static let logSecrets = 16
  /// Longest secret that is hidden whole; longer ones are hidden by this prefix. Bytes.
  public static let logSecretBytes = 256

  // MARK: Files

  /// Largest record in the store, in bytes: identity, gateways, outbox.
  public static let storeRecordBytes = 32 * 1024
  /// Longest path that the store builds, in bytes, as `PATH_MAX`.
  public static let pathBytes = 4096
  /// Largest configuration file read, in bytes. The commented example has under 8 KiB.
  public static let configurationBytes = 64 * 1024

  // MARK: Gateway link

  /// Milliseconds of a wait, a period or a time limit that a peer names, whatever it says (`PeerTime`). At most an hour: the longest
  /// pause that Talon takes by itself, after which it looks again whether the peer is well; and far from where instants overflow.
  public static let peerMilliseconds: ClosedRange<Int64> = 0...3_600_000
  /// Inbound message held in memory, in bytes: `hello-ok` (tens of KiB), and the parameters of commands. Larger messages are drained.
  /// Reserved, and given back after use.
  public static let inboundMessageBytes = 512 * 1024
  /// Bytes read from the link at once: one TLS record.
  public static let linkReadBytes = 16 * 1024
  /// Bytes produced, masked and handed to TLS at once: one TLS record.
  public static let linkWriteBytes = 16 * 1024
  /// Largest HTTP answer to the upgrade, headers and all, in bytes.
  public static let upgradeAnswerBytes = 8 * 1024
  /// Nesting of JSON from the gateway (reference 2.4: 64 is ample). Costs one bit a level.
  public static let jsonDepth = 64
  /// Messages waiting for the link. When all are taken, reading stops until one is sent.
  public static let outboundMessages = 16
  /// Bytes of one outbound message beside its blob: a `connect` with every command, a camera list, or what a button tells the
  /// agent (20,000 characters, escaped twice). Reserved.
  public static let outboundMessageBytes = 64 * 1024
  /// Bytes of one message that a gateway takes, whatever less it says (`policy.maxPayload`): about what `connect` had, and room for any error.
  public static let peerMessageLeastBytes = 4 * 1024
  /// Events that arrive before `hello-ok` and wait for it (reference 1.6 suggests 32).
  public static let earlyEvents = 32
  /// Bytes for those events together. Reserved.
  public static let earlyEventBytes = 64 * 1024
  /// The record of a gateway in bytes: five secrets of 4 KiB, eight addresses, pins.
  public static let gatewayRecordBytes = 24 * 1024
  /// First and longest pause in milliseconds before a record that could not be written is tried again; it doubles in
  /// between. A disk that stays full is asked six times an hour.
  public static let recordRetryMilliseconds: ClosedRange<Int64> = 1_000...600_000
  /// Addresses of one gateway beside the configured one (reference 5.4: a setup code has up to 8).
  public static let gatewayURLs = 8
  /// A setup code in bytes: base64 of a secret of 4 KiB and eight addresses.
  public static let setupCodeBytes = 16 * 1024
  /// Text of a gateway's address in bytes: scheme, a host of 253, port and a context path.
  public static let urlBytes = 512
  /// The `connect` request in bytes: what gateways take before `hello-ok` (reference 1.3).
  public static let connectBytes = 65_536
  /// Requests of ours that wait for their answers (reference 13: at most 64). 40 bytes each.
  public static let requests = 16
  /// Inbound message of the operator connection held in memory, in bytes: a chat history, a spoken sentence as
  /// base64. Reserved, and given back after each message.
  public static let operatorMessageBytes = 4 * 1024 * 1024
  /// A device token (reference 5.5: at most 4 KiB). Bytes.
  public static let tokenBytes = 4096
  /// A challenge nonce in bytes; a UUID today.
  public static let nonceBytes = 256
  /// Certificates that a gateway shows, together, in bytes: three with RSA-4096 have 5 KiB, three with ML-DSA-87
  /// 22 KiB. OpenSSL holds them while it shakes hands.
  public static let certificateChainBytes: UInt32 = 32 * 1024
  /// Addresses tried for one host name.
  public static let hostAddresses = 8

  // MARK: Commands

  /// Invokes that run at once (reference 9.2 suggests 4 on a board; most only wait, so 12).
  public static let runningInvokes = 12
  /// Longest invoke id kept while its command runs, in bytes; a UUID has 36. A longer one is
  /// answered at once with an error.
  public static let invokeIdBytes = 128
  /// `camera.snap` at once: one is taken, the others wait for the camera. All that wait for hardware are together
  /// fewer than `runningInvokes`, so that they never keep a reading out.
  public static let snapInvokes = 3
  /// `camera.clip` at once: one is made, the other waits.
  public static let clipInvokes = 2
  /// `camera.ptz.status` at once, and `camera.ptz.control`: one looks while the other moves.
  public static let axisInvokes = 1
  /// Bytes of a message kept for what stands around a photo or a clip (node-commands 1.4).
  public static let mediaEnvelopeBytes = 65_536
  /// The same where messages are so small that this would be much: ids, sizes and quotes take about 300.
  public static let mediaEnvelopeBytesLeast = 1_024
  /// `location.get` at once; each may wait for a fix.
  public static let locationInvokes = 4
  /// Bytes of one chunk of progress. The gateway takes 16 KiB (reference 9.4); escaped, this fits a message of ours.
  public static let progressBytes = 1024
  /// Answers remembered by idempotency key (reference 9.2, rule 4). 240 bytes each beside the text.
  public static let answersRemembered = 64
  /// Bytes of a remembered answer: the results of commands with side effects are a few fields. Reserved.
  public static let answerBytes = 512
  /// Parameters of one invoke after unescaping, in bytes. One buffer, used at once on arrival. Reserved, and given back after use.
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
  /// Name and payload of one event in bytes. As JSON inside JSON it may double, and must fit a message of ours.
  public static let outboxEventBytes = 3584
  /// Names and payloads together, in bytes: what the flash is asked to write at once. Reserved.
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
  /// Most that the configuration may allow a photo: what fits a message of 25 MiB as base64 (node-commands 1.4).
  public static let photoBytesMost = 19_611_648
  /// Encodings of one photo, after which the smallest size at the lowest quality decides. One or two do, nearly always.
  public static let photoEncodings = 6
  /// Blocks of a picture from which its bytes are foretold, of Y and of Cb and Cr each: then they are off by 3 % where
  /// blocks differ as much as in photos. 324 bytes each, while a photo is made.
  public static let sizeModelLumaBlocks = 3072
  public static let sizeModelChromaBlocks = 512
  /// Largest frame taken from a device, in bytes: 3840 x 2160 in YUYV. Kernel memory, mapped.
  public static let cameraFrameBytes = 3840 * 2160 * 2
  /// Buffers asked of the driver: one filling, one ready, one in hand.
  public static let cameraBuffers = 3
  /// Milliseconds without a frame after which a stream has stalled: sensors expose for one second at most, and USB
  /// cameras take up to two to begin.
  public static let cameraStall: Int64 = 5_000
  /// Milliseconds that the end of the program waits for a camera to close; then the kernel closes it.
  public static let cameraStopMilliseconds: Int64 = 2_000
  /// Milliseconds that a driver waits for a frame before it is asked whether to go on.
  public static let cameraWait: Int64 = 50
  /// Controls of one camera that the configuration sets by name; a camera has about 20, most of them for tuning.
  public static let namedControls = 8
  /// Formats of a camera that are looked at; webcams have about 3, the kernel's test driver 90.
  public static let cameraFormats = 128
  /// Sizes of a format that are looked at; webcams have about 20.
  public static let cameraModes = 64
  /// Rates of a format and size that are told apart; webcams have about 6.
  public static let cameraRates = 16
  /// Controls of a camera that are looked at for one by its name; webcams have about 20, the kernel's test driver 70.
  public static let cameraControls = 256
  /// Bytes of a frame from which on a photo is taken with `photoBuffers` buffers, of which one is mapped at a time: what
  /// is mapped counts as memory of Talon.
  public static let largeFrameBytes = 1024 * 1024
  /// Buffers for a photo of large frames: one filling, one in hand.
  public static let photoBuffers = 2
  /// Milliseconds without a frame after which a camera is asked whether its input has a signal.
  public static let cameraSignalMilliseconds: Int64 = 1_000
  /// Bytes of a camera's id or name. V4L2 cuts a name at 32; an id is a path below /dev.
  public static let cameraTextBytes = 64
  /// Longest side of a frame that is scaled, in pixels. 20 bytes each while a photo is made: 160 KiB.
  public static let cameraSidePixels = 8192
  /// Room for one encoding, in bytes: libjpeg-turbo asks for 3 bytes a pixel before it knows how few it
  /// needs, and a picture in `cameraFrameBytes` at 4:2:0 has 11 million. Reserved.
  public static let photoStorageBytes = 2 * cameraFrameBytes + 1024 * 1024

  /// How often a light is looked at until it is seen to obey: 95 ms in all, for one behind a slow bus.
  public static let indicatorReads = 20

  /// Pixels of a frame in a format of its maker: 3840 x 2160.
  public static let converterPixels = 3840 * 2160
  /// Bytes for a pixel of such a frame. No code is longer than 2 bytes, and where a frame ends too early its decoder
  /// reads on to the last pixel. Reserved.
  public static let converterBytesPerPixel = 4
  /// Bytes behind the frame and the picture, for decoders that look ahead or write whole blocks. Reserved.
  public static let converterSlackBytes = 64 * 1024

  // MARK: Clip

  /// A whole clip in bytes: what fits a message of 25 MiB as base64, 64 KiB of envelope left out (node-commands 1.4).
  /// Reserved, and given back when the clip was sent.
  public static let clipBytes = 19_611_648
  /// Length of a clip in milliseconds (node-commands 4.2).
  public static let clipMilliseconds: ClosedRange<Int64> = 250...60_000
  /// Longer and shorter edge of a clip's picture in pixels, however it is turned: the most of H.264 level 3.1, which
  /// everything plays at 30 pictures a second, and about what a board encodes in time. 1.4 MB each.
  public static let clipLongEdge = 1280, clipShortEdge = 720
  /// Frames in a row with a time that is not above the one before: two seconds of a usual camera. One may happen.
  public static let clipUntimelyFrames = 60
  /// Pictures of a clip: a minute at 60 a second. 12 bytes each.
  public static let clipSamples = 3_600
  /// Longest pause between two pictures in microseconds. A camera that stalls for longer has failed. With `clipSamples`
  /// it keeps a clip's time within the 32 bits that an MP4 file has for it.
  public static let clipGapMicroseconds: Int64 = 5_000_000
  /// Buffers asked of a board's encoder, for pictures that go in and for those that come out: one in work, one waiting,
  /// one in hand, and one more for the latter. Kernel memory: 7 MB at 1280 x 720.
  public static let encoderRawBuffers = 3, encoderCodedBuffers = 4
  /// One parameter set of an H.264 stream in bytes: encoders use 8 to 40, scaling lists add 100.
  public static let clipParameterSetBytes = 256
  /// Picture parameter sets of a clip; encoders use one or two.
  public static let clipPictureSets = 4
  /// All that stands before the pictures of the longest clip, in bytes: fixed boxes, parameter sets, and a row in each
  /// table for every picture.
  public static let clipHeaderBytes = 2048 + (clipPictureSets + 1) * (clipParameterSetBytes + 2) + 16 * clipSamples
  /// Bytes of 20 ms of a clip's sound: 32,000 bits a second, where Opus carries speech of 16 kHz without loss that anybody hears.
  public static let clipPacketBytes = 80
  /// Packets of a clip: a minute, and half a second more. They stand behind the pictures, and in memory until then: 242,000 bytes.
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
  /// Packets taken from one socket before the loop gets its turn.
  public static let discoveryPacketsPerTurn = 16
  /// Questions to name servers that are open at once.
  public static let wideAreaQuestions = 8
  /// Bytes of a gateway's name as people see it: a DNS label, and one.
  public static let gatewayNameBytes = 64

  // MARK: Network changes

  /// Bytes of one datagram from the kernel; it sends at most half of that unless it was given more room.
  public static let netlinkBytes = 16 * 1024
  /// Links, addresses and default routes remembered. 32 bytes each. What finds no room is news each time it is heard.
  public static let networkFacts = 64
  /// Milliseconds for which changes gather before they are told: an interface that comes up makes a dozen.
  public static let networkSettleMilliseconds: Int64 = 1_000

  // MARK: Hot plug

  /// Bytes of one message of the kernel about a device: 2 KiB of fields (`UEVENT_BUFFER_SIZE`), and a path in sysfs.
  public static let ueventBytes = 8 * 1024
  /// Milliseconds for which changes gather before they are told: a camera comes with several nodes, and udev then
  /// gives each of them its group.
  public static let ueventSettleMilliseconds: Int64 = 1_000

  // MARK: Console

  /// Programs that talk to the agent through its local socket at once: the serial console and what
  /// follows the log there, a person in a shell, two other programs, and one to spare. One more is turned away.
  public static let controlClients = 6
  /// One line of such a program, in bytes: larger than any message that the gateway could be sent of it. 16 KiB each.
  public static let controlLineBytes = 16 * 1024
  /// Answers that wait for such a program, in bytes: the largest answer of the gateway that is kept, and words around
  /// it. Who leaves more unread is dropped. Reserved, and given back when read.
  public static let controlOutputBytes = operatorMessageBytes + 64 * 1024
  /// Questions of all those programs that wait for an answer: as many as the gateway is asked at once.
  public static let controlCalls = requests
  /// Replies of the gateway's agent that are listened to at once: one for each program, those on the screen, and one that a
  /// conversation waits for.
  public static let chatRuns = controlClients + chatFollowed + 1
  /// The text of one chat event in bytes; what is longer is cut, and said to be. An agent's long answers have 20 KiB.
  /// Reserved.
  public static let chatTextBytes = 256 * 1024
  /// What a person says to the agent at once, in bytes: it has to fit `outboundMessageBytes` with room for escapes.
  public static let chatMessageBytes = 6 * 1024
  /// A session's key (gateway reference 9.9: 512 characters), in bytes.
  public static let sessionKeyBytes = 512
  /// Phrases that wake the agent, and UTF-16 units of each (gateway reference 9.11).
  public static let wakePhrases = 32
  public static let wakePhraseUnits = 64
}
