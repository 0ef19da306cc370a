import ProctorBase
import ProctorEvents
package import ProctorGrading
package import ProctorScenario

/// Exams as SARIF 2.1.0, which code scanning and editors read: a result for each failure, at the place of its case.
package enum SARIFText {
    /// Failures of `kinds` are errors, others warnings; what a ledger lists is a note, and suppressed.
    package static func report(_ exams: [ExamRecord], failingOn kinds: Set<Case.Kind>) -> String {
        var json = JSONText()
        json.object { json in
            json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.member("version", "2.1.0")
            // A run is of one tool; each client is an analysis of its own.
            json.objects("runs", of: exams) { json, exam in
                let records = exam.cases.filter { $0.isFailure || $0.outcome == "known" }
                writeTool(exam, records, to: &json)
                json.object("automationDetails") { $0.member("id", "proctor/\(exam.header.client)") }
                json.objects("results", of: records) { writeResult($1, of: exam.header.client, kinds, to: &$0) }
            }
        }
        json.lineEnd()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func writeTool(_ exam: ExamRecord, _ records: [CaseRecord], to json: inout JSONText) {
        json.object("tool") { json in
            json.object("driver") { json in
                json.member("name", "proctor")
                json.member("version", exam.header.proctor)
                json.objects("rules", of: records.grouped(by: \.id.scenario)) { json, rule in
                    json.member("id", rule.0)
                    guard let summary = rule.1.first?.summary else { return }
                    json.object("shortDescription") { $0.member("text", EventText.printable(summary, limit: 1_000)) }
                }
            }
        }
    }

    private static func writeResult(
        _ record: CaseRecord, of client: String, _ kinds: Set<Case.Kind>, to json: inout JSONText
    ) {
        let isCounted = record.isFailure && (kinds.isEmpty || record.isFailure(on: kinds))
        json.member("ruleId", record.id.scenario)
        json.member("level", isCounted ? "error" : record.isFailure ? "warning" : "note")
        json.object("message") { $0.member("text", FailureSentence.text(of: record, client: client)) }
        json.objects("locations", of: [record]) { json, record in
            if let file = record.file {
                json.object("physicalLocation") { json in
                    json.object("artifactLocation") { $0.member("uri", address(of: file)) }
                    json.object("region") { $0.member("startLine", max(1, record.line ?? 1)) }
                }
            }
            json.objects("logicalLocations", of: [record.id]) { $0.member("fullyQualifiedName", $1.description) }
        }
        json.object("partialFingerprints") { $0.member("case/v1", "\(client) \(record.id)") }
        guard record.outcome == "known" else { return }
        json.objects("suppressions", of: [record]) { json, record in
            json.member("kind", "external")
            json.member("justification", EventText.printable(record.ledgerReason ?? record.reason, limit: 1_000))
        }
    }

    /// A path as a reference (RFC 3986): relative to the sources, or a `file:` URL.
    private static func address(of path: String) -> String {
        let escaped = path.utf8.map { byte -> String in
            // Unreserved characters, and the slash between segments.
            let isPlain = 48...57 ~= byte || 65...90 ~= byte || 97...122 ~= byte || "/-._~".utf8.contains(byte)
            guard !isPlain else { return String(Unicode.Scalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return (path.utf8.first == UInt8(ascii: "/") ? "file://" : "") + escaped.joined()
    }
}

/// Failures as commands of GitHub's runner, which shows them beside the lines of a change.
package enum AnnotationText {
    /// A line for each failure; those of `kinds` are errors, others warnings.
    package static func lines(_ exams: [ExamRecord], failingOn kinds: Set<Case.Kind>) -> [String] {
        exams.flatMap { exam in
            exam.cases.filter(\.isFailure).map { record in
                let place = record.file.map { "file=\(property($0)),line=\(max(1, record.line ?? 1))," } ?? ""
                let word = kinds.isEmpty || record.isFailure(on: kinds) ? "error" : "warning"
                let text = escaped(FailureSentence.text(of: record, client: exam.header.client), "%\r\n")
                return "::\(word) \(place)title=\(property(record.id.description))::\(text)"
            }
        }
    }

    private static func property(_ text: String) -> String { escaped(text, "%\r\n:,") }

    private static func escaped(_ text: String, _ special: String) -> String {
        text.unicodeScalars.map { scalar in
            guard special.unicodeScalars.contains(scalar) else { return String(scalar) }
            return "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        }.joined()
    }
}

/// What a tool that shows failures says of one.
private enum FailureSentence {
    static func text(of record: CaseRecord, client: String) -> String {
        let reason = record.reason.isEmpty ? record.outcome : record.reason
        return EventText.printable("\(client): \(record.id) (\(record.kind.rawValue)): \(reason)", limit: 2_000)
    }
}
