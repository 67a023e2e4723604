import Testing

@testable import talon_gateway

/// The tables of command results and event payloads.
@Suite struct ShapeTests {
  static let results: [(command: String, good: JSON, faults: [(String, JSON?)])] = [
    (
      "camera.list", ["devices": [["id": "0", "name": "Cam", "position": "unknown", "deviceType": "v4l2"]]],
      [("devices", nil), ("devices", [["id": "0"]]), ("x", 1)]
    ),
    (
      "camera.snap", ["format": "jpg", "base64": "/9j/4AA=", "width": 4, "height": 3],
      [
        ("format", "bmp"), ("base64", "a b="), ("base64", "abc"), ("base64", ""), ("width", 0),
        ("height", nil),
      ]
    ),
    (
      "photos.latest",
      [
        "photos": [
          ["format": "jpeg", "base64": "/9j/4AA=", "width": 4, "height": 3, "createdAt": "2026-01-02T03:04:05.250Z"],
          ["format": "jpeg", "base64": "/9j/4AA=", "width": 4, "height": 3],
        ]
      ],
      [
        ("photos", nil), ("photos", [["format": "jpeg", "base64": "/9j/4AA=", "width": 4]]),
        ("photos", [["format": "jpeg", "base64": "a b=", "width": 4, "height": 3]]), ("x", 1),
      ]
    ),
    (
      "location.get",
      [
        "lat": .double(52.5), "lon": 13, "accuracyMeters": .double(3.5),
        "timestamp": "2026-01-02T03:04:05.250Z", "isPrecise": true,
        "source": "gps",
      ],
      [
        ("lat", 91), ("lon", "13"), ("accuracyMeters", -1), ("timestamp", "2026-01-02 03:04:05"),
        ("timestamp", "2026-01-02T03:04:05"), ("headingDeg", 360), ("source", "nmea"), ("satellites", -1),
        ("fixQuality", 7),
      ]
    ),
    (
      "device.info",
      [
        "deviceName": "b", "modelIdentifier": "", "systemName": "Linux", "systemVersion": "6",
        "appVersion": "1",
        "appBuild": "1", "locale": "en",
        "serialNumber": "1",
      ], [("deviceName", nil), ("serial", "1"), ("kernelVersion", 6)]
    ),
    (
      "device.status",
      [
        "battery": ["state": "unknown", "lowPowerModeEnabled": false], "thermal": ["state": "nominal"],
        "storage": ["totalBytes": 3, "freeBytes": 1, "usedBytes": 2],
        "network": [
          "status": "satisfied", "isExpensive": false, "isConstrained": false, "interfaces": ["wifi"],
        ],
        "uptimeSeconds": .double(1.5),
      ],
      [
        ("battery.level", .double(1.5)), ("thermal.state", "hot"), ("storage.freeBytes", -1),
        ("network.interfaces", ["eth0"]), ("network.ssid", "home"), ("thermal.zones", [["name": "cpu"]]),
        ("collectedAt", "now"), ("memory", ["error": "why"]), ("gpu", [:]),
        ("network.links", [["name": "eth0", "kind": "ethernet", "hasCarrier": true]]),
      ]
    ),
    (
      "device.permissions",
      ["permissions": ["camera": ["status": "denied", "promptable": false, "detail": "why"]]],
      [
        ("permissions", nil), ("permissions", ["camera": ["status": "asked", "promptable": false]]),
        ("permissions", ["camera": ["status": "granted"]]),
      ]
    ),
    (
      "device.health",
      ["memory": ["pressure": "normal"], "battery": ["state": "full"], "power": [:], "system": [:]],
      [
        ("memory.pressure", "low"), ("battery", nil), ("devices", ["camera": ["state": "broken"]]),
        ("services", ["outbox": ["state": "ok", "waiting": -1]]), ("clock", ["isBelievable": true]),
        ("power.throttling", ["now": ["hot"], "sinceBoot": []]),
        ("watchdog", ["state": "asleep", "hasResetBoard": false]),
        ("restart", ["cause": "boredom"]), ("storage", ["lifeUsedPercent": 5]), ("system.uptime", 1),
      ]
    ),
    ("system.notify", ["ok": true], [("ok", 1), ("id", "7")]),
    (
      "system.run",
      [
        "exitCode": 0, "timedOut": false, "success": true, "stdout": "a", "stderr": "", "error": nil,
        "truncated": false, "durationMs": 5,
      ],
      [("timedOut", nil), ("success", 1), ("stdout", nil), ("stderr", nil), ("exitCode", "0"), ("output", "a")]
    ),
    (
      "system.run.prepare",
      [
        "plan": ["argv": ["df"], "cwd": nil, "commandText": "df", "agentId": nil, "sessionKey": "s"],
        "execPolicy": ["security": "allowlist", "ask": "off"],
      ],
      [("plan", nil), ("execPolicy", ["security": "some", "ask": "off"]), ("plan", ["argv": ["df"]])]
    ),
    ("system.which", ["bins": ["df": "/usr/bin/df"]], [("bins", nil), ("bins", ["df"]), ("paths", 1)]),
    (
      "file.fetch",
      ["ok": true, "path": "/srv/a", "size": 1, "mimeType": "text/plain", "base64": "YQ==", "sha256": "ca97"],
      [("ok", nil), ("ok", false), ("path", ""), ("size", -1), ("base64", nil), ("code", "NOT_FOUND")]
    ),
    (
      "file.fetch", ["ok": false, "code": "NOT_FOUND", "message": "there is none", "canonicalPath": "/srv/a"],
      [("code", "GONE"), ("message", nil), ("ok", true), ("path", "/srv/a")]
    ),
    (
      "dir.list",
      [
        "ok": true, "path": "/srv",
        "entries": [
          ["name": "a", "path": "/srv/a", "size": 1, "mimeType": "text/plain", "isDir": false, "mtime": 1]
        ], "nextPageToken": "1", "truncated": true,
      ],
      [("entries", nil), ("entries", [["name": "a"]]), ("nextPageToken", 1), ("truncated", nil)]
    ),
    (
      "file.stat",
      ["ok": true, "path": "/srv/a", "size": 1, "mimeType": "text/plain", "isDir": false, "mtime": 1],
      [("isDir", nil), ("mtime", "now"), ("base64", "")]
    ),
    (
      "file.write", ["ok": true, "path": "/srv/a", "size": 1, "sha256": "ca97", "overwritten": false],
      [("overwritten", nil), ("sha256", nil), ("mimeType", "text/plain")]
    ),
    (
      "file.create", ["ok": true, "path": "/srv/a", "size": 0, "sha256": "e3b0", "overwritten": false],
      [("overwritten", nil), ("size", "0")]
    ),
  ]

