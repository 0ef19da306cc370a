extension Modules {
    static var record: ModuleRows? { ModuleRows(commands: [recordCommand]) }
}
