/// Every series that a board sends: the one table, which `docs/owners/metrics.md`, the dashboard and the alert rules
/// are compared with. Names follow Prometheus' "Metric and label naming": a prefix, base units, `_total` for what only
/// grows.
public enum MetricCatalogue {
  /// In the order of `Metric`.
  public static let rows: [MetricRow] =
    agent + connection + commands + devices + memory + loop + storage + power + system

  private static let agent = [
    MetricRow(.info, "talon_info", .gauge, [MetricLabel("version", of: .version)], "The agent's version; always 1."),
    MetricRow(
      .systemInfo, "talon_system_info", .gauge,
      [MetricLabel("slot", of: .slot), MetricLabel("version", of: .system)],
      "The slot that runs, and the version of its system; always 1."),
    MetricRow(.uptime, "talon_uptime_seconds", .gauge, "Seconds since the agent's start."),
    MetricRow(.boardUptime, "talon_board_uptime_seconds", .gauge, "Seconds since the kernel's start."),
  ]

  private static func state(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_gateway_state", .gauge, [MetricLabel("state", word)],
      "State of the connection to the gateway: 1 for the one that it is in.")
  }

  private static func lost(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_gateway_disconnects_total", .counter, [MetricLabel("reason", word)],
      "Connections to the gateway that were lost, by reason.")
  }

  private static let connection = [
    state(.stateOnline, "online"), state(.stateConnecting, "connecting"), state(.stateWaiting, "waiting"),
    state(.stateApproval, "awaiting-approval"), state(.statePaused, "paused"), state(.stateUntrusted, "untrusted"),
    MetricRow(
      .onlineSeconds, "talon_gateway_online_seconds", .gauge,
      "Seconds for which this connection to the gateway has been online; 0 when there is none."),
    MetricRow(
      .connections, "talon_gateway_connections_total", .counter, "Connections to the gateway that were accepted."),
    lost(.lostNetwork, "network"), lost(.lostClosed, "closed"), lost(.lostSilent, "silent"),
    lost(.lostProtocol, "protocol"),
    MetricRow(
      .roundTrip, "talon_gateway_round_trip_seconds", .gauge, "Seconds from the last ping to the gateway to its answer."
    ),
  ]

  private static func result(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_commands_total", .counter, [MetricLabel("result", word)], "Commands that were answered, by result."
    )
  }

  private static func events(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_events_total", .counter, [MetricLabel("result", word)],
      "Events for the gateway that do not wait any more, by what became of them.")
  }

  private static let commands = [
    result(.succeeded, "succeeded"), result(.failed, "failed"),
    MetricRow(
      .repeated, "talon_commands_repeated_total", .counter,
      "Commands that were asked again with the same key, and answered from memory."),
    MetricRow(.running, "talon_commands_running", .gauge, "Commands that are being carried out."),
    MetricRow(
      .blocked, "talon_commands_blocked", .gauge,
      "1 while the gateway is known to hold commands of this board back; absent while that is not known."),
    MetricRow(.eventsWaiting, "talon_events_waiting", .gauge, "Events that wait for the gateway."),
    events(.eventsDelivered, "delivered"), events(.eventsDropped, "dropped"), events(.eventsRefused, "refused"),
  ]

  private static func device(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_device_up", .gauge, [MetricLabel("device", word)],
      "1 when a configured device works, 0 when it is absent or broken.")
  }

  private static let devices = [
    device(.cameraUp, "camera"), device(.receiverUp, "receiver"), device(.motionUp, "motion"),
    device(.microphoneUp, "microphone"), device(.lightUp, "light"), device(.buttonUp, "button"),
    device(.screenUp, "screen"),
    MetricRow(.fix, "talon_receiver_fix", .gauge, "1 while the receiver knows the position."),
    MetricRow(.satellites, "talon_receiver_satellites", .gauge, "Satellites in view of the receiver."),
    MetricRow(
      .receiverErrors, "talon_receiver_errors_total", .counter,
      "Messages of the receiver with a wrong checksum or form."),
    MetricRow(
      .latitude, "talon_position_latitude_degrees", .gauge,
      "Latitude of the last fix, as precise as [location] precision; only with [metrics] positions."),
    MetricRow(
      .longitude, "talon_position_longitude_degrees", .gauge,
      "Longitude of the last fix, as precise as [location] precision; only with [metrics] positions."),
  ]

  private static let memory = [
    MetricRow(.resident, "talon_memory_resident_bytes", .gauge, "Main memory that the agent uses."),
    MetricRow(.memoryLimit, "talon_memory_limit_bytes", .gauge, "Main memory that the agent may use."),
    MetricRow(.memorySize, "talon_board_memory_size_bytes", .gauge, "Main memory of the board."),
    MetricRow(
      .memoryAvailable, "talon_board_memory_available_bytes", .gauge,
      "Main memory that programs can have without swapping."),
    MetricRow(
      .memoryStall, "talon_board_memory_stall_ratio", .gauge,
      "Part of the last ten seconds in which a program waited for memory."),
  ]

  private static func turn(_ metric: Metric, _ edge: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_loop_turn_seconds_bucket", .histogram, [MetricLabel("le", edge)],
      "Time that one turn of the agent's loop took, during which nothing else was served.")
  }

  private static let loop = [
    turn(.turn5ms, "0.005"), turn(.turn10ms, "0.01"), turn(.turn50ms, "0.05"), turn(.turn100ms, "0.1"),
    turn(.turn500ms, "0.5"), turn(.turn1s, "1"), turn(.turnAll, "+Inf"),
    MetricRow(.turnSum, "talon_loop_turn_seconds_sum", .histogram, "Sum of the times of all turns."),
    MetricRow(.turnCount, "talon_loop_turn_seconds_count", .histogram, "Number of turns."),
    MetricRow(.wakeups, "talon_loop_wakeups_total", .counter, "Times that the agent's loop woke up."),
    MetricRow(.processorTime, "talon_cpu_seconds_total", .counter, "Processor time that the agent used."),
    MetricRow(.load, "talon_board_load1", .gauge, "Load average of the board over one minute."),
  ]

  private static let storage = [
    MetricRow(
      .flashWritten, "talon_flash_written_bytes_total", .counter,
      "Bytes that the agent has had written to flash, as the kernel counts them."),
    MetricRow(.storageSize, "talon_storage_size_bytes", .gauge, "Size of the file system with the agent's state."),
    MetricRow(.storageFree, "talon_storage_free_bytes", .gauge, "Bytes that the agent may still write there."),
    MetricRow(
      .storageReadOnly, "talon_storage_read_only", .gauge, "1 when it cannot be written, as worn cards often become."),
    MetricRow(
      .storageWritten, "talon_storage_written_bytes_total", .counter, "Bytes that were written to it since it was made."
    ),
    MetricRow(
      .storageLife, "talon_storage_life_used_ratio", .gauge,
      "Part of the card's rated life that is used, in steps of 0.1."),
    MetricRow(
      .storageErrors, "talon_storage_errors_total", .counter, "Errors of the file system since its last check."),
  ]

  private static func throttled(_ metric: Metric, _ word: StaticString) -> MetricRow {
    MetricRow(
      metric, "talon_throttled", .gauge, [MetricLabel("cause", word)],
      "1 while the board is slowed down, or its supply is too weak, by cause.")
  }

  private static let power = [
    MetricRow(.temperature, "talon_temperature_celsius", .gauge, "Temperature of the hottest part that is measured."),
    throttled(.underVoltage, "under_voltage"), throttled(.frequencyCapped, "frequency_capped"),
    throttled(.throttled, "throttled"), throttled(.softLimit, "soft_temperature_limit"),
    MetricRow(.charge, "talon_battery_charge_ratio", .gauge, "Charge of the batteries, 0 to 1."),
    MetricRow(.voltage, "talon_battery_voltage_volts", .gauge, "Voltage of the batteries."),
    MetricRow(.external, "talon_battery_external_power", .gauge, "1 while the board has external power."),
  ]

  private static let system = [
    MetricRow(
      .linkSignal, "talon_link_signal_dbm", .gauge, "Signal of the access point, for a board on Wi-Fi."),
    MetricRow(
      .linkSpeed, "talon_link_speed_bytes", .gauge,
      "Bytes a second of the link with the default route, as it was negotiated."),
    MetricRow(.clockRight, "talon_clock_synchronized", .gauge, "1 when the board's clock is synchronized."),
    MetricRow(.updateBusy, "talon_update_pending", .gauge, "1 while another system is on its way to this board."),
    MetricRow(.updateFailed, "talon_update_failed", .gauge, "1 when the last update failed, until another one begins."),
    MetricRow(.samplesWaiting, "talon_metrics_waiting", .gauge, "Intervals whose samples wait for the server."),
    MetricRow(
      .samplesDropped, "talon_metrics_dropped_total", .counter,
      "Intervals whose samples were dropped: too many waited, or their time was never known."),
    MetricRow(
      .samplesRefused, "talon_metrics_refused_total", .counter, "Intervals whose samples the server refused for good."),
  ]
}