  @Test("results of Talon's commands are closed", arguments: results.indices)
  func result(index: Int) throws {
    let row = Self.results[index]
    let schema = try #require(CommandResults.schema(of: row.command))
    try schema.validate(row.good)
    for (path, value) in row.faults {
      #expect(throws: SchemaViolation.self, "\(path)") { try schema.validate(row.good.with(path, value)) }
    }
  }

  static let events: [(event: String, good: JSON, faults: [(String, JSON?)])] = [
    (
      "voice.transcript", ["text": "hi", "eventId": "e", "ts": 1],
      [("text", ""), ("text", nil), ("who", "me")]
    ),
    (
      "agent.request", ["message": "hi", "deliver": true],
      [("message", nil), ("timeoutSeconds", -1), ("to", "")]
    ),
    (
      "node.presence.alive", ["trigger": "connect", "sentAtMs": 1], [("trigger", "reboot"), ("platform", "")]
    ),
    (
      "node.host.stats",
      ["cpuCount": 4, "loadAverage": [.double(0.1), 0, 1], "memoryTotalBytes": 2, "memoryFreeBytes": 1],
      [("cpuCount", 0), ("loadAverage", [1, 2]), ("memoryFreeBytes", nil)]
    ),
    ("chat.subscribe", ["sessionKey": "s"], [("sessionKey", nil), ("key", "s")]),
  ]

  @Test("payloads of events are closed", arguments: events.indices)
  func event(index: Int) throws {
    let row = Self.events[index]
    let schema = try #require(EventPayloads.schema(of: row.event))
    try schema.validate(row.good)
    for (path, value) in row.faults {
      #expect(throws: SchemaViolation.self, "\(path)") { try schema.validate(row.good.with(path, value)) }
    }
  }
}
