extension Modules {
    static var watch: ModuleRows? { ModuleRows(commands: [watchCommand]) }
}
