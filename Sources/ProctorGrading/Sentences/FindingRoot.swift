import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation

extension [Finding] {
    /// The failure that the others follow from; nil where nothing failed.
    ///
    /// A crash comes first, then a refused credential or a wrong cookie, then what came over the wire by its order in the
    /// journal, then how the client ended; what callbacks and results tell follows from what the wire shows.
    var root: Finding? {
        let failures = filter { $0.weight == .failure }
        guard let first = failures.first else { return nil }
        // Failures that a ledger lists explain only where there is nothing else.
        let open = failures.filter { $0.known == nil }
        let deciding = open.isEmpty ? failures : open
        if let crash = deciding.first(where: \.isCrash) { return crash }
        let wire = deciding.filter(\.isOfWireBytes).min { ($0.sequence ?? .max) < ($1.sequence ?? .max) }
        if let explaining = self.first(where: { $0.explains(wire) }) { return explaining }
        // Of one request the miss says more than the expression, whose entry stands before it.
        if let miss = deciding.first(where: { $0.isMiss(ofRequestIn: wire) }) { return miss }
        return wire ?? deciding.first(where: \.isEnding) ?? deciding.first(where: \.isOfWireExpression)
            ?? deciding.first ?? first
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

    /// Whether no exchange answers the request at which an expression ends.
    fileprivate func isMiss(ofRequestIn wire: Finding?) -> Bool {
        guard case .miss = subject, case .expression(let diagnosis)? = wire?.subject, let got = diagnosis.got?.argument
        else { return false }
        return sentence.contains(text: ", \(got), matches no exchange")
    }

    /// Whether other failures come of it: of a refused credential, or a cookie that is not the right one.
    fileprivate func explains(_ wire: Finding?) -> Bool {
        switch subject {
        case .credential(let verdict): !verdict.faults.isEmpty
        case .cookies(let verdict):
            !verdict.differences.isEmpty && (weight == .failure || isMiss(wire, before: sequence))
        default: false
        }
    }

    /// Whether no exchange answers the request of these cookies, or a later one.
    private func isMiss(_ wire: Finding?, before sequence: UInt64?) -> Bool {
        guard let wire, case .miss = wire.subject else { return false }
        return (sequence ?? .max) <= (wire.sequence ?? 0)
    }
}
