extension ExamReport {
    /// JUnit XML: a suite for each scenario, in the order of the verdicts, and one for faults of the ledger.
    ///
    /// `fail` and `fixed` are failures; `hang`, `crash`, `setup-failed` and a case without any judged claim are
    /// errors; a case that was judged in part, or does not apply to the client, is skipped; all others pass, with
    /// their notes as output.
    package var junit: String {
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let total = JUnitFate.attributes(of: verdicts, adding: ledgerFaults.count)
        let name = [client, clientVersion].compactMap(\.self).joined(separator: " ")
        xml += "<testsuites name=\"\(XMLText.attribute(name))\" \(total)>\n"
        for (scenario, suite) in verdicts.grouped(by: \.id.scenario) {
            xml += "  <testsuite name=\"\(XMLText.attribute(scenario))\" \(JUnitFate.attributes(of: suite))>\n"
            for verdict in suite { xml += Self.testCase(verdict) }
            xml += "  </testsuite>\n"
        }
        xml += ledgerSuite
        return xml + "</testsuites>\n"
    }

    private var ledgerSuite: String {
        guard !ledgerFaults.isEmpty else { return "" }
        let count = ledgerFaults.count
        var xml = "  <testsuite name=\"ledger\" tests=\"\(count)\" failures=\"\(count)\" errors=\"0\" skipped=\"0\">\n"
        for fault in ledgerFaults {
            xml += "    <testcase classname=\"ledger\" name=\"\(XMLText.attribute(fault))\">\n"
            xml += "      <failure type=\"fixed\" message=\"\(XMLText.attribute(fault))\"/>\n    </testcase>\n"
        }
        return xml + "  </testsuite>\n"
    }

    private static func testCase(_ verdict: CaseVerdict) -> String {
        let time = verdict.milliseconds.map { #" time="\#(WireText.number(Double($0) / 1000))""# } ?? ""
        let head =
            #"    <testcase classname="\#(XMLText.attribute(verdict.id.scenario))""#
            + #" name="\#(XMLText.attribute(verdict.id.name))"\#(time)"#
        let message = XMLText.attribute(verdict.reason)
        let text = XMLText.content(verdict.description)
        let child: String
        switch JUnitFate(verdict.outcome) {
        case .pass:
            guard verdict.outcome != .pass || !verdict.findings.isEmpty || !verdict.notJudged.isEmpty else {
                return head + "/>\n"
            }
            child = "<system-out>\(text)</system-out>"
        case .failure: child = #"<failure type="\#(verdict.outcome.word)" message="\#(message)">\#(text)</failure>"#
        case .error: child = #"<error type="\#(verdict.outcome.word)" message="\#(message)">\#(text)</error>"#
        case .skipped: child = #"<skipped message="\#(message)"/>"#
        }
        return "\(head)>\n      \(child)\n    </testcase>\n"
    }
}

private enum JUnitFate {
    case pass, failure, error, skipped

    init(_ outcome: CaseVerdict.Outcome) {
        self =
            switch outcome {
            case .pass, .known, .observed: .pass
            case .fail, .fixed: .failure
            case .hang, .crash, .notJudged, .setupFailed, .adapterError: .error
            case .partly, .lacks, .notInThisAdapter, .skipped: .skipped
            }
    }

    /// The counts of a suite; `faults` are failures that belong to no case.
    static func attributes(of verdicts: [CaseVerdict], adding faults: Int = 0) -> String {
        func count(_ fate: Self) -> Int { verdicts.count { Self($0.outcome) == fate } }
        return #"tests="\#(verdicts.count + faults)" failures="\#(count(.failure) + faults)" "#
            + #"errors="\#(count(.error))" skipped="\#(count(.skipped))""#
    }
}

/// Text in XML 1.0; a character that XML cannot hold even as a reference becomes `\xHH`.
package enum XMLText {
    package static func content(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// Text between double quotes; line feeds and tabs become references, because a reader turns plain ones into
    /// spaces.
    package static func attribute(_ text: String) -> String { escaped(text, keepsLines: false) }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n" where keepsLines, "\t" where keepsLines: result.unicodeScalars.append(scalar)
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            default:
                // Char of XML 1.0 §2.2; C1 controls are permitted there, but useless.
                if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE {
                    result += "\\x" + String(scalar.value, radix: 16, uppercase: true)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
