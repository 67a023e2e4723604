// swift-tools-version: 6.2
//
// One source, two builds. `swift build` compiles ordinary Swift for tests and host tools. With TALON_FIRMWARE=1 the
// same shipping modules compile in Embedded Swift; `board/firmware` then links them into the one static file that is
// flashed (docs/developers/COMPILER-NOTES.md, "Two builds from one source").

import PackageDescription

let isFirmware = Context.environment["TALON_FIRMWARE"] == "1"
/// Without the canvas and sound, for boards that have no screen (`board/firmware --lean`); without its script engine
/// (`--no-script`).
let isLean = Context.environment["TALON_VARIANT"] == "lean"
let hasScript = !isLean && Context.environment["TALON_VARIANT"] != "no-script"

/// `TALON_TESTS="Codec Node"` leaves the tests of those modules alone in the one bundle that SwiftPM makes of all of them, so that a test
/// waits for no other tests to be compiled and linked (`board/test MODULE...`).
let wantedTests = Context.environment["TALON_TESTS"].flatMap { names in
  names.isEmpty ? nil : Set(names.split(separator: " ").map { "\($0)Tests" })
}

/// What every Swift module of ours is compiled with.
let plain: [SwiftSetting] = [.enableExperimentalFeature("Lifetimes")]

/// What every shipping module is compiled with. Firmware is made for size; `fast` modules are not, for they go over
/// every pixel, and loops that are not vector code take five times as long. Debug builds optimise those in which tests
/// and simulated days spend their time; as whole modules, because the optimiser would else begin again for each half of one. (With two
/// threads: one alone writes an index that SwiftPM does not accept.)
func shipping(isFast: Bool = false, isFastInDebug: Bool = false) -> [SwiftSetting] {
  var settings = plain
  if isLean { settings.append(.define("TALON_LEAN")) }
  guard isFirmware else {
    return isFastInDebug ? settings + [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"])] : settings
  }
  settings.append(.enableExperimentalFeature("Embedded"))
  // What a module defers is compiled by the program, which is made for size.
  if !isFast { settings.append(.enableExperimentalFeature("DeferredCodeGen")) }
  return settings + [.unsafeFlags(["-wmo", isFast ? "-O" : "-Osize"])]
}

/// What all C is compiled with, our own and what `board/prepare` fetched as source: a canary in every function that has
/// an array or gives the address of a local away, and glibc's calls that know how much room there is (3: also where it
/// is computed). Those need optimisation, which a debug build of most has not. `board/firmware` proves that both are in
/// what it links.
let hardened: [CSetting] = [
  .unsafeFlags(["-fstack-protector-strong"]), .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
]

/// 64-bit time and file offsets on every board, 32-bit ones included. Only for what calls the C library:
/// Debian's 32-bit OpenSSL and c-ares were compiled without, and take `time_t` and `timeval` as such.
let time64: [CSetting] = [
  .define("_GNU_SOURCE"), .define("_FILE_OFFSET_BITS", to: "64"), .define("_TIME_BITS", to: "64"),
]

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], isFast: Bool = false, isFastInDebug: Bool = false,
  without folders: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: folders,
    swiftSettings: shipping(isFast: isFast, isFastInDebug: isFastInDebug))
}

func library(_ name: String, links libraries: [String], _ settings: [CSetting] = []) -> Target {
  .target(
    name: name, dependencies: ["CLinux"],
    cSettings: hardened + [.define("_GNU_SOURCE")] + (isFirmware ? [.define("TALON_FIRMWARE")] : []) + settings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// What tests are compiled with: whole modules where all of them are built, which saves a sixth of the work, for each macro is expanded
/// once; file by file where `TALON_TESTS` names some, so that an edit of one file compiles that alone.
let testing: [SwiftSetting] =
  plain + (wantedTests == nil ? [.unsafeFlags(["-wmo", "-num-threads", "2"])] : [])

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
    swiftSettings: testing)
}

