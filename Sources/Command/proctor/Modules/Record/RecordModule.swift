extension ModuleRows {
    static let ofRecord = ModuleRows(commands: [recordCommand])
}
