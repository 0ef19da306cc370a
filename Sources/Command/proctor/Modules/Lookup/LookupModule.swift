extension Modules {
    static var lookup: ModuleRows? { ModuleRows(commands: [listCommand, searchCommand, explainCommand]) }
}
