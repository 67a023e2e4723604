@main
struct TalonLab {
  static func main() { print("talon-lab") }
}
