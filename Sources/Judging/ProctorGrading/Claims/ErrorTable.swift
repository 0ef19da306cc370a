package import ProctorDocument

package struct ErrorTable: Sendable, Equatable {
    package let client: String
    /// The names by exit code; code 0 always means success, even when the table has a name for it.
    let names: [Int: String]

    /// The error of an exit code, nil where it means success.
    ///
    /// A code that is not in the table is an error with the command's name, as `curl#99`. The name `ok` is for codes that only report an HTTP status of 400 or above.
    package func error(ofExit code: Int) -> String? {
        let name = names[code] ?? "\(client)#\(code)"
        return code == 0 || name == "ok" ? nil : name
    }

    /// The exit codes that a process can have, without 0.
    private static let codes = 1...255

    /// Reads `clients/errors/<client>.yaml`; a file with an error gives no table.
    ///
    ///     client: curl
    ///     errors: { 6: cannotFindHost, 7: cannotConnect }
    package static func parse(_ bytes: [UInt8], file: String) -> (table: ErrorTable?, diagnostics: [Diagnostic]) {
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

extension ErrorTable {
    /// A table without a code, for a command whose codes have no known meaning.
    package init(client: String) { self.init(client: client, names: [:]) }
}
