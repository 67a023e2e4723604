/// The shape of Google's speech embedding (TensorFlow Hub, `google/speech_embedding/1`): 20 convolutions of three taps,
/// alternately across the bands and along time, and five pooling layers.
enum NetworkShape {
  /// Max pooling: of neighbors in frequency, or also of two rows in time.
  enum Pool: UInt8 { case none, frequency, both }

  struct Layer {
    /// Inputs and outputs of each position.
    var inputs: Int
    var outputs: Int
    /// Positions in frequency.
    var positions: Int
    /// True when the taps are rows in time, false when they are neighbors in frequency.
    var isAlongTime: Bool
    /// The pooling after it.
    var pool: Pool
  }

  /// Convolutions of the network.
  static let layers = 20
  /// Rows of 10 ms for the first vector, and rows between vectors.
  static let reach = 76
  static let stride = 8
  /// Size of a vector.
  static let width = 96

  /// Outputs of the layers of each block between two pools; the first layer's input is the row of bands.
  private static let blocks: [(layers: Int, outputs: Int, pool: Pool)] = [
    (3, 24, .both), (4, 48, .frequency), (4, 72, .both), (4, 96, .frequency), (4, 96, .both), (1, 96, .none),
  ]

  /// Calls `body` with each layer, in order.
  static func forEach(_ body: (Int, Layer) -> Void) {
    var (index, inputs, positions) = (0, 1, VoiceModel.bands)
    for block in blocks {
      for place in 0..<block.layers {
        let layer = Layer(
          inputs: inputs, outputs: block.outputs, positions: positions,
          // The first convolution is 3x3: its taps are in time, and each has three neighbors in frequency.
          isAlongTime: index % 2 == 0 || index == layers - 1,
          pool: place == block.layers - 1 ? block.pool : .none)
        body(index, layer)
        inputs = block.outputs
        index += 1
      }
      if block.pool != .none { positions /= 2 }
    }
  }

  /// Number of biases and weights of all layers.
  static var floats: Int {
    var sum = 0
    forEach { index, layer in sum += layer.outputs + layer.outputs * 3 * (index == 0 ? 3 : layer.inputs) }
    return sum
  }
}
