package import ProctorBase
internal import ProctorDocument
package import ProctorEvents
package import ProctorGrading
internal import ProctorJournal
internal import ProctorLoop
import ProctorNotation
internal import ProctorScenario

/// A trace to judge.
package struct GradingTask: Sendable {
    let body: [UInt8]
    let journal: Journal.Snapshot
    let grader: CaseGrader
    let ending: ClientEnding
    let scenario: Scenario

    package func judge(within budget: WorkBudget) throws -> GradedTrace {
        var collector = TraceCollector(file: "body")
        try collector.read(body.span, within: budget)
        let trace = try collector.finish()
        guard trace.header != nil || !trace.events.isEmpty else {
            let hint = trace.misspelling.map { "; line \($0.line): did '\($0.word)' mean '\($0.nearest)'?" }
            throw TraceReadingError(
                location: SourceLocation(file: "body", line: 1, column: 1),
                sentence: "there is no event in it: send JSON lines or a log that names delegate methods, as they are "
                    + "(curl: --data-binary @FILE)" + (hint ?? ""))
        }
        let evidence = CaseEvidence(
            trace, journal: journal.entries, droppedCount: journal.droppedCount, ending: ending)
        return try judge(trace, by: evidence, within: budget)
    }

    /// Judges what was read before, by evidence that has more in it.
    package func judge(_ trace: Trace, by evidence: CaseEvidence, within budget: WorkBudget) throws -> GradedTrace {
        let verdict = grader.grade(evidence, within: budget).naming(
            UnaskedExchanges(of: scenario, in: journal.entries))
        // Nobody reads the answer of cancelled work.
        if budget.spent == .cancelled { throw SpentBudget.cancelled }
        return GradedTrace(trace: trace, evidence: evidence, verdict: verdict)
    }
}

/// A judged trace.
package struct GradedTrace: Sendable {
    package let trace: Trace
    package let evidence: CaseEvidence
    package let verdict: CaseVerdict

    /// The verdict with the text for a person.
    func json(report: Bool, within budget: WorkBudget) -> [UInt8] {
        let timeline = Timeline(evidence, verdict: verdict, within: budget)
        return verdict.json(
            text: verdict.text(around: timeline, notation: false),
            report: report ? VerdictReport(verdict, evidence) : nil)
    }

    /// The callbacks of a trace and the verdict about them; only times of the journal's clock can be placed in it.
    package var shown: [UInt8] {
        let callbacks = trace.events.filter { $0.phase == .enter }
        var json = JSONText()
        json.open("{")
        json.member("clock", trace.header?.isMonotonic == false ? "other" : "monotonic")
        let rest = callbacks.count - GradedTraces.eventLimit
        if rest > 0 { json.member("more", rest) }
        json.objects("events", of: callbacks.prefix(GradedTraces.eventLimit)) { json, event in
            json.member("n", event.sequence)
            switch event.time {
            case .monotonic(let nanoseconds)?: json.member("ns", nanoseconds)
            case .elsewhere(let milliseconds)?: json.member("ms", milliseconds)
            case nil: break
            }
            json.member("lane", event.laneID.description)
            json.member("text", PrintableText.sanitize(event.symbol.description, limit: 200))
            json.member("words", PrintableText.sanitize(NotationSymbol(event.symbol).words, limit: 200))
            json.texts("details", EventText.allFacts(of: event))
        }
        json.key("verdict")
        // Its line end ends no event of a stream.
        json.value(complete: Array(verdict.json.dropLast()))
        json.close("}")
        return json.bytes
    }
}
