extension Modules {
    static var adapter: ModuleRows? { ModuleRows(commands: [adapterCommand]) }
}
