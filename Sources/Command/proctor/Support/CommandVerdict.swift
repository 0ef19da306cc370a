internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// The result of `proctor run`: the verdict on requests, and how the command ended.
struct CommandVerdict {
    let scenario: Scenario
    /// The case; nil when the run has none.
    let item: Case?
    let wire: WireVerdict
    let outcome: ChildProcess.Outcome
    let ignoresExit: Bool
    let readsExit: Bool
    let milliseconds: Int
    let timeline: [String]
    /// Why the command may have made no requests; nil when unknown.
    let hint: String?
    /// A sentence when the client closed a connection before its reply was complete; nil when it did not.
    let departure: String?
    /// What a table of errors would say of the exit code; nil where that is clear.
    let remedy: String?
    /// Whether expressions and other notation are printed.
    let isVerbose: Bool
    /// Whether the command does the load of the case, so that its exit and its output are judged.
    let isLoad: Bool
    /// Which outcomes fail the command, by the rule of exams.
    let failing: FailingCases

    /// A sentence about a wrong end of the command; nil when the end is right.
    var exitFault: String? {
        switch outcome {
        case .notStarted, .timedOut: return "the command \(outcome.phrase)"
        case .ended(.exited(0)): return nil
        case .ended(let end):
            guard !ignoresExit, !isForCase(end) else { return nil }
            return "the command \(outcome.phrase); with --ignore-exit its requests alone are judged"
        }
    }

    /// Whether the exit code is a result that the case judges, or a code without a meaning.
    private func isForCase(_ end: ProcessEnd) -> Bool {
        guard readsExit, let item, case .exited = end else { return false }
        return item.isAboutRequestsAlone || wire.judgesEnd
    }

    /// A wrong end of the command counts as a failed must.
    var isFailure: Bool {
        exitFault != nil && failing.include("fail", of: .must)
            || failing.include(wire.outcome.word, of: item?.kind ?? .must)
    }

    /// Whether something is wrong, though it may not count.
    private var isWrong: Bool { exitFault != nil || FailingCases().include(wire.outcome.word, of: .must) }

    /// The first failure in one sentence; nil when nothing failed.
    ///
    /// A client that did not read a reply to its end did not send the requests after it.
    var sentence: String? {
        let isUnaskedAlone = wire.failures.allSatisfy { if case .unasked = $0.subject { true } else { false } }
        if isUnaskedAlone, let departure, let exitFault { return "\(departure), and \(exitFault)" }
        if let sentence = wire.sentence { return sentence }
        if case .setupFailed(let reason) = wire.outcome { return reason }
        return exitFault
    }

    private var word: String { exitFault == nil ? wire.outcome.word : "fail" }

    private func details(_ isWhole: Bool) -> [String] {
        var lines: [String] = []
        if let exitFault, exitFault != sentence { lines.append(exitFault) }
        if exitFault != nil { lines.append("the requests alone: \(wire.outcome.word)") }
        if let remedy, isWrong { lines.append(remedy) }
        lines += wire.text(details: isWhole, after: isWrong ? sentence : nil).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropFirst().map(
            String.init)
        if !isLoad, wire.claims.contains(where: { $0.claim.subject == .reply && $0.counts && !$0.isJudged }) {
            lines.append(
                "if the command does the load of the case, write its URL as \(CommandLoad.mark), or say --body FILE (- is its "
                    + "output): then its exit and what it wrote are judged")
        }
        if item == nil {
            lines.append("without a case these fail: \(UnaskedExchanges.ruleWithoutCase); \(noCase)")
        }
        return lines
    }

    private var noCase: String {
        scenario.cases.isEmpty
            ? "\(scenario.id) has none" : "say --case with one of \(scenario.cases.map(\.name).joined(separator: ", "))"
    }

    /// The text of the verdict.
    ///
    /// A failure begins with its sentence; then follow the command's end, the timeline and each finding. Any other text
    /// begins with the command's end and the timeline, after which the word of the outcome follows.
    func text(in style: Style) -> String {
        let name = item.map { "\(scenario.id)#\($0.name) (\($0.kind.rawValue))" } ?? "\(scenario.id) (no case)"
        var lines: [String] = []
        if isWrong {
            let uncounted = isFailure ? "" : ", which does not count (--fail-on)"
            lines.append([style.bad(word) + uncounted, sentence].compactMap(\.self).joined(separator: ": "))
        }
        lines.append("\(name), and the command \(outcome.phrase)")
        if !timeline.isEmpty { lines += [""] + timeline.map { "  \($0)" } }
        let details = details(isVerbose)
        if !isWrong {
            lines += ["", style.good(word)] + details
        } else if !details.isEmpty {
            lines += [""] + details
        }
        if let hint { lines += ["", hint] }
        return lines.joined(separator: "\n") + "\n"
    }

    var junit: String {
        let fate = CaseFate(word, counts: isFailure)
        func count(_ other: CaseFate) -> Int { fate == other ? 1 : 0 }
        let counts =
            "tests=\"1\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\" skipped=\"\(count(.skipped))\""
        let suite = XMLText.attribute(scenario.id)
        let seconds = "\(milliseconds / 1_000).\(String(1_000 + milliseconds % 1_000).dropFirst())"
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"proctor run\" \(counts)>",
            "  <testsuite name=\"\(suite)\" \(counts)>",
            "    <testcase classname=\"\(suite)\" name=\"\(XMLText.attribute(item?.name ?? "no case"))\" time=\"\(seconds)\">",
        ]
        let message = XMLText.attribute(sentence ?? word)
        let text = XMLText.content(([sentence ?? word] + details(false)).joined(separator: "\n"))
        switch fate {
        case .pass: break
        case .failure: lines.append("      <failure type=\"\(word)\" message=\"\(message)\">\(text)</failure>")
        case .error: lines.append("      <error type=\"\(word)\" message=\"\(message)\">\(text)</error>")
        case .skipped: lines.append("      <skipped message=\"\(message)\"/>")
        }
        let shown = isWrong ? timeline + ["", "in detail:"] + details(true) : [word] + details(true) + timeline
        lines.append("      <system-out>\(XMLText.content(shown.joined(separator: "\n")))</system-out>")
        return (lines + ["    </testcase>", "  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
    }
}

extension WireVerdict {
    /// Whether the case expects a result, and the exit code is interpreted as one.
    fileprivate var judgesEnd: Bool {
        claims.contains { judged in
            guard case .end = judged.claim.saying else { return false }
            return judged.isJudged
        }
    }
}
