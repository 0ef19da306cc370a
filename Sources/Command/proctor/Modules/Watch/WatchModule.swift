extension ModuleRows {
    static let ofWatch = ModuleRows(commands: [watchCommand])
}
