package import ProctorGrading
import ProctorScenario

extension ExamReport {
    /// JUnit XML: a suite for each scenario, in the order of the verdicts, and one for errors in the ledger.
    package var junit: String {
        let header = ExamHeader(client: client, platform: platform, proctor: "")
        let record = ExamRecord(header: header, cases: verdicts.map { CaseRecord($0) })
        let name = [client, clientVersion].compactMap(\.self).joined(separator: " ")
        return JUnitText.report([record], name: name, ledgerFaults: ledgerFaults)
    }
}

/// JUnit XML of exams: a suite for each scenario, in the order of the cases.
///
/// `fail` and `fixed` are failures; `hang`, `crash`, `setup-failed`, `adapter-error` and a case without any judged
/// claim are errors. A case that was judged in part, or does not apply to the client, is skipped, and so is a failure
/// that the ledger lists, with its reason. All others pass, with their remarks as output.
///
/// A text begins in plain words, and ends with the wanted and the actual value in notation. Each case has the property
/// `kind`; a failure also has `cause`, and `upstream` with the report to the client's project.
package enum JUnitText {
    /// The XML; with several exams, the name of each suite begins with its client.
    package static func report(_ exams: [ExamRecord], name: String, ledgerFaults: [String] = []) -> String {
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let total = JUnitFate.attributes(of: exams.flatMap(\.cases), adding: ledgerFaults.count)
        xml += "<testsuites name=\"\(XMLText.attribute(name))\" \(total)>\n"
        for exam in exams {
            let client = exams.count > 1 ? "\(exam.header.client): " : ""
            for (scenario, suite) in exam.cases.grouped(by: \.id.scenario) {
                let name = XMLText.attribute(client + scenario)
                xml += "  <testsuite name=\"\(name)\" \(JUnitFate.attributes(of: suite))>\n"
                for record in suite { xml += testCase(record, className: name) }
                xml += "  </testsuite>\n"
            }
        }
        return xml + suite(ofLedger: ledgerFaults) + "</testsuites>\n"
    }

    private static func suite(ofLedger faults: [String]) -> String {
        guard !faults.isEmpty else { return "" }
        let count = faults.count
        var xml = "  <testsuite name=\"ledger\" tests=\"\(count)\" failures=\"\(count)\" errors=\"0\" skipped=\"0\">\n"
        for fault in faults {
            xml += "    <testcase classname=\"ledger\" name=\"\(XMLText.attribute(fault))\">\n"
            xml += "      <failure type=\"fixed\" message=\"\(XMLText.attribute(fault))\"/>\n    </testcase>\n"
        }
        return xml + "  </testsuite>\n"
    }

    private static func testCase(_ record: CaseRecord, className: String) -> String {
        let time = record.milliseconds.map { #" time="\#(WireText.number(Double($0) / 1000))""# } ?? ""
        var xml =
            #"    <testcase classname="\#(className)" name="\#(XMLText.attribute(record.id.name))"\#(time)>"# + "\n"
            + "      <properties>\(properties(of: record))</properties>\n"
        let isKnown = record.outcome == "known"
        let message = XMLText.attribute(isKnown ? "known: \(record.reason)" : record.reason)
        let text = XMLText.content(
            (record.lines + (record.isFailure ? record.explanation : []) + record.notation).joined(separator: "\n"))
        switch JUnitFate(record.outcome) {
        case .pass:
            if record.outcome != "pass" || !record.findings.isEmpty || !record.notJudged.isEmpty {
                xml += "      <system-out>\(text)</system-out>\n"
            }
        case .failure:
            xml += #"      <failure type="\#(record.outcome)" message="\#(message)">\#(text)</failure>"# + "\n"
        case .error: xml += #"      <error type="\#(record.outcome)" message="\#(message)">\#(text)</error>"# + "\n"
        case .skipped: xml += #"      <skipped message="\#(message)"/>"# + "\n"
        }
        return xml + "    </testcase>\n"
    }
}

extension JUnitText {
    private static func properties(of record: CaseRecord) -> String {
        let all: [(String, String?)] = [
            ("kind", record.kind.rawValue), ("cause", record.cause), ("upstream", record.upstream?.text),
        ]
        return all.reduce(into: "") { xml, property in
            guard let value = property.1 else { return }
            xml += #"<property name="\#(property.0)" value="\#(XMLText.attribute(value))"/>"#
        }
    }
}

private enum JUnitFate {
    case pass, failure, error, skipped

    /// The kind of a result for an outcome of ``CaseVerdict/Outcome/words``.
    init(_ outcome: String) {
        self =
            switch outcome {
            case "fail", "fixed": .failure
            case "hang", "crash", "not-judged", "setup-failed", "adapter-error": .error
            case "known", "partly", "lacks", "not-in-this-adapter", "skipped": .skipped
            default: .pass
            }
    }

    /// The counts of a suite; `faults` is the number of failures that belong to no case.
    static func attributes(of records: [CaseRecord], adding faults: Int = 0) -> String {
        func count(_ fate: Self) -> Int { records.count { Self($0.outcome) == fate } }
        return #"tests="\#(records.count + faults)" failures="\#(count(.failure) + faults)" "#
            + #"errors="\#(count(.error))" skipped="\#(count(.skipped))""#
    }
}
