internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// What `proctor run` says of a command: what its requests are worth, and how it ended.
struct CommandVerdict {
    let scenario: Scenario
    /// nil where the run was set no case.
    let item: Case?
    let wire: WireVerdict
    let outcome: ChildProcess.Outcome
    /// Whether an exit code other than 0 is no failure.
    let ignoresExit: Bool
    /// Whether the meaning of exit codes was given.
    let readsExit: Bool
    /// Milliseconds from the command's start to its end.
    let milliseconds: Int
    /// What the server saw and did, line by line.
    let timeline: [String]
    /// What may have kept the command from coming; nil where nothing is known.
    let hint: String?

    /// What is wrong with how the command ended, a sentence; nil where nothing is.
    var exitFault: String? {
        switch outcome {
        case .notStarted, .timedOut: return "the command \(outcome.phrase)"
        case .ended(.exited(0)): return nil
        case .ended(let end):
            guard !ignoresExit, !isForCase(end) else { return nil }
            return "the command \(outcome.phrase); with --ignore-exit its requests alone are judged"
        }
    }

    /// Whether the exit code is what the load came to, which the case judges, or has nothing to say of.
    private func isForCase(_ end: ProcessEnd) -> Bool {
        guard readsExit, let item, case .exited = end else { return false }
        return item.isAboutRequestsAlone || wire.judgesEnd
    }

    var isFailure: Bool { exitFault != nil || wire.isFailure }

    /// One word.
    private var word: String { exitFault == nil ? wireWord : "fail" }

    private var wireLines: [String] {
        wire.description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private var wireWord: String { wireLines[0] }

    /// What is below the word.
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

    /// The timeline, and the verdict below it.
    func text(in style: Style) -> String {
        let name = item.map { "\(scenario.id)#\($0.name) (\($0.kind.rawValue))" } ?? "\(scenario.id) (no case)"
        var lines = ["\(name), and the command \(outcome.phrase)", ""]
        lines += timeline.map { "  \($0)" }
        lines += ["", isFailure ? style.bad(word) : style.good(word)] + details
        if let hint { lines += ["", hint] }
        return lines.joined(separator: "\n") + "\n"
    }

    /// JUnit XML with one test case.
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

    /// Whether the case says how the load ends, and the exit code was read as that.
    fileprivate var judgesEnd: Bool {
        claims.contains { judged in
            guard case .end = judged.claim.saying else { return false }
            return judged.isJudged
        }
    }
}
