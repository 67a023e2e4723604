@main
struct TalonGateway {
  static func main() { print("talon-gateway") }
}
