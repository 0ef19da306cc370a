extension ExamReport {
    /// JUnit XML: a suite for each scenario, in the order of the verdicts, and one more for what is wrong with the ledger.
    ///
    /// `fail` and `fixed` are failures; `hang`, `crash` and `setup-failed` are errors, and so is a case of which
    /// nothing was judged; one that was judged in part, or is none for the client, is skipped; all others pass, with what there is to say as their output.
    public var junit: String {
        var order: [String] = []
        var suites: [String: [CaseVerdict]] = [:]
        for verdict in verdicts {
            if suites[verdict.id.scenario] == nil { order.append(verdict.id.scenario) }
            suites[verdict.id.scenario, default: []].append(verdict)
        }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        let total = JUnitCounts(verdicts)
        let name = [client, clientVersion].compactMap(\.self).joined(separator: " ")
        xml += "<testsuites name=\"\(XMLText.attribute(name))\" \(total.attributes(adding: ledgerFaults.count))>\n"
        for scenario in order {
            let suite = suites[scenario] ?? []
            xml += "  <testsuite name=\"\(XMLText.attribute(scenario))\" \(JUnitCounts(suite).attributes())>\n"
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
        let time = verdict.milliseconds.map { " time=\"\(WireText.number(Double($0) / 1000))\"" } ?? ""
        let head =
            "    <testcase classname=\"\(XMLText.attribute(verdict.id.scenario))\""
            + " name=\"\(XMLText.attribute(verdict.id.name))\"\(time)"
        let message = XMLText.attribute(verdict.reason)
        let text = XMLText.content(verdict.description)
        let child: String
        switch JUnitCounts.Fate(verdict.outcome) {
        case .pass:
            guard verdict.outcome != .pass || !verdict.findings.isEmpty || !verdict.notJudged.isEmpty else {
                return head + "/>\n"
            }
            child = "<system-out>\(text)</system-out>"
        case .failure: child = "<failure type=\"\(verdict.outcome.word)\" message=\"\(message)\">\(text)</failure>"
        case .error: child = "<error type=\"\(verdict.outcome.word)\" message=\"\(message)\">\(text)</error>"
        case .skipped: child = "<skipped message=\"\(message)\"/>"
        }
        return "\(head)>\n      \(child)\n    </testcase>\n"
    }
}

/// How many verdicts JUnit takes for what.
private struct JUnitCounts {
    private let total: Int
    private var failures = 0
    private var errors = 0
    private var skipped = 0

    enum Fate {
        case pass, failure, error, skipped

        init(_ outcome: CaseVerdict.Outcome) {
            self =
                switch outcome {
                case .pass, .known, .observed: .pass
                case .fail, .fixed: .failure
                case .hang, .crash, .notJudged, .setupFailed: .error
                case .partly, .lacks, .notInThisAdapter, .skipped: .skipped
                }
        }
    }

    init(_ verdicts: [CaseVerdict]) {
        total = verdicts.count
        for verdict in verdicts {
            switch Fate(verdict.outcome) {
            case .pass: break
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
    }

    func attributes(adding faults: Int = 0) -> String {
        "tests=\"\(total + faults)\" failures=\"\(failures + faults)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
    }
}

/// Text in XML 1.0; what XML cannot hold even as a reference is written `\xHH`.
package enum XMLText {
    /// Between tags; line feeds and tabs stay.
    package static func content(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// Between double quotes; line feeds and tabs become references, or a reader would turn them into spaces.
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
                // Char of XML 1.0 §2.2; C1 controls are permitted there and useless.
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
