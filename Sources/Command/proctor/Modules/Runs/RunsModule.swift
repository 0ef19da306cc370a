extension Modules {
    static var runs: ModuleRows? { ModuleRows(commands: [journalCommand, resetCommand, envCommand]) }
}
