internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorFixtures
package import ProctorGrading
internal import ProctorJournal
package import ProctorProgram
package import ProctorScenario

/// A case that shows whether a client has an ability which another case only forbids it to use: a plain one that is built in, or
/// one of the library that an ability or a scenario names.
///
/// A client that fails every load also fails the loads that must fail; a client without a cookie store sends none of
/// the cookies that it must not send.
package struct ExamControl: Hashable, Sendable {
    let kind: Kind
    let isSecure: Bool
    /// As an origin names it: `http/1.1`, `h2` or `h3`.
    let protocolName: String
    /// How a plain load comes to its server; straight for other controls.
    let way: ControlWay
    /// The kind of task of its loads, where a client may do no other; nil: a data task.
    let task: Assignment.TaskKind?
    /// The case of the library, `family/scenario#case`; nil: the case is built in.
    let libraryCase: String?

    package typealias Kind = ControlKind

    /// The control for an assignment: its protocol, a way to the server as it has one, and the scheme of its first URL,
    /// or https where the run came to it by a redirect.
    init(_ kind: Kind, of assignment: Assignment, hasHandshakes: Bool) {
        let isOverTLS = assignment.steps.first?.url.lowercased().hasPrefix("https:") ?? false
        self.init(
            kind, isSecure: isOverTLS || hasHandshakes && assignment.session.proxy == nil,
            over: assignment.protocolName ?? Self.protocolNames[0], way: ControlWay(of: assignment.session),
            task: assignment.steps.first?.task)
    }

    /// A case of the library as a control; it has its own protocol, and goes its own way.
    init(case name: String) {
        (kind, isSecure, protocolName, way) = (.ability, false, Self.protocolNames[0], .straight)
        (task, libraryCase) = (nil, name)
    }

    /// The control of that ``name``; nil where there is none, or where this program lacks what it needs, such as SOCKS.
    ///
    /// Whether the library has a case of that name is known when its scenario is asked for.
    package init?(named name: String) {
        if name.contains("#") {
            self.init(case: name)
            return
        }
        for kind in Kind.allCases where kind != .ability {
            for isSecure in [false, true] {
                for protocolName in Self.protocolNames {
                    for way in ControlWay.all {
                        for task in [nil] + Self.tasksAlone {
                            self.init(kind, isSecure: isSecure, over: protocolName, way: way, task: task)
                            if self.name == name, builtIn().scenario != nil { return }
                        }
                    }
                }
            }
        }
        return nil
    }

    private static let protocolNames = ["http/1.1", "h2", "h3"]

    /// What some clients do and nothing beside it: requests of NSURLConnection without a delegate.
    private static let tasksAlone: [Assignment.TaskKind] = [.synchronous, .queued]

    private init(_ kind: Kind, isSecure: Bool, over protocolName: String, way: ControlWay, task: Assignment.TaskKind?) {
        // No case asks for a client's certificate over HTTP/3.
        let isPlain = kind == .identity && protocolName == "h3" || !Self.protocolNames.contains(protocolName)
        self.kind = kind
        self.protocolName = isPlain ? Self.protocolNames[0] : protocolName
        self.isSecure = isSecure || kind == .identity || protocolName == "h3"
        self.way = kind == .load ? way : .straight
        self.task = task.flatMap { Self.tasksAlone.contains($0) ? $0 : nil }
        libraryCase = nil
    }

    /// The words by which the control API names the control: `load-by-http`, `load-by-https-through-socks5h`, `grpc/request#call`.
    package var name: String { libraryCase ?? builtInName }

    private var builtInName: String {
        "\(kind.rawValue)-by-\(scheme)\(protocolSuffix)\(way.suffix)\(taskSuffix)"
    }

    private var taskSuffix: String { task.map { "-as-\($0.rawValue)" } ?? "" }

    private var protocolSuffix: String { protocolName == Self.protocolNames[0] ? "" : "-\(protocolName)" }

    private var scheme: String { isSecure ? "https" : "http" }

    /// A scenario with the control as its only case; nil where it is of the library, and `library` lacks it.
    ///
    /// The text of a plain one is a constant of this module.
    package func scenario(in library: (String) -> Scenario?) -> Scenario? {
        if let libraryCase {
            let parts = libraryCase.split(separator: "#", maxSplits: 1).map(String.init)
            return parts.count == 2 ? library(parts[0])?.holding(case: parts[1]) : nil
        }
        let (scenario, diagnostics) = builtIn()
        guard let scenario else { preconditionFailure("a built-in scenario has errors: \(diagnostics)") }
        return scenario
    }

    private func builtIn() -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let id = "control/\(name)"
        let origin = "scheme: \(scheme), protocols: [\(protocolName)]"
        let text = ContainedFile.chapter(kind.rawValue, of: "Fixtures/controls.yaml")
            .replacing(text: "$ORIGIN", with: origin + way.origins)
            .replacing(text: "$SESSION", with: way.session)
            .replacing(text: Self.answer, with: Self.answer + (task.map { ", task: \($0.rawValue)" } ?? ""))
        return ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id) (built in)")
    }

    /// What stands in each step of the controls.
    private static let answer = "onChallenge: default"

    /// Why a pass of another case shows nothing, half a sentence, by the outcome of the control; nil when it was passed.
    ///
    /// nil also when the outcome allows no conclusion.
    package func reason(_ outcome: CaseVerdict.Outcome) -> String? {
        switch outcome {
        case .pass, .fixed, .observed, .skipped: return nil
        // A failure of the control that the client's ledger knows is one all the same.
        case .known: return kind == .ability ? failure : nil
        case .setupFailed: return "the control \(name) could not be set up, so that what was left undone shows nothing"
        // A load that the client's adapter can't run is no failure of the client.
        case .partly where kind == .load, .lacks where kind == .load, .notInThisAdapter where kind == .load: return nil
        case .fail, .hang, .crash, .notJudged, .adapterError, .partly, .lacks, .notInThisAdapter: return failure
        }
    }

    /// Why a pass of another case shows nothing, half a sentence, where nobody has asked for the control.
    package var absence: String {
        "the client was not asked for the control \(name), so that what it left undone shows nothing"
    }

    /// Why a pass of another case shows nothing, half a sentence, where the client fails the control.
    package var failure: String {
        switch kind {
        case .ability: "the control \(name) was not passed, so that a refusal shows nothing"
        case .load: "a plain GET by \(scheme)\(way.words) went wrong too, so that a failure shows nothing"
        case .cookie: "a plain cookie did not come back either, so that one left out shows nothing"
        case .cache: "a fresh reply was asked for again too, so that a request for another shows nothing"
        case .field: "a plain field of the program did not go out either"
        case .expect: "a plain upload came without its Expect too"
        case .identity: "a server that requires a certificate was shown none"
        case .launch: "a plain cookie with a lifetime did not outlive the process either"
        case .store: "a plain cookie of the application was not sent either"
        case .silence, .limit: "a load that fell silent was not given up after such a time either"
        }
    }
}