/// What only the canvas links: text, pictures, and the fonts that `board/prepare` made.
let canvasLibraries: [Target] =
  isLean
  ? []
  : [
    library("CFreeType", links: ["freetype"], [.unsafeFlags(["-iwithsysroot", "/usr/include/freetype2"])]),
    library("CFriBidi", links: ["fribidi"]),
    // Compiled by `board/prepare`; `board/firmware` links that of its target.
    .target(
      name: "CHarfBuzz",
      cSettings: hardened + [.unsafeFlags(["-I\(Context.packageDirectory)/.deps/harfbuzz/src"])],
      linkerSettings: isFirmware
        ? [] : [.unsafeFlags(["-L\(Context.packageDirectory)/.deps/harfbuzz/host", "-lshaper", "-lm"])]),
    library("CPNG", links: ["png16", "z"]),
    library("CWebP", links: ["webp", "webpdemux"]),
    library("CQRCode", links: [], [.unsafeFlags(["-I", "\(Context.packageDirectory)/.deps/qrencode"])]),
    library("CFonts", links: [], [.define("TALON_FONTS", to: "\"\(Context.packageDirectory)/.deps/fonts/faces\"")]),
  ]

/// What only sound links. Of alsa-lib, whose sources `board/prepare` fetched, the devices and mixers of the kernel.
/// Nobody asks for their times, so they keep the size that Debian's own build gives them. Of flite, one voice of
/// English; from its sources as well, for Debian's armel has no code for the ARM1176's floating point, on which its
/// vocoder lives.
let soundLibraries: [Target] =
  isLean
  ? []
  : [
    library(
      "CALSA", links: ["m"],
      [
        .define("_FILE_OFFSET_BITS", to: "64"), .headerSearchPath("."),
        .unsafeFlags([
          "-Os", "-I\(Context.packageDirectory)/.deps/alsa/include", "-I\(Context.packageDirectory)/.deps/alsa/src",
          "-Wno-everything",
        ]),
      ]),
    library(
      "CFlite", links: ["m"],
      [
        .unsafeFlags([
          "-include", "\(Context.packageDirectory)/Sources/CFlite/pointers.h",
          "-O2", "-UDEBUG", "-I\(Context.packageDirectory)/.deps/flite",
          "-I\(Context.packageDirectory)/.deps/flite/include",
          "-I\(Context.packageDirectory)/.deps/flite/lang/cmulex",
          "-I\(Context.packageDirectory)/.deps/flite/lang/usenglish",
          "-Wno-everything",
        ])
      ]),
    library("CSpeexDSP", links: ["speexdsp"]),
    library("COpus", links: ["opus"]),
    // Statically on the host, too: the shared objects bring a linear algebra whose threads take our signals.
    library(
      "CPocketSphinx",
      links: isFirmware ? ["pocketsphinx", "sphinxbase"] : [":libpocketsphinx.a", ":libsphinxbase.a"],
      [.unsafeFlags(["-iwithsysroot", "/usr/include/pocketsphinx"])]),
  ]

/// The script engine of `canvas.eval`, whose sources `board/prepare` fetched, and what is made of it. For size: what
/// takes long is drawing.
let scriptModules: [Target] =
  hasScript
  ? [
    library(
      "CQuickJS", links: [],
      time64 + [.unsafeFlags(["-Os", "-I\(Context.packageDirectory)/.deps/quickjs/source", "-Wno-everything"])]),
    module("Script", ["CQuickJS", "Graphics", "Canvas", "Codec", "Runtime"]),
  ] : []
let script: [Target.Dependency] = hasScript ? ["Script"] : []

/// What hears wake phrases, with the network that `board/prepare` converted and the phrases that are built in.
let voiceModules: [Target] =
  isLean
  ? []
  : [
    library(
      "CVoiceModel", links: ["m"],
      [
        .define("TALON_VOICE", to: "\"\(Context.packageDirectory)/.deps/voice\""),
        .define("TALON_PHRASES", to: "\"\(Context.packageDirectory)/Sources/CVoiceModel\""),
      ]),
    // Without vector code a second of sound takes ten, in tests too.
    module("Voice", ["CVoiceModel", "Codec", "Runtime"], isFast: true, isFastInDebug: true),
    module("Enrolment", ["CVoiceModel", "Voice", "Codec", "Runtime"], isFast: true, isFastInDebug: true),
  ]

