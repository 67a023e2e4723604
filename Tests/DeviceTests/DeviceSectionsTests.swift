import Codec
import Foundation
import Runtime
import Simulated
import Testing

@testable import Device

@Suite("The sections of device.status") struct DeviceSectionsTests {
  private func sections(_ parameters: String) throws(DeviceError) -> DeviceSections {
    let text = parameters.utf8.span
    return try DeviceSections(JSONView(text))
  }

  @Test(
    "no parameters and no list ask for none", arguments: ["null", "{}", #"{"sections":null}"#, #"{"sections":[]}"#])
  func none(parameters: String) throws { #expect(try sections(parameters).isEmpty) }

  @Test("names ask for their blocks, in any order and as often as they like")
  func names() throws {
    #expect(try sections(#"{"sections":["os","cpu","memory","disk","battery"],"other":1}"#).rawValue == 31)
    #expect(try sections(#"{"sections":["disk","os","disk"]}"#).rawValue == 9)
  }

  @Test(
    "what is no name, no list or no object is refused",
    arguments: [
      #"{"sections":["gpu"]}"#, #"{"sections":["os",1]}"#, #"{"sections":"os"}"#, #"{"sections":{"os":true}}"#,
      #"{"sections":["OS"]}"#,
    ])
  func refused(parameters: String) {
    #expect(throws: DeviceError.invalidSections) { try sections(parameters) }
  }

  @Test("parameters that are no object are refused as such")
  func noObject() {
    #expect(throws: DeviceError.notAnObject) { try sections("[]") }
    #expect("\(DeviceError.notAnObject.wire.code)" == "INVALID_REQUEST")
    #expect("\(DeviceError.invalidSections.wire.code)" == "INVALID_REQUEST")
  }

  private func blocks(_ board: DeviceSnapshot, _ sections: DeviceSections) -> String {
    let all = json { board.writeStatus(sections, to: &$0) }
    return String(all[all.range(of: #""uptimeSeconds""#)!.lowerBound...])
  }

  @Test("each block stands after the contract's members, with the time of the reading")
  func written() {
    let board = FixedReadings.fieldBoard
    #expect(
      blocks(board, .os) == """
        "uptimeSeconds":86400.00,"os":{"name":"Linux","version":"Talon simulation","kernel":"6.12.0",\
        "hostName":"talon"},"collectedAt":"2026-01-01T00:00:00.000Z"}
        """)
    #expect(blocks(board, .cpu).contains(#""cpu":{"count":4,"loadAverage":[0.25,0.50,1.00]}"#))
    #expect(blocks(board, .memory).contains(#""memory":{"pressure":"normal","totalRamBytes":536870912"#))
    #expect(
      blocks(board, .disk).contains(
        #""disk":{"totalBytes":8000000000,"freeBytes":6000000000,"usedBytes":2000000000}"#))
    #expect(!blocks(board, .disk).contains("cpu"))
  }

  @Test("the battery's block is the battery, with more in it")
  func battery() {
    let status = json { FixedReadings.fieldBoard.writeStatus(.battery, to: &$0) }
    #expect(
      status.hasPrefix(
        #"{"battery":{"level":0.5,"state":"unplugged","lowPowerModeEnabled":false,"chargingType":"none"}"#))
    #expect(status.contains("collectedAt"))
  }

  @Test("a block that cannot be read says so, and the others are there")
  func failing() {
    var board = FixedReadings.fieldBoard
    (board.memory, board.storage, board.processors) = (nil, nil, 0)
    let failure = #"{"error":"collection failed"}"#
    let all = blocks(board, DeviceSections(rawValue: 31))
    for name in ["memory", "disk", "cpu"] { #expect(all.contains("\"\(name)\":\(failure)")) }
    #expect(all.contains(#""os":{"name":"Linux""#))
  }
}
