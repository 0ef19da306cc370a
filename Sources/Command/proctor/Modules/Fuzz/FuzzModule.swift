extension Modules {
    static var fuzz: ModuleRows? { ModuleRows(commands: [fuzzCommand]) }
}