let voice: [Target.Dependency] = isLean ? [] : ["Voice", "Enrolment"]

/// The parts of the agent that a lean build has not.
let screenAndVoiceModules: [Target] =
  isLean
  ? []
  : [
    module(
      "VoicePart",
      [
        "Node", "Gateway", "Consent", "Camera", "Sound", "Talk", "Voice", "Enrolment", "Device", "Panel", "Codec",
        "Runtime",
      ]),
    module(
      "ScreenPart",
      [
        "Node", "Gateway", "Consent", "Fetch", "Camera", "Graphics", "Canvas", "A2UI", "Locales", "Device", "Codec",
        "Runtime",
      ] + script,
      without: hasScript ? [] : ["Scripts"]),
  ]
let screenAndVoice: [Target.Dependency] = isLean ? [] : ["VoicePart", "ScreenPart"]

/// Programs that the gateway runs: never in a lean build.
let runModules: [Target] =
  isLean
  ? []
  : [
    module("Programs", ["Codec", "Runtime"]),
    module("RunPart", ["Node", "Gateway", "Programs", "Hands", "Codec", "Runtime"]),
    module("MCPPart", ["Node", "Gateway", "MCP", "Codec", "Runtime"]),
  ]
let programs: [Target.Dependency] = isLean ? [] : ["Programs"]
let run: [Target.Dependency] = isLean ? [] : ["RunPart", "MCPPart"]

/// The board's own agent, which answers while the gateway is away: never in a lean build.
let ownAgentModules: [Target] =
  isLean
  ? []
  : [
    // From Debian's sources, which `board/prepare` fetched and made one file of.
    library(
      "CSQLite", links: ["m"],
      time64 + [.unsafeFlags(["-Os", "-I\(Context.packageDirectory)/.deps/sqlite", "-Wno-everything"])]),
    module("Completion", ["Codec", "Runtime"]),
    module("OwnAgent", ["Completion", "Fetch", "Gateway", "Codec", "Runtime"]),
    module("OwnAgentPart", ["Node", "Gateway", "OwnAgent", "Device", "Codec", "Runtime"]),
  ]
let ownAgent: [Target.Dependency] = isLean ? [] : ["OwnAgent", "Completion"]
let ownAgentPart: [Target.Dependency] = isLean ? [] : ["OwnAgentPart"]

