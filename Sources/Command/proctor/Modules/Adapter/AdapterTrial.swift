internal import ProctorEvents
internal import ProctorExam
internal import ProctorGrading
internal import ProctorRules
internal import ProctorScenario
internal import ProctorServer

/// The result of one of the small cases that test an adapter.
struct TrialResult: Sendable {
    let trial: TrialCase
    let state: State
    let sitting: Sitting

    enum State: Sendable, Equatable {
        case done
        /// The client lacks the ability, or the adapter declares that it can't run the case; the reason is a sentence.
        case notForClient(String)
        /// Why the case failed, a sentence.
        case missing(String)
        /// Why neither this case nor the next ones can be run, a sentence.
        ///
        /// The adapter does not start, or its trace can't be read.
        case stopped(String)
    }

    /// What the author of the adapter does next, a sentence in the imperative.
    var advice: String {
        guard case .adapterError = sitting.verdict.outcome else { return trial.advice }
        return "correct the trace of '\(trial.name)', which can't be read"
    }
}

/// Runs an adapter on ten small cases; each case needs one more feature of the adapter than the case before.
struct AdapterTrial: Sendable {
    private let examiner: Examiner

    /// Longer than any of the cases takes.
    private static let deadlineMilliseconds = 5_000

    /// What the author may build next to make exams quick, a sentence; nil where one process takes many assignments, or
    /// where that was not tried.
    var modeRemark: String? {
        guard examiner.hasFoundOneAssignment else { return nil }
        return
            "each case has a process of its own, since the trace does not end with an empty line; an adapter whose process "
            + "takes many assignments is several times quicker (Docs/clients/kits.md, Many assignments in one process)"
    }

    /// The scenarios that the catalogue of the server must contain.
    static var catalogue: Catalogue { Catalogue(TrialCase.all.map(\.scenario)) }

    /// `server` serves ``catalogue``.
    init(_ adapter: Adapter, on server: Server, speaking wantedProtocol: RunProtocol = .http11) {
        var examiner = Examiner(server: server, adapter: adapter, platform: .neutral, speaking: wantedProtocol)
        examiner.deadlineLimit = Self.deadlineMilliseconds
        examiner.keepsTexts = true
        self.examiner = examiner
    }

    /// Runs the cases in their order; each takes at most its deadline and the watchdog's.
    ///
    /// A result that is `stopped` is the last one.
    func run(_ onResult: (TrialResult) -> Void) async {
        for (index, trial) in TrialCase.all.enumerated() {
            let scenario = trial.scenario
            guard let item = scenario.cases.first else { continue }
            let sitting = await examiner.sit(item, of: scenario)
            let stop = index == 0 ? Self.stop(sitting) : nil
            let state = stop.map { .stopped($0) } ?? Self.state(of: trial, sitting)
            onResult(TrialResult(trial: trial, state: state, sitting: sitting))
            guard stop == nil else { return }
        }
    }

    /// Why every other case would fail as the first one did; nil when the other cases are worth running.
    private static func stop(_ sitting: Sitting) -> String? {
        if case .adapterError(let fault) = sitting.verdict.outcome {
            return fault.line == nil ? "the adapter did not start: \(fault)" : "the trace can't be read: \(fault)"
        }
        guard sitting.wasAsked, sitting.header == nil else { return nil }
        let end =
            switch sitting.evidence.ending {
            case .exited(let code, _): "it exited with \(code) before the header of its trace"
            case .crashed(let signal, _): "\(signal) ended it before the header of its trace"
            case .hung(let milliseconds, _): "it wrote no header in \(milliseconds) ms"
            case .couldNotStart, .finished, .outOfBounds: sitting.verdict.reason
            }
        return "the adapter did not start: \(end)"
    }

    private static func state(of trial: TrialCase, _ sitting: Sitting) -> TrialResult.State {
        switch sitting.verdict.outcome {
        case .pass: return .done
        case .lacks, .notInThisAdapter, .skipped: return .notForClient(sitting.verdict.reason)
        // A client that reports no callbacks of such a load leaves only its result to grade.
        case .partly: return sitting.saidResult ? .done : .missing("the adapter wrote no result")
        case .observed, .hang:
            guard trial.name == "silence" else { return .missing(sitting.verdict.reason) }
            guard sitting.evidence.ending == .finished else { return .missing("it did not exit by itself in time") }
            return sitting.saidResult ? .done : .missing("it ended without a result of the step")
        case .fail, .crash, .known, .fixed, .notJudged, .setupFailed, .adapterError:
            return .missing(sitting.verdict.reason)
        }
    }

    /// What the header of a trace lacks although reports and ledgers need it, a sentence each.
    static func remarks(on header: TraceHeader) -> [String] {
        var remarks: [String] = []
        if header.client == nil { remarks.append("the header has no 'client', the name by which ledgers know it") }
        if header.clientVersion == nil { remarks.append("the header has no 'clientVersion', as the client writes it") }
        if header.adapter == nil { remarks.append("the header has no 'adapter', the name of the adapter itself") }
        if header.adapterVersion == nil { remarks.append("the header has no 'adapterVersion'") }
        if header.abilities == nil {
            remarks.append(
                "the header has no 'abilities': the client is taken to have nearly all, and fails cases that it never "
                    + "claimed to do")
        }
        if header.facts == nil, header.lanes == [.harness] {
            remarks.append("the header has no 'facts': each fact that a result leaves out counts as absent")
        }
        if !header.isMonotonic {
            remarks.append("'clock' is not monotonic: events are shown beside the wire, not among it")
        }
        return remarks
    }
}

extension Sitting {
    fileprivate var saidResult: Bool { evidence.events.contains { $0.name == .result } }
}
