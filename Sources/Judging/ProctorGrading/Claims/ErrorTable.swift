package import ProctorDocument
import ProctorEvents
import ProctorJournal
import ProctorScenario

package struct ErrorTable: Sendable, Equatable {
    package let client: String
    /// The names by exit code; code 0 always means success, even when the table has a name for it.
    let names: [Int: String]

    /// The result for an exit code; a code that is not in the table is an error with the command's name, as `curl#99`.
    ///
    /// The name `ok` is for codes that only report an HTTP status of 400 or above.
    package func result(ofExit code: Int) -> CommandResult {
        let name = names[code] ?? "\(client)#\(code)"
        return CommandResult(error: code == 0 || name == "ok" ? nil : name)
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

/// The result of a command that writes no trace, from its exit code.
public struct CommandResult: Sendable, Equatable {
    /// The client-independent name of the error; nil means that the load succeeded.
    public let error: String?
}

extension CaseEvidence {
    /// Evidence for a command: it has no callbacks, and its result contains at most the end of the load.
    static func ofCommand(_ entries: [JournalEntry], result: CommandResult?) -> CaseEvidence {
        var evidence = CaseEvidence(reportedLanes: [.harness], reportedFacts: [], journal: entries)
        guard let result else { return evidence }
        evidence.reportedFacts = [.error]
        var event = TraceEvent(sequence: 1, time: nil, lane: .harness, task: 0, name: .result, argument: nil, facts: [])
        if let error = result.error { event.facts.append(EventFact(.error, .text(error))) }
        evidence.events = [event]
        return evidence
    }
}
