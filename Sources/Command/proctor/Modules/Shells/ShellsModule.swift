extension ModuleRows {
    static let ofShells = ModuleRows(commands: [completionsCommand])
}
