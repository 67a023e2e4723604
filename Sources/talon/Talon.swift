@main
struct Talon {
  static func main() { print("talon") }
}
