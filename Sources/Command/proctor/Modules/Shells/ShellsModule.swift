extension Modules {
    static var shells: ModuleRows? { ModuleRows(commands: [completionsCommand]) }
}
