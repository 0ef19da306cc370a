import ProctorBase
package import ProctorDocument

package struct ErrorTable: Sendable, Equatable {
    package let client: String
    /// The names by exit code; code 0 always means success, even when the table has a name for it.
    let names: [Int: String]
    /// What the command writes to standard error where it exits with 0 after an error, and the error's name, in their order.
    let sentences: [Sentence]

    struct Sentence: Sendable, Equatable {
        let text: String
        let name: String
    }

    /// The error of an exit code, nil where it means success.
    ///
    /// A code that is not in the table is an error with the command's name, as `curl#99`. The name `ok` is for codes that only report an HTTP status of 400 or above.
    package func error(ofExit code: Int) -> String? {
        let name = names[code] ?? "\(client)#\(code)"
        return code == 0 || name == "ok" ? nil : name
    }

    /// The error of a command that may tell it on standard error alone: of several texts the first of the table counts.
    package func error(ofExit code: Int, saying standardError: [UInt8]) -> String? {
        guard code == 0 else { return error(ofExit: code) }
        return sentences.first { standardError.firstRange(ofBytes: $0.text.utf8) != nil }?.name
    }

    /// The codes beside 0 that only report an HTTP status of 400 or above.
    package var harmlessCodes: [Int] { names.filter { $0.value == "ok" }.keys.sorted() }

    /// The exit codes that a process can have, without 0.
    private static let codes = 1...255

    /// Reads `clients/errors/<client>.yaml`; a file with an error gives no table.
    ///
    ///     client: curl
    ///     errors: { 6: cannotFindHost, 7: cannotConnect }
    ///     says: { "Connection refused": cannotConnect }
    package static func parse(_ bytes: [UInt8], file: String) -> (table: ErrorTable?, diagnostics: [Diagnostic]) {
        let (model, diagnostics) = Document.read(bytes, file: file) { read($0, $1) }
        return (model, diagnostics)
    }

    private static func read(_ root: Node, _ sink: DiagnosticSink) -> ErrorTable? {
        guard let reader = MappingReader(root, "a table of errors", keys: ["client", "errors", "says"], sink: sink),
            let client = reader.required("client").flatMap({ sink.nonEmptyText($0, "the client's name") })
        else { return nil }
        let sentences = reader["says"].map { self.sentences($0, sink) } ?? []
        guard let node = reader["says"] == nil ? reader.required("errors") : reader["errors"] else {
            return sentences.isEmpty ? nil : ErrorTable(client: client, names: [:], sentences: sentences)
        }
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
        return ErrorTable(client: client, names: names, sentences: sentences)
    }

    private static func sentences(_ node: Node, _ sink: DiagnosticSink) -> [Sentence] {
        guard let entries = node.entries, entries.count <= codes.upperBound else {
            sink.report(node, "expected what standard error says as a mapping from text to name, found \(node.found)")
            return []
        }
        return entries.compactMap { entry in
            guard !entry.key.isEmpty else {
                sink.report(entry.keyNode, "expected a part of what standard error says, found an empty text")
                return nil
            }
            return sink.nonEmptyText(entry.value, "the name of an error").map { Sentence(text: entry.key, name: $0) }
        }
    }
}

extension ErrorTable {
    /// A table without a code, for a command whose codes have no known meaning.
    package init(client: String) { self.init(client: client, names: [:], sentences: []) }
}
