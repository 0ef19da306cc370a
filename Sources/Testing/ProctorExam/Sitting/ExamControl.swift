internal import ProctorBase
import ProctorFixtures
import ProctorGrading
import ProctorProgram
import ProctorScenario

/// A plain case that shows whether a client has an ability which another case only forbids it to use.
///
/// A client that fails every load also fails the loads that must fail; a client without a cookie store sends none of
/// the cookies that it must not send.
struct ExamControl: Hashable {
    let kind: Kind
    let isSecure: Bool
    let isHTTP2: Bool

    enum Kind: Hashable {
        /// A load succeeds.
        case load
        /// A cookie that was set is sent back.
        case cookie
        /// A fresh stored response is used without another request.
        case cache
    }

    /// The control for an assignment, with the scheme of its first URL and its protocol.
    init(_ kind: Kind, of assignment: Assignment) {
        self.kind = kind
        isSecure = assignment.steps.first?.url.lowercased().hasPrefix("https:") ?? false
        isHTTP2 = assignment.protocolName == "h2"
    }

    private var scheme: String { isSecure ? "https" : "http" }

    /// The scenario; its text is a constant of this module.
    var scenario: Scenario {
        let id = "control/\(kind)-by-\(scheme)\(isHTTP2 ? "-h2" : "")"
        let origin = "scheme: \(scheme), protocols: [\(isHTTP2 ? "h2" : "http/1.1")]"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(text(origin).utf8), id: id, file: "\(id) (built in)")
        guard let scenario else { preconditionFailure("a built-in scenario has errors: \(diagnostics)") }
        return scenario
    }

    private func text(_ origin: String) -> String {
        switch kind {
        case .load:
            """
            summary: A plain load ends well
            spec: RFC 9110 §15.3.1
            origins: { main: { \(origin) } }
            exchanges: [ { request: GET /control, reply: { status: 200, headers: { Content-Type: text/plain }, body: "control\\n" } } ]
            cases:
              control:
                client: { url: /control, onChallenge: default }
                facts: { status: 200, body: "control\\n" }
            """
        case .cookie:
            """
            summary: A cookie comes back
            spec: RFC 6265 §5.4
            origins: { main: { host: control.example.org, \(origin) } }
            exchanges:
              - { request: GET /set, reply: { status: 200, headers: { Set-Cookie: control=1 }, body: "set\\n" } }
              - { request: GET /page, reply: { status: 200, body: "page\\n" } }
            cases:
              control:
                client: [ { url: /set, onChallenge: default }, { url: /page, onChallenge: default } ]
                cookies: conforming
                facts: { "wire[1].cookies.control": "1" }
            """
        case .cache:
            """
            summary: A fresh reply is not asked for again
            spec: RFC 9111 §4.2
            origins: { main: { \(origin) } }
            exchanges:
              - request: GET /page
                reply: { status: 200, headers: { Date: "{{now}}", Cache-Control: max-age=3600 }, body: "page\\n" }
            cases:
              control:
                client:
                  - { url: /page, session: { cache: 1048576 }, onChallenge: default }
                  - { url: /page, onChallenge: default }
                wire: request(GET /page)
                facts: { "step[1].body": "page\\n" }
            """
        }
    }

    /// Why a pass of the other case shows nothing, half a sentence; nil when the client passed the control.
    ///
    /// nil also when the sitting of the control allows no conclusion.
    func reason(_ sitting: Sitting) -> String? {
        switch sitting.verdict.outcome {
        case .pass, .known, .fixed, .observed, .skipped, .setupFailed: return nil
        // A load that the client's adapter can't run is no failure of the client.
        case .partly where kind == .load, .lacks where kind == .load, .notInThisAdapter where kind == .load: return nil
        case .fail, .hang, .crash, .notJudged, .adapterError, .partly, .lacks, .notInThisAdapter: break
        }
        return switch kind {
        case .load: "a plain GET by \(scheme) went wrong too, so that a failure shows nothing"
        case .cookie: "a plain cookie did not come back either, so that one left out shows nothing"
        case .cache: "a fresh reply was asked for again too, so that a request for another shows nothing"
        }
    }
}

/// The results of the controls of one examiner; each control is run when it is first needed.
final class ExamControls: Sendable {
    private let reasons = Locked<[ExamControl: String?]>([:])

    /// The number of sittings of a control that must all fail before the control counts as failed: a busy machine can
    /// make one fail.
    private static let attempts = 3

    /// Why a pass shows nothing; nil when the control passed.
    ///
    /// `ask` runs a sitting of a scenario's only case.
    func reason(_ control: ExamControl, ask: (Scenario, Case) async -> Sitting) async -> String? {
        if let known = reasons.withLock({ $0[control] }) { return known }
        let scenario = control.scenario
        guard let item = scenario.cases.first else { return nil }
        var reason: String?
        for _ in 0..<Self.attempts {
            reason = control.reason(await ask(scenario, item))
            if reason == nil { break }
        }
        reasons.withLock { [reason] in $0[control] = .some(reason) }
        return reason
    }
}
