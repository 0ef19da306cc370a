extension Modules {
    static var mcp: ModuleRows? { ModuleRows(commands: [mcpCommand]) }
}
