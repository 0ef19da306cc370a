extension ModuleRows {
    static let ofMCP = ModuleRows(commands: [mcpCommand])
}
