internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// The result of `proctor run`: the verdict on requests, and how the command ended.
struct CommandVerdict {
    let scenario: Scenario
    /// nil where the run was set no case.
    let item: Case?
    let wire: WireVerdict
    let outcome: ChildProcess.Outcome
    let ignoresExit: Bool
    let readsExit: Bool
    let milliseconds: Int
    let timeline: [String]
    /// Why the command may have made no requests; nil where unknown.
    let hint: String?

    /// What is wrong with the command's end, as a sentence; nil: nothing.
    var exitFault: String? {
        switch outcome {
        case .notStarted, .timedOut: return "the command \(outcome.phrase)"
        case .ended(.exited(0)): return nil
        case .ended(let end):
            guard !ignoresExit, !isForCase(end) else { return nil }
            return "the command \(outcome.phrase); with --ignore-exit its requests alone are judged"
        }
    }

    /// Whether the exit code is a result that the case judges, or has no meaning.
    private func isForCase(_ end: ProcessEnd) -> Bool {
        guard readsExit, let item, case .exited = end else { return false }
        return item.isAboutRequestsAlone || wire.judgesEnd
    }

    var isFailure: Bool { exitFault != nil || wire.isFailure }

    private var word: String { exitFault == nil ? wireWord : "fail" }

    private var wireLines: [String] {
        wire.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private var wireWord: String { wireLines[0] }

    private var details: [String] {
        var lines: [String] = []
        if let exitFault { lines += [exitFault, "the requests alone: \(wireWord)"] }
        lines += wireLines.dropFirst()
        if item == nil {
            lines.append("without a case only misses, unreadable requests and endless repeating are judged: \(noCase)")
        }
        return lines
    }

    private var noCase: String {
        scenario.cases.isEmpty
            ? "\(scenario.id) has none" : "say --case with one of \(scenario.cases.map(\.name).joined(separator: ", "))"
    }

    func text(in style: Style) -> String {
        let name = item.map { "\(scenario.id)#\($0.name) (\($0.kind.rawValue))" } ?? "\(scenario.id) (no case)"
        var lines = ["\(name), and the command \(outcome.phrase)", ""]
        lines += timeline.map { "  \($0)" }
        lines += ["", isFailure ? style.bad(word) : style.good(word)] + details
        if let hint { lines += ["", hint] }
        return lines.joined(separator: "\n") + "\n"
    }

    var junit: String {
        let counts = "tests=\"1\" failures=\"\(isFailure ? 1 : 0)\" errors=\"0\" skipped=\"0\""
        let suite = XMLText.attribute(scenario.id)
        let seconds = "\(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"proctor run\" \(counts)>",
            "  <testsuite name=\"\(suite)\" \(counts)>",
            "    <testcase classname=\"\(suite)\" name=\"\(XMLText.attribute(item?.name ?? "no case"))\" time=\"\(seconds)\">",
        ]
        if isFailure {
            let message = XMLText.attribute(exitFault ?? wireLines.dropFirst().first ?? word)
            let text = XMLText.content(([word] + details).joined(separator: "\n"))
            let kind = XMLText.attribute(String(word.prefix { $0 != ":" }))
            lines.append("      <failure type=\"\(kind)\" message=\"\(message)\">\(text)</failure>")
        }
        let shown = isFailure ? timeline : [word] + details + timeline
        lines.append("      <system-out>\(XMLText.content(shown.joined(separator: "\n")))</system-out>")
        return (lines + ["    </testcase>", "  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }
}

extension WireVerdict {
    fileprivate var isFailure: Bool {
        switch outcome {
        case .pass, .partly, .observed: false
        case .fail, .notJudged, .setupFailed: true
        }
    }

    /// Whether the case expects a result, and the exit code is read as one.
    fileprivate var judgesEnd: Bool {
        claims.contains { judged in
            guard case .end = judged.claim.saying else { return false }
            return judged.isJudged
        }
    }
}
