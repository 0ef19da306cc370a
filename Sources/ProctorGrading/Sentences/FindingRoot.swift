import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorScenario

extension [Finding] {
    /// The failure that the others follow from; nil where nothing failed.
    ///
    /// A crash comes first, then a refused credential or a wrong cookie, then what came over the wire by its order in the
    /// journal, then how the client ended; what callbacks and results tell follows from what the wire shows. That two reports of
    /// the client's recorder differ says least.
    package var root: Finding? {
        let failures = filter { $0.weight == .failure }
        guard let first = failures.first else { return nil }
        // Failures that a ledger lists explain only where there is nothing else.
        let open = failures.filter { $0.known == nil }
        let deciding = open.isEmpty ? failures : open
        if let crash = deciding.first(where: \.isCrash) { return crash }
        let wire = deciding.filter(\.isOfWireBytes).min { ($0.sequence ?? .max) < ($1.sequence ?? .max) }
        if let explaining = self.first(where: { $0.explains(wire) }) { return explaining }
        // Of one request the miss says more than the expression, whose entry stands before it.
        if let wire, wire.isExpression, let miss = deciding.first(where: { $0.isMiss && $0.isOfRequest(of: wire) }) {
            return miss
        }
        let told =
            wire ?? deciding.first(where: \.isEnding) ?? deciding.first(where: \.isOfWireExpression)
            ?? deciding.first { !$0.isOfOwnReports } ?? deciding.first ?? first
        // Cookies that should not be there, or are missing, have a reason of their own.
        return self.first { $0.explains(cookiesOf: told) } ?? told
    }

    /// The failure by which cases are grouped: the root, or what says more of why it happened.
    ///
    /// What is wrong with a request that no exchange answers is said by what the case wants in its place, what is wrong with a
    /// target by its syntax, why a request never came by how the load ended, and what is wrong with an order of callbacks by the
    /// rule that broke there.
    var cause: Finding? {
        guard let root else { return nil }
        if root.isMiss {
            let wanted = first { $0.weight == .failure && $0.isExpression && $0.isOfRequest(of: root) }
            return explanation(ofTargetIn: root) ?? wanted ?? root
        }
        guard root.isExpression else { return root }
        if root.isOfWireEnd, let end = first(where: { $0.weight == .failure && $0.isResult }) { return end }
        if root.lane == nil { return explanation(ofTargetIn: root) ?? root }
        return first { rule in
            guard rule.weight == .failure, rule.lane == root.lane, let at = rule.event, let event = root.event else {
                return false
            }
            return rule.isOfRule && at <= event
        } ?? root
    }

    /// What is wrong with the syntax of the target of a request that was not wanted.
    private func explanation(ofTargetIn request: Finding) -> Finding? {
        first { finding in
            guard case .violation(let violation) = finding.subject, violation.kind.isOfTarget else { return false }
            return finding.isOfRequest(of: request)
        }
    }
}

extension Finding {
    fileprivate var isCrash: Bool {
        guard case .ending(let ending) = subject else { return false }
        if case .crashed = ending { return true }
        return false
    }

    fileprivate var isEnding: Bool { if case .ending = subject { true } else { false } }

    /// Whether bytes that came show it, so that it has a place in the journal.
    fileprivate var isOfWireBytes: Bool {
        switch subject {
        case .miss, .violation, .frameViolation, .opaque, .bound, .state, .reply: true
        case .expression(let diagnosis): lane == nil && laneKey == nil && diagnosis.got != nil
        case .fact, .credential, .cookies, .rule, .grammar, .content, .edge, .ending, .unreportedRule, .result, .slices,
            .tolerated, .unasked:
            false
        }
    }

    /// Whether a request is missing at the end of a run.
    fileprivate var isOfWireEnd: Bool {
        guard case .expression(let diagnosis) = subject else { return false }
        return lane == nil && laneKey == nil && diagnosis.got == nil && diagnosis.overflow == nil
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

    /// Whether other failures come of it: of a refused credential, or a cookie that is not the right one.
    fileprivate func explains(_ wire: Finding?) -> Bool {
        switch subject {
        case .credential(let verdict): !verdict.faults.isEmpty
        case .cookies(let verdict):
            !verdict.differences.isEmpty && (weight == .failure || isAtOrBefore(missIn: wire))
        default: false
        }
    }

    /// Whether no exchange answers the request of these cookies, or a later one.
    private func isAtOrBefore(missIn wire: Finding?) -> Bool {
        guard let wire, wire.isMiss else { return false }
        return (sequence ?? .max) <= (wire.sequence ?? 0)
    }

    /// Whether it says why a fact about the cookies of the same request has not the value that is wanted.
    fileprivate func explains(cookiesOf fact: Finding) -> Bool {
        guard case .cookies(let verdict) = subject, !verdict.differences.isEmpty,
            case .fact(.wire(let index, let name)) = fact.subject
        else { return false }
        return name.isOfCookies && request?.number == index
    }
}

extension Violation.Kind {
    /// Whether a target is not as RFC 3986 §3 and RFC 9112 §3.2 write it.
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
