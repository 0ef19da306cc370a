/// A flag that a command understands; help, parsing and suggestions all come from it.
struct Flag: Sendable {
    /// With its dashes: `--port`.
    let name: String
    /// What stands for the value in help; nil for a flag without one.
    let value: String?
    let help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}