var targets: [Target] =
  canvasLibraries + soundLibraries + scriptModules + voiceModules + screenAndVoiceModules + runModules
  + ownAgentModules + [
    .target(name: "CLinux", cSettings: hardened + time64 + (isFirmware ? [.define("TALON_FIRMWARE")] : [])),
    library("COpenSSL", links: ["ssl", "crypto"]),
    library("CTurboJPEG", links: ["turbojpeg"]),
    library("CCares", links: ["cares"]),
    library("COpenH264", links: ["openh264"]),
    library("CV4LConvert", links: ["v4lconvert"]),
    library("CI2C", links: ["i2c"]),
    library("CGPIO", links: ["gpiod"]),
    library("CZlib", links: ["z"]),
    .target(
      name: "CUnicode",
      cSettings: hardened + [.define("TALON_UNICODE", to: "\"\(Context.packageDirectory)/.deps/unicode\"")]),
    // From its sources, which `board/prepare` fetched; fast in debug builds, too, for it goes over every pixel.
    library(
      "CQuirc", links: ["m"],
      [.unsafeFlags(["-O2", "-I\(Context.packageDirectory)/.deps/quirc/lib", "-Wno-everything"])]),
    library(
      "CLocales", links: [], [.define("TALON_LOCALES", to: "\"\(Context.packageDirectory)/Sources/CLocales\"")]),
    module("Codec", isFastInDebug: true),
    module("Runtime", ["CLinux"], isFastInDebug: true),
    module("Camera", ["Codec", "Runtime"], isFast: true),
    module("Location", ["Codec", "Runtime"]),
    module("Motion", ["Codec", "Runtime"], isFast: true),
    module("Sound", ["Codec", "Runtime"], isFast: true),
    module("Talk", ["Codec", "Runtime"], isFast: true),
    module("Device", ["Codec", "Runtime"]),
    module("Panel", ["Runtime"]),
    module("Hands", ["Codec", "Runtime"]),
    module("MCP", ["Codec", "Runtime"]),
    module("Terminal", ["Runtime"]),
    module("Locales", ["CLocales", "Codec", "Runtime"]),
    module("A2UI", ["Locales", "Codec", "Runtime"], isFastInDebug: true),
    module("Graphics", ["CUnicode", "Codec", "Runtime"], isFast: true, isFastInDebug: true),
    module("Canvas", ["Graphics", "A2UI", "Locales", "Codec", "Runtime"]),
    module("Gateway", ["Codec", "Runtime"]),
    module("Updates", ["Codec", "Runtime"]),
    module("Consent", ["Codec", "Runtime"]),
    module("Metrics", ["Codec", "Runtime"]),
    module("Fetch", ["Gateway", "Codec", "Runtime"]),
    module("Node", ["Gateway", "Consent", "Device", "Codec", "Runtime"]),
    module("CameraPart", ["Node", "Gateway", "Camera", "Device", "Codec", "Runtime"]),
    module("SensePart", ["Node", "Gateway", "Location", "Motion", "Device", "Codec", "Runtime"]),
    module("HandsPart", ["Node", "Gateway", "Hands", "Codec", "Runtime"]),
    module("ToolsPart", ["Node", "Gateway", "Codec", "Runtime"]),
    module("UpdatePart", ["Node", "Fetch", "Gateway", "Updates", "Device", "Codec", "Runtime"]),
    module("ConsentPart", ["Node", "Gateway", "Consent", "Device", "Codec", "Runtime"]),
    module("FilesPart", ["Node", "Gateway", "Codec", "Runtime"]),
    module("MetricsPart", ["Node", "Fetch", "Gateway", "Metrics", "Device", "Codec", "Runtime"]),
    module(
      "Agent",
      [
        "Node", "CameraPart", "SensePart", "HandsPart", "ToolsPart", "UpdatePart", "MetricsPart", "ConsentPart",
        "FilesPart", "Gateway", "Camera", "Consent", "Location", "Motion", "Talk", "Hands", "Updates", "Metrics",
        "Device", "Panel",
        "Codec", "Runtime",
      ] + screenAndVoice + run + ownAgentPart),
    module(
      "Board",
      [
        "Gateway", "Fetch", "Updates", "Camera", "Location", "Motion", "Sound", "Talk", "Hands", "MCP", "Device",
        "Panel", "Graphics", "Canvas", "Codec", "Runtime", "CLinux", "COpenSSL", "CTurboJPEG", "CCares", "COpenH264",
        "CV4LConvert", "CI2C",
        "CGPIO", "CZlib", "CQuirc",
      ] + voice + programs + ownAgent + (isLean ? [] : ["CSQLite"])
        + (canvasLibraries + soundLibraries).map { .byName(name: $0.name) },
      without: isLean ? ["Canvas", "Display", "Input", "OwnAgent", "Run", "Sound", "Speech"] : []),
    module(
      "Simulated",
      [
        "Gateway", "Camera", "Location", "Motion", "Sound", "Talk", "Hands", "Device", "Panel", "Graphics", "Canvas",
        "Codec", "Runtime",
      ]),
    .executableTarget(
      name: "talon",
      dependencies: [
        "Agent", "Node", "CameraPart", "SensePart", "HandsPart", "ToolsPart", "UpdatePart", "MetricsPart",
        "ConsentPart", "FilesPart", "Board", "Simulated", "Gateway", "Consent", "Fetch", "Updates", "Metrics",
        "Camera", "Location",
        "Motion", "Sound", "Talk", "Hands", "MCP",
        "Device", "Panel",
        "Graphics", "Canvas", "Locales", "Terminal",
        "Codec", "Runtime",
      ] + script + voice + screenAndVoice + programs + run + ownAgent + ownAgentPart,
      exclude: (isLean ? ["Full"] : ["Lean"]) + (isLean ? [] : hasScript ? ["Full/NoScripts"] : ["Full/Scripts"]),
      swiftSettings: shipping()),
  ]

