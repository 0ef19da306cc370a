internal import ProctorProving
internal import ProctorServer

extension Modules {
    static let imports: ModuleRows? = ModuleRows(
        commands: [importCommand, exportCommand],
        serve: { _, configuration in configuration.calls += ImportCalls.ofServer() })
}
