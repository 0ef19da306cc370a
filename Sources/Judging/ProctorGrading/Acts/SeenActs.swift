import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorScenario

/// What a trace and the wire show of one step: the acts of the program, its questions and answers, its requests.
struct SeenActs {
    let grading: CaseGrading
    let step: Int

    var program: ClientProgram { grading.item.client[step] }
    var session: SessionProgram? { grading.item.client.first?.session }

    /// The acts of that name that the adapter reports of the step, in order.
    func acts(_ name: EventName) -> EventList {
        grading.index.events(ofTask: step).selecting { $0.lane == .harness && $0.name == name }
    }

    /// The calls of that name that the client made of its user in the step, in order.
    func calls(_ name: EventName) -> EventList {
        grading.index.events(ofTask: step).selecting { $0.isCallback && $0.lane != .session && $0.name == name }
    }

    /// The requests of the step that arrived; those of steps that run together are among them.
    ///
    /// One that was answered before the step began is of a step before, though both may lie within the bound of clocks.
    var requests: [SeenExchange] {
        let begin = acts(.resume).first?.nanoseconds ?? 0
        return grading.record?.exchanges.filter {
            grading.isInWindow($0.nanoseconds, ofStep: step) && $0.replyNanoseconds ?? .max >= begin
        } ?? []
    }

    /// Whether the client reports what it is asked and what it answers.
    var tellsAnswers: Bool { grading.evidence.reportsLoads && grading.hasAnswers }

    /// The end of the step's load in the trace; nil where there is none.
    var end: TraceEvent? {
        grading.index.events(ofTask: step).first {
            switch $0.lane {
            case .task: $0.name == .complete
            case .handler: $0.name == .handler || $0.name == .awaited
            case .harness: $0.name == .result
            default: false
            }
        }
    }

    /// Why the call that began the load is another one, half a sentence; nil where the client does not report its calls.
    func lackOfCall(_ word: String, _ what: String) -> String? {
        guard let call = acts(.resume).first?.facts.text(.sel), !call.lowercased().contains(text: word.lowercased())
        else {
            return nil
        }
        return "nothing shows that \(what): the call was \(EventText.printable(call, limit: 80))"
    }

    // MARK: Moments

    /// Why an act did not come at its moment, half a sentence; nil where it did.
    func lackOfAct(_ act: TraceEvent?, at moment: Moment, _ what: String) -> String? {
        guard let act else { return "nothing shows that \(what)" }
        let begin = acts(.resume).first
        switch moment {
        case .beforeResume:
            guard let begin, begin.sequence < act.sequence else { return nil }
            return "the load had begun before \(what)"
        case .afterResume: return nil
        case .event(let word, let count):
            guard grading.evidence.reportsLoads, let name = EventName(rawValue: word) else { return nil }
            let passed = grading.index.events(ofTask: step).lazy
                .filter { $0.isCallback && $0.name == name && $0.sequence < act.sequence }.prefix(count).count
            return passed == count ? nil : "\(word) had come \(Plural.count(passed, "time")) when \(what)"
        }
    }

    /// Milliseconds from one event to another; nil where their times can't be compared.
    static func milliseconds(from start: TraceEvent, to end: TraceEvent) -> Double? {
        switch (start.time, end.time) {
        case (.monotonic(let start)?, .monotonic(let end)?): end < start ? 0 : Double(end - start) / 1_000_000
        case (.elsewhere(let start)?, .elsewhere(let end)?): end - start
        default: nil
        }
    }

    /// Why less than that many milliseconds lie between two events, half a sentence; nil where they do, or it is unknown.
    static func lackOfTime(_ milliseconds: Int, from start: TraceEvent, to end: TraceEvent, _ what: String) -> String? {
        guard let passed = Self.milliseconds(from: start, to: end), passed + tolerance < Double(milliseconds) else {
            return nil
        }
        return "\(what) \(Int(passed)) ms later"
    }

    /// Milliseconds by which a timer may be early.
    private static let tolerance = 1.0
}
