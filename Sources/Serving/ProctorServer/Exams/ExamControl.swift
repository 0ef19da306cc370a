internal import ProctorFixtures
package import ProctorGrading
package import ProctorProgram
package import ProctorScenario

/// A plain case that shows whether a client has an ability which another case only forbids it to use.
///
/// A client that fails every load also fails the loads that must fail; a client without a cookie store sends none of
/// the cookies that it must not send.
package struct ExamControl: Hashable, Sendable {
    let kind: Kind
    let isSecure: Bool
    let isHTTP2: Bool

    enum Kind: String, CaseIterable {
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

    /// The control of that ``name``; nil where there is none.
    init?(named name: String) {
        for kind in Kind.allCases {
            for isSecure in [false, true] {
                for isHTTP2 in [false, true] {
                    self.init(kind, isSecure: isSecure, isHTTP2: isHTTP2)
                    if self.name == name { return }
                }
            }
        }
        return nil
    }

    private init(_ kind: Kind, isSecure: Bool, isHTTP2: Bool) {
        self.kind = kind
        self.isSecure = isSecure
        self.isHTTP2 = isHTTP2
    }

    /// The words by which the control API names the control: `load-by-http`.
    package var name: String { "\(kind.rawValue)-by-\(scheme)\(isHTTP2 ? "-h2" : "")" }

    private var scheme: String { isSecure ? "https" : "http" }

    /// The scenario; its text is a constant of this module.
    package var scenario: Scenario {
        let id = "control/\(name)"
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

    /// Why a pass of another case shows nothing, half a sentence, by the outcome of the control; nil when it was passed.
    ///
    /// nil also when the outcome allows no conclusion.
    package func reason(_ outcome: CaseVerdict.Outcome) -> String? {
        switch outcome {
        case .pass, .known, .fixed, .observed, .skipped, .setupFailed: return nil
        // A load that the client's adapter can't run is no failure of the client.
        case .partly where kind == .load, .lacks where kind == .load, .notInThisAdapter where kind == .load: return nil
        case .fail, .hang, .crash, .notJudged, .adapterError, .partly, .lacks, .notInThisAdapter: return failure
        }
    }

    /// Why a pass of another case shows nothing, half a sentence, where nobody has asked for the control.
    var absence: String {
        "the client was not asked for the control \(name), so that what it left undone shows nothing"
    }

    /// Why a pass of another case shows nothing, half a sentence, where the client fails the control.
    package var failure: String {
        switch kind {
        case .load: "a plain GET by \(scheme) went wrong too, so that a failure shows nothing"
        case .cookie: "a plain cookie did not come back either, so that one left out shows nothing"
        case .cache: "a fresh reply was asked for again too, so that a request for another shows nothing"
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
        guard outcome == .pass else { return kinds.map { ExamControl($0, of: assignment) } }
        if leavesCookiesOut(item) { kinds.append(.cookie) }
        if leavesCacheOut(item) { kinds.append(.cache) }
        return kinds.map { ExamControl($0, of: assignment) }
    }

    /// Notes what came of a control: why what was left undone shows nothing; nil where the client passed the control.
    package mutating func setReason(_ reason: String?, for control: ExamControl) {
        switch control.kind {
        case .load: failedLoad = reason
        case .cookie: failedCookie = reason
        case .cache: failedCache = reason
        }
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
