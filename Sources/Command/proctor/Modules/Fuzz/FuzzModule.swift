extension ModuleRows {
    static let ofFuzz = ModuleRows(commands: [fuzzCommand])
}
