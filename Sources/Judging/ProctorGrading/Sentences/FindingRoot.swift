import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario

extension [Finding] {
    /// The failure that causes the others; nil when nothing failed.
    ///
    /// First a crash, then a refused credential or a wrong cookie, then the first failure on the wire in the order of
    /// the journal, then the client's end. Failures of callbacks and results come after these, since failures on the
    /// wire cause them; last is a difference between two reports of the client's own recorder.
    package var root: Finding? {
        let failures = filter { $0.weight == .failure }
        guard let first = failures.first else { return nil }
        // Failures that a ledger lists are used only when there is no other.
        let open = failures.filter { $0.known == nil }
        let deciding = open.isEmpty ? failures : open
        if let crash = deciding.first(where: \.isCrash) { return crash }
        let wire = deciding.filter { $0.isOfWireBytes || $0.isOfRequest }.min {
            ($0.sequence ?? .max) < ($1.sequence ?? .max)
        }
        if let explaining = self.first(where: { $0.explains(wire) }) { return explaining }
        let earliest =
            wire ?? deciding.first(where: \.isEnding) ?? deciding.first(where: \.isOfWireExpression)
            ?? deciding.first { !$0.isOfOwnReports } ?? deciding.first ?? first
        // For a fact about cookies, the finding that explains the cookies says more.
        return self.first { $0.explains(cookiesOf: earliest) } ?? earliest
    }

    /// The failure by which cases are grouped: the root, or another failure that says more about the reason.
    ///
    /// For a target: its syntax error; for a missing request: the end of the load; for a wrong order of callbacks: the
    /// broken rule.
    package var cause: Finding? {
        guard let root else { return nil }
        if root.isMiss { return explanation(ofTargetIn: root) ?? root }
        guard root.isExpression, root.unheeded == nil else { return root }
        if root.isOfWireEnd, let end = first(where: { $0.weight == .failure && $0.isResult }) { return end }
        if root.lane == nil { return explanation(ofTargetIn: root) ?? root }
        return first { rule in
            guard rule.weight == .failure, rule.lane == root.lane, let at = rule.event, let event = root.event else {
                return false
            }
            return rule.isOfRule && at <= event
        } ?? root
    }

    /// The syntax error in the target of a request that was not wanted.
    private func explanation(ofTargetIn request: Finding) -> Finding? {
        first { finding in
            guard case .violation(let violation) = finding.subject, violation.kind.isOfTarget else { return false }
            return finding.isOfRequest(of: request)
        }
    }
}

extension Finding {
    fileprivate var isCrash: Bool { if case .ending(.crashed) = subject { true } else { false } }

    var isEnding: Bool { if case .ending = subject { true } else { false } }

    /// Whether received bytes show the failure, so that it has a place in the journal.
    fileprivate var isOfWireBytes: Bool {
        if case .expression(let diagnosis) = subject { return lane == nil && laneKey == nil && diagnosis.got != nil }
        return subject.row.traits.contains(.ofWire)
    }

    /// Whether a request, as it came, has another value than was wanted.
    fileprivate var isOfRequest: Bool {
        guard case .fact(.wire(_, let name)) = subject, sequence != nil else { return false }
        return Self.asItCame.contains(name.row)
    }

    private static let asItCame: Set<String> = [
        "method", "target", "query.NAME", "body", "body.length", "headers.NAME", "form.NAME", "target-form",
        "authority",
    ]

    /// Whether a request is missing at the end of a run.
    fileprivate var isOfWireEnd: Bool {
        guard case .expression(let diagnosis) = subject else { return false }
        return lane == nil && laneKey == nil && diagnosis.endsTooEarly
    }

    fileprivate var isResult: Bool { if case .result = subject { true } else { false } }

    fileprivate var isMiss: Bool { if case .miss = subject { true } else { false } }

    fileprivate var isExpression: Bool { if case .expression = subject { true } else { false } }

    /// Whether a rule of callbacks, or the order that rules give, broke.
    fileprivate var isOfRule: Bool {
        switch subject {
        case .rule, .grammar: true
        default: false
        }
    }

    fileprivate func isOfRequest(of other: Finding) -> Bool { request != nil && request == other.request }

    /// Whether the finding causes other failures: a refused credential, or a wrong cookie.
    fileprivate func explains(_ wire: Finding?) -> Bool {
        switch subject {
        case .credential(let verdict): !verdict.faults.isEmpty
        case .cookies(let verdict):
            !verdict.differences.isEmpty && (weight == .failure || isAtOrBefore(missIn: wire))
        default: false
        }
    }

    /// Whether this request, or a later one, has no exchange.
    private func isAtOrBefore(missIn wire: Finding?) -> Bool {
        guard let wire, wire.isMiss else { return false }
        return (sequence ?? .max) <= (wire.sequence ?? 0)
    }

    /// Whether the finding explains why a fact about the cookies of the same request has another value.
    fileprivate func explains(cookiesOf fact: Finding) -> Bool {
        guard case .cookies(let verdict) = subject, !verdict.differences.isEmpty,
            case .fact(let name) = fact.subject, let index = name.requestOfCookies
        else { return false }
        return request?.number == index
    }
}

extension Violation.Kind {
    /// Whether the violation is a target that RFC 3986 §3 or RFC 9112 §3.2 does not permit.
    fileprivate var isOfTarget: Bool {
        switch self {
        case .spaceInTarget, .controlInTarget, .nonASCIIInTarget, .illegalCharacterInTarget, .badPercentEscape,
            .fragmentInTarget, .badTarget, .badConnectTarget, .emptyHostInTarget, .badAuthorityInTarget,
            .userinfoInTarget:
            true
        default: false
        }
    }
}
