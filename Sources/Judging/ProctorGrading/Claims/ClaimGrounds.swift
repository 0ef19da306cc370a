import ProctorScenario

/// Whether the claims that held rest on evidence.
struct ClaimGrounds {
    private let grading: CaseGrading
    private let undone: [[UndoneAct]]
    private let isUnread: Bool
    /// Why nothing of the case counts, half a sentence: a control failed, or what the case rests on was not so.
    private let ofCase: String?
    private let ofSteps: [String?]
    /// Why the server's record alone shows nothing, half a sentence; nil when it decides.
    private let ofRequests: String?

    init(_ grading: CaseGrading, _ findings: [Finding], undone: [[UndoneAct]]) {
        (self.grading, self.undone) = (grading, undone)
        isUnread =
            !grading.evidence.reportsLoads && !grading.tellsContent(findings)
            && grading.record?.leavesRepliesUnread ?? false
        ofCase = grading.evidence.failedControls[.ability] ?? grading.reasonNotGiven
        ofSteps = grading.item.client.indices.map { grading.reasonUnfounded($0) }
        ofRequests = grading.reasonRequestsUnfounded(by: ofSteps)
    }

    /// Why a claim that held shows nothing, half a sentence; nil when it does.
    func reasonUnfounded(_ claim: Claim) -> String? {
        if let reason = ofCase ?? grading.reasonUnfounded(claim, bySteps: ofSteps) { return reason }
        // When the client shows no sign of having run, missing events prove nothing.
        if !grading.hasSignOfLife { return "nothing shows that the client did anything" }
        if isUnread, grading.restsOnReading(claim) {
            return "the client read nothing on any connection: it reset it, or never acknowledged SETTINGS"
        }
        if let act = grading.item.steps(of: claim).lazy.compactMap({ undone[$0].first }).first { return act.reason }
        return claim.isOfCount ? ofRequests : nil
    }

    /// The claims, of which none is judged where all are about what the server saw, and that alone shows nothing.
    func withoutServersAlone(_ judged: [JudgedClaim]) -> [JudgedClaim] {
        let isOfServer = judged.filter(\.counts).allSatisfy { [.request, .connections].contains($0.claim.subject) }
        guard isOfServer, let ofRequests else { return judged }
        return judged.map { $0.state == .held ? JudgedClaim(claim: $0.claim, state: .notJudged(ofRequests)) : $0 }
    }
}

extension Claim {
    /// Whether the claim counts requests or connections: a client that gave up made no further one either.
    fileprivate var isOfCount: Bool {
        switch saying {
        case .fact(.run("wire.count")), .fact(.run("connections")): true
        default: false
        }
    }
}
