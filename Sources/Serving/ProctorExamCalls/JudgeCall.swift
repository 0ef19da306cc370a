internal import ProctorBase
internal import ProctorEvents
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorLoop
import ProctorReplies
import ProctorScenario
import ProctorServer
internal import ProctorServing

/// What a program has to know of a judgement beside its outcome.
enum JudgementCode: String, CaseIterable {
    /// No client made a connection, so that nothing was judged.
    case noClientCame = "no-client-came"
    /// The scenario has several cases and none was named, so that nothing was judged.
    case noCase = "no-case"
    /// An exchange that the scenario expects was asked for by fewer requests than that.
    case neverCame = "never-came"
    /// A request came that no exchange expects.
    case unexpectedRequest = "unexpected-request"
    /// When the wait was over, a request or a handshake was not.
    case stillUnderWay = "still-under-way"
}

extension ControlAPI {
    /// Milliseconds that the call waits for the end of what is under way.
    private static let waitRange = 0...30_000
    private static let defaultWait = 5_000
    /// How long nothing may come until a run without open requests is judged.
    private static let quiet = Duration.milliseconds(100)

    /// Judges a run for a test: waits until nothing of it is under way, and takes what the client reports as it is given.
    ///
    /// The body is empty, the results of the client's steps (``GivenResults``), or a trace.
    func judgeRun(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let hasNoCase = request.query["case"] == nil && run.scenario.cases.count > 1
        let item = hasNoCase ? Case.ofAnyRequests(in: run.scenario) : try gradedItem(of: run, request)
        let wait = request.query["within"] == nil ? Self.defaultWait : try request.number("within", in: Self.waitRange)
        let wantsReport = try request.switch("report")
        let results = try GivenResults.trace(of: request.body)
        let isBusy = await run.journal.waitForQuiet(
            Self.quiet, on: request.loop, within: .milliseconds(wait), whileStays: request.peer)
        let task = try await task(results ?? request.body, of: run, by: item, request)
        let judged = try await judge(request.body.count, for: request) { budget in
            let graded = try task.judge(within: budget)
            var judgement = Judgement(graded, of: run, within: budget)
            if isBusy { judgement.codes.append(.stillUnderWay) }
            if hasNoCase { judgement.refuse(.noCase, "say which case to judge by; \(run.casesText)") }
            // A trace tells what a client without a connection has done.
            if results != nil, let absence = graded.verdict.noConnection {
                judgement.refuse(.noClientCame, absence, advice: run.directions)
            }
            return (
                answer: judgement.json(report: wantsReport), shown: graded.shown, outcome: judgement.outcome.word
            )
        }
        if !request.body.isEmpty { run.addJudgedTrace(judged.shown) }
        numbers.verdicts.count(judged.outcome)
        return .json(judged.answer)
    }
}

extension Run {
    fileprivate var casesText: String { "\(scenario.id) has \(scenario.cases.map(\.name).joined(separator: ", "))" }

    /// Where a client has to go.
    fileprivate var directions: String {
        let proxy = namesProxy.map { "; its hosts have names: the client needs the proxy \($0)" } ?? ""
        return "\(scenario.id): the server listens at \(base)\(proxy)"
    }
}

/// The answer of the calls `judge`.
struct Judgement {
    private let graded: GradedTrace
    private let run: Run
    private let timeline: String
    private(set) var outcome: CaseVerdict.Outcome
    private var isFailure: Bool
    private var sentence: String?
    private var text: String
    var codes: [JudgementCode] = []
    /// The controls that are to be asked before the verdict is more than this.
    var controls: [ExamControl] = []

    init(_ graded: GradedTrace, of run: Run, within budget: WorkBudget) {
        (self.graded, self.run) = (graded, run)
        isFailure = graded.verdict.isFailure
        let verdict = graded.verdict
        let timeline = Timeline(graded.evidence, verdict: verdict, within: budget)
        self.timeline = timeline.description
        outcome = verdict.outcome
        sentence = isFailure ? verdict.reason : nil
        text = verdict.text(around: timeline, notation: false)
        for finding in verdict.failures {
            switch finding.subject {
            case .unasked: add(.neverCame)
            case .miss: add(.unexpectedRequest)
            default: break
            }
        }
    }

    private mutating func add(_ code: JudgementCode) { if !codes.contains(code) { codes.append(code) } }

    /// In an exam a should of which nothing was judged fails no test: it is skipped with the reason.
    mutating func passOverUnjudged() { if graded.verdict.reasonToSkip != nil { (isFailure, sentence) = (false, nil) } }

    /// Nothing is judged, for a reason that comes before all that a case says.
    mutating func refuse(_ code: JudgementCode, _ sentence: String, advice: String? = nil) {
        codes.append(code)
        outcome = .notJudged
        isFailure = true
        self.sentence = sentence
        text = "\(sentence)\n\(advice ?? "\n\(timeline)")"
    }

    func json(report: Bool) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            json.member("run", run.id)
            json.member("scenario", run.scenario.id)
            if !codes.contains(.noCase) { json.member("case", graded.verdict.id.name) }
            json.member("outcome", outcome.word)
            json.member("isFailure", isFailure)
            json.member("isPartial", outcome == .partly)
            json.texts("codes", codes.map(\.rawValue))
            if codes.contains(.noCase) { json.texts("cases", run.scenario.cases.map(\.name)) }
            if let sentence { json.member("sentence", sentence) }
            if !controls.isEmpty { json.texts("controls", controls.map(\.name)) }
            let reason = graded.evidence.failedControl ?? (isFailure ? nil : graded.verdict.reasonToSkip)
            if outcome != .pass, let reason { json.member("unjudged", reason) }
            json.member("timeline", timeline)
            json.member("text", text)
            let whole = VerdictReport(graded.verdict, graded.evidence)
            json.member("requestCount", whole.requestCount)
            if report {
                json.member("summary", whole.summary)
                json.member("wideTimeline", whole.wideTimeline)
            }
            json.key("verdict")
            json.value(complete: Array(graded.verdict.json.dropLast()))
        }
        json.lineEnd()
        return json.bytes
    }
}
