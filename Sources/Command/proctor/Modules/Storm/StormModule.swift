extension Modules {
    static var storm: ModuleRows? { ModuleRows(commands: [stormCommand]) }
}
