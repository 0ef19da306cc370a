public import ProctorDocument
import ProctorScenario

/// What the exit codes of a command mean, by the neutral names of errors.
public struct ErrorTable: Sendable, Equatable {
    /// The command's name, which is also the name of the file.
    public let client: String
    private let names: [Int: String]

    /// Codes with their names; 0 is the end of a load that went well, whatever stands there.
    public init(client: String, names: [Int: String]) {
        self.client = client
        self.names = names
    }

    /// What an exit code says of the load; a code that is not listed is an error of the command's own name, as `curl#99`.
    ///
    /// The name `ok` is of codes that say no more than that the status is one of an error.
    public func result(ofExit code: Int) -> CommandResult {
        let name = names[code] ?? "\(client)#\(code)"
        return CommandResult(error: code == 0 || name == "ok" ? nil : name)
    }

    /// More than a process can have.
    private static let codes = 1...255

    /// Reads `clients/errors/<client>.yaml`; a file with an error gives no table.
    ///
    ///     client: curl
    ///     errors: { 6: cannotFindHost, 7: cannotConnect }
    public static func parse(_ bytes: [UInt8], file: String) -> (table: ErrorTable?, diagnostics: [Diagnostic]) {
        let (model, diagnostics) = Document.read(bytes, file: file) { read($0, $1) }
        return (model, diagnostics)
    }

    private static func read(_ root: Node, _ sink: DiagnosticSink) -> ErrorTable? {
        guard let reader = MappingReader(root, "a table of errors", keys: ["client", "errors"], sink: sink),
            let client = reader.required("client").flatMap({ sink.nonEmptyText($0, "the client's name") }),
            let node = reader.required("errors")
        else { return nil }
        guard let entries = node.entries, entries.count <= codes.upperBound else {
            sink.report(node, "expected errors as a mapping from exit code to name, found \(node.found)")
            return nil
        }
        var names: [Int: String] = [:]
        for entry in entries {
            guard let code = Int(entry.key), codes.contains(code) else {
                sink.report(entry.keyNode, "expected an exit code from 1 to 255, found \(quoted(entry.key))")
                continue
            }
            names[code] = sink.nonEmptyText(entry.value, "the name of an error")
        }
        return ErrorTable(client: client, names: names)
    }
}
