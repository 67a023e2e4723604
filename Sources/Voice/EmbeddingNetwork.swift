/// The speech embedding, row by row: 32 bands go in every 10 ms, a vector of 96 numbers comes out every 80 ms after the
/// first 76 rows.
///
/// The network has no padding in time, so each layer along time needs only its last two rows, and streaming gives
/// exactly the same result.
public final class EmbeddingNetwork {
  /// A layer and the rows that it still needs. A row has one position of zeros before its first and after its last.
  private final class Stage {
    let convolution: Convolution
    let isAlongTime: Bool
    let pool: NetworkShape.Pool
    let rowFloats: Int
    let rows: FloatTable
    /// The pooled row that waits for the next one in time.
    let held: FloatTable
    var count = 0
    var holds = false

    init(_ convolution: Convolution, _ layer: NetworkShape.Layer) {
      self.convolution = convolution
      isAlongTime = layer.isAlongTime
      pool = layer.pool
      rowFloats = (layer.positions + 2) * layer.inputs
      // Rounded up, so that each row is aligned; the first layer reads a little beyond its last row.
      rows = FloatTable(count: (layer.isAlongTime ? 3 : 1) * rowFloats + 8)
      held = FloatTable(count: layer.pool == .both ? layer.positions / 2 * layer.outputs : 0)
    }

    func row(_ number: Int) -> UnsafeMutablePointer<Float> {
      rows.floats + (isAlongTime ? number % 3 * rowFloats : 0)
    }

    /// The first position of the next row.
    var next: UnsafeMutablePointer<Float> { row(count) + rowFloats / (convolution.positions + 2) }
  }

  /// Size of a vector, rows before the first vector, and rows between vectors.
  public static let width = NetworkShape.width, reach = NetworkShape.reach, stride = NetworkShape.stride

  private let stages: [Stage]
  private let scratch = FloatTable(count: VoiceModel.bands * 24)
  private let output = FloatTable(count: NetworkShape.width)

  /// A network without input.
  @export(interface)
  public init(_ model: VoiceModel) {
    var place = model.convolutions
    var stages: [Stage] = []
    stages.reserveCapacity(NetworkShape.layers)
    NetworkShape.forEach { index, layer in
      let inputs = index == 0 ? 3 : layer.inputs
      let bias = UnsafeRawPointer(place).assumingMemoryBound(to: Convolution.Lanes.self)
      let weights = UnsafeRawPointer(place + layer.outputs).assumingMemoryBound(to: Convolution.Lanes.self)
      let convolution = Convolution(
        inputs: inputs, stride: layer.inputs, outputs: layer.outputs, positions: layer.positions, bias: bias,
        weights: weights, hasActivation: index < NetworkShape.layers - 1)
      stages.append(Stage(convolution, layer))
      place += layer.outputs + layer.outputs * 3 * inputs
    }
    self.stages = stages
  }

  /// Clears its state.
  public func reset() {
    for stage in stages { (stage.count, stage.holds) = (0, false) }
  }

  /// Takes a row of 32 bands, and returns the vector of 96 that it completes, valid until the next call.
  public func push(_ row: UnsafePointer<Float>) -> UnsafePointer<Float>? {
    stages[0].next.update(from: row, count: VoiceModel.bands)
    for index in 0..<NetworkShape.layers {
      let stage = stages[index]
      stage.count += 1
      guard !stage.isAlongTime || stage.count >= 3 else { return nil }
      guard index + 1 < NetworkShape.layers else {
        stage.convolution.run(taps(of: stage), into: output.floats)
        wrap(stage)
        return UnsafePointer(output.floats)
      }
      let target = stages[index + 1].next
      let isComplete = run(stage, into: target)
      wrap(stage)
      guard isComplete else { return nil }
    }
    return nil
  }

  /// False when the row waits for the next one in time.
  private func run(_ stage: Stage, into target: UnsafeMutablePointer<Float>) -> Bool {
    guard stage.pool != .none else {
      stage.convolution.run(taps(of: stage), into: target)
      return true
    }
    stage.convolution.run(taps(of: stage), into: scratch.floats)
    let (pairs, width) = (stage.convolution.positions / 2, stage.convolution.outputs)
    guard stage.pool == .both else {
      Self.halve(scratch.floats, pairs, width, into: target)
      return true
    }
    guard stage.holds else {
      Self.halve(scratch.floats, pairs, width, into: stage.held.floats)
      stage.holds = true
      return false
    }
    Self.halve(scratch.floats, pairs, width, into: target)
    for index in 0..<(pairs * width) where stage.held.floats[index] > target[index] {
      target[index] = stage.held.floats[index]
    }
    stage.holds = false
    return true
  }

  /// The maximum of each pair of neighbors in frequency.
  private static func halve(
    _ row: UnsafePointer<Float>, _ pairs: Int, _ width: Int, into target: UnsafeMutablePointer<Float>
  ) {
    for pair in 0..<pairs {
      let (low, high) = (row + 2 * pair * width, row + (2 * pair + 1) * width)
      for index in 0..<width {
        target[pair * width + index] = low[index] > high[index] ? low[index] : high[index]
      }
    }
  }

  /// Row numbers wrap around, so that they stay small.
  private func wrap(_ stage: Stage) { if stage.count >= 6 { stage.count -= 3 } }

  private func taps(of stage: Stage) -> Convolution.Taps {
    let (width, newest) = (stage.convolution.stride, stage.count - 1)
    guard stage.isAlongTime else {
      let row = UnsafePointer(stage.row(newest))
      return .init(first: row, second: row + width, third: row + 2 * width)
    }
    // A 3x3 kernel begins one position before the first, a 3x1 kernel at it.
    let start = stage.convolution.inputs == width ? width : 0
    return .init(
      first: UnsafePointer(stage.row(newest - 2)) + start,
      second: UnsafePointer(stage.row(newest - 1)) + start,
      third: UnsafePointer(stage.row(newest)) + start)
  }
}
