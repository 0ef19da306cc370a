import ProctorBase
import ProctorEvents
package import ProctorGrading
import ProctorScenario

/// Exams as SARIF 2.1.0, which code scanning and editors read: a result for each failure, at the place of its case.
package enum SARIFText {
    /// What fails the exam is an error, another failure a warning; what a ledger lists is a note, and suppressed.
    package static func report(_ results: ExamResults) -> String {
        var json = JSONText()
        json.object { json in
            json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.member("version", "2.1.0")
            // A run is of one tool; each client is an analysis of its own.
            json.objects("runs", of: results.exams.map(Optional.some) + (results.faults.isEmpty ? [] : [nil])) {
                json, exam in
                guard let exam else { return writeFaults(results, to: &json) }
                let records = exam.cases.filter { $0.isFailure || $0.outcome == "known" }
                writeTool(exam, records, to: &json)
                json.object("automationDetails") { $0.member("id", "proctor/\(exam.header.client)") }
                json.objects("results", of: records) { writeResult($1, of: exam.header, results.gate, to: &$0) }
            }
        }
        json.lineEnd()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// What is wrong beside the cases, as a run of its own, since it is at no place of a case.
    private static func writeFaults(_ results: ExamResults, to json: inout JSONText) {
        json.object("tool") { $0.object("driver") { $0.member("name", "proctor") } }
        json.object("automationDetails") { $0.member("id", "proctor/faults") }
        json.objects("results", of: results.faults) { json, fault in
            json.member("ruleId", fault.kind.rawValue)
            json.member("level", results.gate.isFailed(by: fault) ? "error" : "warning")
            json.object("message") { $0.member("text", EventText.printable(fault.sentence, limit: 2_000)) }
        }
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
        _ record: CaseRecord, of header: ExamHeader, _ gate: ExamGate, to json: inout JSONText
    ) {
        let client = header.client
        let isCounted = gate.isFailed(by: record, of: header)
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
    /// A line for each failure and each fault: what fails the exam is an error, all else a warning.
    package static func lines(_ results: ExamResults) -> [String] {
        let cases = results.exams.flatMap { exam in
            exam.cases.filter(\.isFailure).map { record in
                let place = record.file.map { "file=\(property($0)),line=\(max(1, record.line ?? 1))," } ?? ""
                let word = results.gate.isFailed(by: record, of: exam.header) ? "error" : "warning"
                let text = escaped(FailureSentence.text(of: record, client: exam.header.client), "%\r\n")
                return "::\(word) \(place)title=\(property(record.id.description))::\(text)"
            }
        }
        return cases
            + results.faults.map { fault in
                let word = results.gate.isFailed(by: fault) ? "error" : "warning"
                return "::\(word) title=\(fault.kind.rawValue)::\(escaped(fault.sentence, "%\r\n"))"
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
