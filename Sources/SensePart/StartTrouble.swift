import Codec
import Device
import Node
import Runtime

/// What was wrong when the agent started, although it serves: sentences for a person, empty where nothing is.
public struct StartTrouble: Sendable {
  /// Why the configuration's file is not used, but the last one with which the agent served.
  public var configuration = ""
  /// Why nothing can be written where the state is kept.
  public var storage = ""

  /// No trouble.
  public init() {}

  /// True when nothing was wrong.
  public var isEmpty: Bool { configuration.isEmpty && storage.isEmpty }
}

/// Tells of trouble at the start for as long as this run lasts: by the light, in the status object and in
/// `device.health`.
public final class StartTroublePart: Part {
  private let trouble: StartTrouble

  /// A part for trouble that there is.
  @export(interface)
  public init(_ trouble: StartTrouble) {
    self.trouble = trouble
    super.init()
  }

  public override var hasFault: Bool { true }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("trouble")
    writer.beginObject()
    if !trouble.configuration.isEmpty {
      writer.key("configuration")
      writer.string(trouble.configuration.utf8.span)
    }
    if !trouble.storage.isEmpty {
      writer.key("storage")
      writer.string(trouble.storage.utf8.span)
    }
    writer.endObject()
  }

  public override func report(to report: inout HardwareReport) {
    if !trouble.configuration.isEmpty {
      report.services.configuration = HardwareState(
        .error, detail: "the configuration file is wrong or gone: the last one with which the agent served is used")
    }
    if !trouble.storage.isEmpty {
      report.services.storage = HardwareState(
        .error, detail: "nothing can be written where the state is kept: what is new is lost at the next start")
    }
  }
}
