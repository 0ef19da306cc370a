package import ProctorGrading
import ProctorScenario

extension ExamReport {
    /// JUnit XML: a suite for each scenario, in the order of the verdicts, and one for errors in the ledger.
    package var junit: String {
        var header = ExamHeader(client: client, platform: platform, proctor: "")
        if hasLedger { header.ledger = client }
        let record = ExamRecord(header: header, cases: verdicts.map { CaseRecord($0) })
        let name = [client, clientVersion].compactMap(\.self).joined(separator: " ")
        let gate = ExamGate(failingOn: Set(Case.Kind.allCases))
        return JUnitText.report(
            ExamResults([record], faults: ledgerFaults.map { ExamFault(.ledger, $0) }, gate: gate), name: name)
    }
}

/// JUnit XML of exams: a suite for each scenario, in the order of the cases.
///
/// `fail` and `fixed` are failures; `hang`, `crash`, `setup-failed`, `adapter-error` and a case without any judged
/// claim are errors. What does not fail the exam is skipped, with its reason: a failure that does not count, or that
/// the ledger lists, a case that was judged in part, and one that does not apply to the client. All others pass, with
/// their remarks as output.
///
/// A text begins in plain words, and ends with the wanted and the actual value in notation. Each case has the property
/// `kind`; a failure also has `cause`, and `upstream` with the report to the client's project.
package enum JUnitText {
    /// The XML; with several exams, the name of each suite begins with its client.
    package static func report(_ results: ExamResults, name: String) -> String {
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let faults = results.faults.map { fate(of: $0, results.gate) }
        let cases = results.exams.flatMap { exam in
            exam.cases.map { fate(of: $0, exam.header, results.gate) }
        }
        xml += "<testsuites name=\"\(XMLText.attribute(name))\" \(attributes(of: cases + faults))>\n"
        for exam in results.exams {
            let client = results.exams.count > 1 ? "\(exam.header.client): " : ""
            for (scenario, suite) in exam.cases.grouped(by: \.id.scenario) {
                let name = XMLText.attribute(client + scenario)
                let fates = suite.map { fate(of: $0, exam.header, results.gate) }
                let output = suite.first?.id == exam.cases.first?.id ? unasked(exam) : ""
                xml += "  <testsuite name=\"\(name)\" \(attributes(of: fates))>\n"
                for record in suite { xml += testCase(record, exam.header, results.gate, className: name) }
                xml += "\(output)  </testsuite>\n"
            }
        }
        return xml + results.faultsByKind.map { suite(of: $0.0, $0.1, results.gate) }.joined() + "</testsuites>\n"
    }

    private static func fate(of record: CaseRecord, _ header: ExamHeader, _ gate: ExamGate) -> CaseFate {
        CaseFate(record.outcome, counts: gate.isFailed(by: record, of: header))
    }

    private static func fate(of fault: ExamFault, _ gate: ExamGate) -> CaseFate {
        guard gate.isFailed(by: fault) else { return .skipped }
        return fault.kind == .ledger ? .failure : .error
    }

    /// The counts of a suite.
    private static func attributes(of fates: [CaseFate]) -> String {
        func count(_ fate: CaseFate) -> Int { fates.count { $0 == fate } }
        return #"tests="\#(fates.count)" failures="\#(count(.failure))" errors="\#(count(.error))" "#
            + #"skipped="\#(count(.skipped))""#
    }

    /// What was not asked, as the output of the client's first suite.
    private static func unasked(_ exam: ExamRecord) -> String {
        let lines = UnaskedCases(exam).lines
        guard !lines.isEmpty else { return "" }
        return "    <system-out>\(XMLText.content(lines.joined(separator: "\n")))</system-out>\n"
    }

    private static func suite(of kind: ExamFault.Kind, _ faults: [ExamFault], _ gate: ExamGate) -> String {
        let name = kind.rawValue
        var xml = "  <testsuite name=\"\(name)\" \(attributes(of: faults.map { fate(of: $0, gate) }))>\n"
        for fault in faults {
            let sentence = XMLText.attribute(fault.sentence)
            xml += "    <testcase classname=\"\(name)\" name=\"\(sentence)\">\n"
            let element =
                switch fate(of: fault, gate) {
                case .failure: "failure type=\"fixed\""
                case .error: "error type=\"\(name)\""
                case .pass, .skipped: "skipped"
                }
            xml += "      <\(element) message=\"\(sentence)\"/>\n    </testcase>\n"
        }
        return xml + "  </testsuite>\n"
    }

    private static func testCase(
        _ record: CaseRecord, _ header: ExamHeader, _ gate: ExamGate, className: String
    ) -> String {
        let time = record.milliseconds.map { #" time="\#(WireText.number(Double($0) / 1000))""# } ?? ""
        var xml =
            #"    <testcase classname="\#(className)" name="\#(XMLText.attribute(record.id.name))"\#(time)>"# + "\n"
            + "      <properties>\(properties(of: record))</properties>\n"
        let message = XMLText.attribute(record.reason)
        let text = XMLText.content(
            (record.lines + (record.isFailure ? record.explanation : []) + record.notation).joined(separator: "\n"))
        switch fate(of: record, header, gate) {
        case .pass:
            if record.outcome != "pass" || !record.findings.isEmpty || !record.notJudged.isEmpty {
                xml += "      <system-out>\(text)</system-out>\n"
            }
        case .failure:
            xml += #"      <failure type="\#(record.outcome)" message="\#(message)">\#(text)</failure>"# + "\n"
        case .error: xml += #"      <error type="\#(record.outcome)" message="\#(message)">\#(text)</error>"# + "\n"
        case .skipped:
            let uncounted = record.isFailure ? gate.reasonNotToCount(record, of: header) : nil
            let label =
                uncounted.map { "\(record.outcome), which does not count (\($0)): " }
                ?? (record.outcome == "known" ? "known: " : "")
            let reason = label + record.reason
            xml += #"      <skipped message="\#(XMLText.attribute(reason))"/>"# + "\n"
            if uncounted != nil { xml += "      <system-out>\(text)</system-out>\n" }
        }
        return xml + "    </testcase>\n"
    }

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
