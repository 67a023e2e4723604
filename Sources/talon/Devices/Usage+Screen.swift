/// The help of commands for displays and input devices.
extension Usage {
  static let screen = [
    Usage(
      command: "screen", takesConfiguration: false,
      text: """
        talon screen
        talon screen test [--seconds N] [--device PATH] [--mode WxH[@RATE]] [--rotate DEGREES] [--depth 16|32]
        talon screen test --out FILE [--size WxH]
        talon screen input [--seconds N] [--size WxH] [--rotate DEGREES] [--keyboard LAYOUT]
        talon screen release

        Without words: the displays and the input devices of this board, and the modes that they have.
        test: a test picture until Ctrl-C: a white frame at the very edge, corners in red, green, blue and yellow from
        the upper left row by row, bars, ramps, and an arrow that points up. --rotate is 0, 90, 180 or 270, clockwise.
        With --out it becomes a file (PPM) instead, FILE - standard output.
        input: tells what is touched, turned and typed, by a display of that size. LAYOUT is us, uk, de, fr, es or it.
        release: gives the text console back, when an agent that was killed has left it; the service does so by itself.
        A running agent has the display: stop it first.
        """, values: ["--seconds", "--device", "--mode", "--rotate", "--depth", "--out", "--size", "--keyboard"],
      words: 0...1, dashes: ["--out"])
  ]
}