var dependencies: [Package.Dependency] = []

if !isFirmware {
  /// The agent, its parts and what they run on in tests.
  let agentAndWorld: [Target.Dependency] = [
    "Agent", "Node", "CameraPart", "SensePart", "HandsPart", "ToolsPart", "UpdatePart", "MetricsPart", "ConsentPart",
    "FilesPart", "VoicePart", "ScreenPart", "RunPart", "MCPPart", "MCP", "OwnAgentPart", "OwnAgent", "Completion",
    "Programs", "Consent",
    "Script",
    "Simulated", "Board", "Gateway", "Fetch",
    "Updates", "Metrics", "Camera", "Location",
    "Motion", "Sound", "Talk",
    "Hands", "Voice",
    "Enrolment", "Device", "Panel", "Graphics", "Canvas", "A2UI", "Locales", "Codec", "Runtime", "CLinux",
    "CAllocationCounter",
  ]
  let parts = [
    "Agent", "Node", "CameraPart", "SensePart", "HandsPart", "ToolsPart", "UpdatePart", "MetricsPart", "ConsentPart",
    "FilesPart", "VoicePart", "ScreenPart", "RunPart", "MCPPart", "OwnAgentPart",
  ]
  targets += parts.map { name in
    .testTarget(
      name: "\(name)Tests", dependencies: ["Benches", "TestSupport"] + agentAndWorld,
      swiftSettings: testing)
  }
  targets += [
    tests("Codec", ["TestSupport"]),
    tests("Runtime", ["Simulated", "CLinux", "CConfinedTrial", "TestSupport"]),
    tests("Camera", ["Simulated", "Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("Location", ["Simulated", "Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("Motion", ["Simulated", "Codec", "Runtime", "CAllocationCounter"]),
    tests("Sound", ["Simulated", "Codec", "Runtime", "CAllocationCounter"]),
    tests("Device", ["Simulated", "Codec", "Runtime"]),
    tests("Hands", ["Codec", "Runtime"]),
    tests("Programs", ["Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("MCP", ["Codec", "Runtime"]),
    tests("Completion", ["Codec", "Runtime"]),
    tests("OwnAgent", ["Completion", "Fetch", "Gateway", "Codec", "Runtime"]),
    tests("Updates", ["Simulated", "Board", "Codec", "Runtime"]),
    tests("Consent", ["Codec", "Runtime"]),
    tests("Metrics", ["Simulated", "Codec", "Runtime", "TestSupport"]),
    tests("Panel", ["Simulated", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("Talk", ["Codec", "Runtime", "CAllocationCounter"]),
    tests("Terminal", ["Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("Locales", ["Codec", "Runtime", "TestSupport"]),
    tests("A2UI", ["Locales", "Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests("Graphics", ["GraphicsSupport", "Simulated", "Codec", "Runtime", "CAllocationCounter", "TestSupport"]),
    tests(
      "Canvas",
      [
        "GraphicsSupport", "Simulated", "Graphics", "A2UI", "Locales", "Codec", "Runtime", "CAllocationCounter",
        "TestSupport",
      ]),
    tests("Script", ["CQuickJS", "Graphics", "Canvas", "Codec", "Runtime", "TestSupport"]),
    tests("Voice", ["Codec", "Runtime", "CAllocationCounter"]),
    tests("Enrolment", ["Voice", "Codec", "Runtime", "CLinux"]),
    tests("Gateway", ["Simulated", "Board", "Codec", "Runtime", "TestSupport"]),
    tests("Fetch", ["Gateway", "Codec", "Runtime"]),
    tests(
      "Board",
      [
        "Simulated", "Pictures", "Programs", "MCP", "OwnAgent", "CSQLite", "Gateway", "Fetch", "Updates", "Camera",
        "Location", "Motion", "Sound",
        "Talk",
        "Hands", "Voice",
        "Enrolment", "Device", "Panel", "Graphics", "Canvas",
        "A2UI", "Codec", "Runtime", "CLinux", "COpenSSL", "CZlib", "CFlite", "CFakeEncoder", "CFakeCamera", "CFakeGPIO",
        "CAllocationCounter", "TestSupport",
      ]),
    .target(name: "CStepCounter", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "TestSupport", dependencies: ["CStepCounter"], path: "Tests/Support", swiftSettings: plain),
    .target(
      name: "GraphicsSupport", dependencies: ["Graphics", "Codec", "Runtime"], path: "Tests/GraphicsSupport",
      swiftSettings: plain),
    .target(name: "CFakeCamera", cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CFakeGPIO", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "Pictures", dependencies: ["Camera", "Runtime"],
      swiftSettings: plain),
    .target(name: "CAllocationCounter"),
    .target(name: "CConfinedTrial", dependencies: ["CLinux"], cSettings: [.define("_GNU_SOURCE")]),
    .target(name: "CFakeEncoder"),
    .target(name: "CTracer", cSettings: [.define("_GNU_SOURCE")]),
    .target(
      name: "Benches", dependencies: agentAndWorld, path: "Tests/Benches",
      swiftSettings: plain),
    tests("talon", ["Runtime", "TestSupport", "CFakeGPIO"]),
  ]
  dependencies = [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ]
  targets += [
    .target(
      name: "Simulation",
      dependencies: [
        "Agent", "Node", "CameraPart", "SensePart", "VoicePart", "ScreenPart", "ConsentPart", "Consent", "Board",
        "Simulated", "Gateway", "Camera", "Location", "Motion", "Sound", "Talk", "Hands", "Voice", "Device",
        "ToolsPart", "Panel", "Codec", "Runtime", "CLinux",
      ],
      swiftSettings: plain),
    tests("Simulation", ["Gateway", "Talk", "ToolsPart", "Runtime"]),
    .executableTarget(
      name: "talon-gateway",
      dependencies: [
        "COpenSSL",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: plain),
    .executableTarget(
      name: "talon-lab",
      dependencies: [
        "Agent", "Node", "CameraPart", "SensePart", "VoicePart", "ScreenPart", "Consent", "Board", "Simulated",
        "Gateway",
        "Metrics",
        "Camera", "Location", "Motion", "Device", "Panel", "Codec", "Runtime", "Graphics", "Canvas", "A2UI", "Sound",
        "Voice", "Enrolment", "Fetch", "Updates", "Simulation", "Pictures", "CAllocationCounter", "CTracer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: plain),
    .testTarget(name: "TalonLabTests", dependencies: ["talon-lab", "TestSupport"], swiftSettings: testing),
    // What board/fuzz compiles with sanitizers, here for a slice of each target in every test run.
    .testTarget(
      name: "TalonFuzz", dependencies: ["talon", "Terminal", "TestSupport"] + agentAndWorld, path: "Tests/Fuzz",
      exclude: ["numbers.dict"],
      swiftSettings: testing + [.define("TALON_SLICE")]),
    .testTarget(
      name: "TalonGatewayTests",
      dependencies: [
        "talon-gateway", "COpenSSL", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      swiftSettings: testing),
  ]
}

if let wantedTests { targets.removeAll { $0.type == .test && !wantedTests.contains($0.name) } }

let package = Package(
  name: "talon",
  dependencies: dependencies,
  targets: targets
)
