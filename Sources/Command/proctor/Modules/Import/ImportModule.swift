internal import ProctorProving
internal import ProctorServer

extension ModuleRows {
    static let ofImport = ModuleRows(
        commands: [importCommand, exportCommand],
        serve: { _, configuration in configuration.calls += ImportCalls.ofServer() })
}