extension CaseEvidence {
    /// The controls that a verdict by this evidence rests on: what the client left undone counts only where it can do it.
    ///
    /// A known failure rests on a load that ends well; a client that can load nothing is known to no ledger.
    package func controls(
        of item: Case, by assignment: Assignment, after outcome: CaseVerdict.Outcome
    ) -> [ExamControl] {
        guard outcome == .pass || outcome == .known else { return [] }
        var kinds: [ExamControl.Kind] = []
        if tellsFailuresAlone { kinds.append(.load) }
        guard outcome == .pass else { return kinds.map { control($0, by: assignment) } }
        let ofAbilities = tellsFailuresAlone ? item.namesOfControls.map(ExamControl.init(case:)) : []
        if leavesCookiesOut(item) { kinds.append(.cookie) }
        if leavesCacheOut(item) { kinds.append(.cache) }
        // What drives a protocol class by itself loads nothing, and can meet no plain case.
        if !isOfProtocol { kinds += item.controlsOfKeys.filter { !kinds.contains($0) } }
        return kinds.map { control($0, by: assignment) } + ofAbilities
    }

    private func control(_ kind: ExamControl.Kind, by assignment: Assignment) -> ExamControl {
        let hasHandshakes = journal?.contains { entry in
            guard case .clientHello = entry.event else { return false }
            return true
        }
        return ExamControl(kind, of: assignment, hasHandshakes: hasHandshakes ?? false)
    }

    /// Notes what came of a control: why what was left undone shows nothing; nil where the client passed the control.
    ///
    /// Of several controls of abilities, the first one that failed counts.
    package mutating func setReason(_ reason: String?, for control: ExamControl) {
        if control.kind == .ability, failedControls[.ability] != nil { return }
        failedControls[control.kind] = reason
    }
}

extension Case {
    /// The cases of the library that a client must pass before its refusals count: that of the scenario, or those of the needed
    /// abilities.
    package var namesOfControls: [String] {
        if let control { return [control.name] }
        return Ability.allCases.filter(needs.contains).compactMap(\.row.control)
    }
}

/// What is known of the controls of one client.
package struct KnownControls: Sendable {
    private var reasons: [ExamControl: String?] = [:]
    private var failureCounts: [ExamControl: Int] = [:]

    /// How often a control must fail before it counts as failed: a busy machine can make one fail.
    package static let attempts = 3

    package init() {}

    /// Why what the client left undone shows nothing, or nil where it passed the control; nil where nothing is known yet.
    package subscript(control: ExamControl) -> String?? { reasons[control] }

    /// Notes the outcome of one sitting of a control, and tells whether it is to be asked again.
    package mutating func record(_ outcome: CaseVerdict.Outcome, of control: ExamControl) -> Bool {
        let reason = control.reason(outcome)
        if reason != nil {
            failureCounts[control, default: 0] += 1
            guard failureCounts[control, default: 0] >= Self.attempts else { return true }
        }
        reasons[control] = .some(reason)
        return false
    }
}
