import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

/// What of a case could not be judged in one run, with the reasons.
struct Unjudged {
    var lanes: [String: CaseGrading.NoEvents] = [:]
    /// By the edge's place in the case.
    var edges: [Int: CaseGrading.NoEvents] = [:]
    var facts: [FactName: String] = [:]
}

extension CaseGrading {
    /// Every claim of the case with its state, by the findings.
    func claims(_ findings: [Finding], _ unjudged: Unjudged) -> [JudgedClaim] {
        let isBlank = !hasSignOfLife
        let isUnread = !evidence.reportsLoads && record?.leavesRepliesUnread ?? false
        let unfounded = item.client.indices.map { reasonUnfounded($0) }
        let judged = item.claims.compactMap { claim -> JudgedClaim? in
            guard let state = state(of: claim, findings, unjudged) else { return nil }
            if state == .held, let reason = reasonUnfounded(claim, bySteps: unfounded) {
                return JudgedClaim(claim: claim, state: .notJudged(reason))
            }
            // The absence of events proves nothing where the client did not try.
            if isBlank, state == .held {
                return JudgedClaim(claim: claim, state: .notJudged("nothing shows that the client did anything"))
            }
            if isUnread, state == .held, restsOnReading(claim) {
                let reason = "the client read nothing on any connection: it reset it, or never acknowledged SETTINGS"
                return JudgedClaim(claim: claim, state: .notJudged(reason))
            }
            return JudgedClaim(claim: claim, state: state)
        }
        let isOfServer = judged.filter(\.counts).allSatisfy { [.request, .connections].contains($0.claim.subject) }
        guard isOfServer, let reason = reasonRequestsUnfounded(by: unfounded) else { return judged }
        return judged.map { $0.state == .held ? JudgedClaim(claim: $0.claim, state: .notJudged(reason)) : $0 }
    }

    /// Why what the client told can't be evidence for a claim, half a sentence; nil where it can.
    private func reasonUnfounded(_ claim: Claim, bySteps unfounded: [String?]) -> String? {
        if claim.isOfCookies { return evidence.failedCookie ?? reasonCookiesLost }
        if claim.subject == .request, let reason = evidence.failedCache { return reason }
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            return reasonUncoded ?? (unfounded.indices.contains(step) ? unfounded[step] : nil)
        case .lane(let key):
            return reasonUncoded ?? CaseLane(key).flatMap { $0.lane == .task ? reasonEarlyCallbacks($0.number) : nil }
        case .wire, .cookies, .edge, .fact: return nil
        }
    }

    /// Whether a claim depends on the client reading the reply.
    private func restsOnReading(_ claim: Claim) -> Bool {
        guard claim.subject == .reply else { return false }
        switch claim.saying {
        case .end(let step): return results.errorName(ofStep: step) == nil
        case .fact(.client(let step, _)): return results.errorName(ofStep: step) == nil
        case .wire, .cookies, .lane, .edge, .fact: return false
        }
    }

    /// Whether anything shows that the client ran: a request, a callback, an act or a result of its adapter.
    private var hasSignOfLife: Bool {
        record?.requests.isEmpty == false || record?.connections.isEmpty == false
            || trace.events.contains { $0.isCallback || Self.acts.contains($0.name) }
    }

    /// Acts that a harness reports after its client ran; the begin of a step is reported before.
    private static let acts: EventNameSet = [.result, .answer, .cancel, .suspend, .invalidate]

    /// nil where another claim of the case covers it.
    private func state(of claim: Claim, _ findings: [Finding], _ unjudged: Unjudged) -> JudgedClaim.State? {
        switch claim.saying {
        case .wire: wireState(findings)
        case .cookies: cookieState(findings)
        case .lane(let key): laneState(key, findings, unjudged: unjudged)
        case .edge(let index): edgeState(index, findings, unjudged: unjudged)
        case .fact(let name): factState(name, findings, unjudged: unjudged)
        case .end(let step): endState(step, findings, unjudged: unjudged)
        }
    }

    private func wireState(_ findings: [Finding]) -> JudgedClaim.State {
        guard record != nil else { return .notJudged("there is no journal") }
        return findings.contains(where: \.isOfWireExpression) ? .broken : .held
    }

    private func cookieState(_ findings: [Finding]) -> JudgedClaim.State {
        guard let record else { return .notJudged("there is no journal") }
        if let reason = CookieEvidence.reasonNotJudged(in: record, item: item) { return .notJudged(reason) }
        let isBroken = findings.contains { finding in
            if case .cookies = finding.subject { finding.weight == .failure } else { false }
        }
        return isBroken ? .broken : .held
    }

    private func laneState(_ key: String, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State? {
        if let reason = unjudged.lanes[key] { return reason.state }
        return findings.contains { $0.laneKey == key } ? .broken : .held
    }

    private func edgeState(_ index: Int, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State? {
        if let reason = unjudged.edges[index] { return reason.state }
        return findings.contains { $0.subject == .edge(item.edges[index].text) } ? .broken : .held
    }

    private func factState(_ name: FactName, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State {
        if findings.contains(where: { $0.subject == .fact(name) }) { return .broken }
        if case .client(let step, let fact) = name, let untold = results.untold[step],
            untold == .everything || fact == .error, unjudged.facts[name] != nil
        {
            return .leftOut("its family lets it go unsaid")
        }
        return unjudged.facts[name].map { .notJudged($0) } ?? .held
    }

    // MARK: How a step ended

    /// From a lane with callbacks; without one, from the result.
    private func endState(_ step: Int, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State {
        if findings.contains(where: { $0.isOfContent(ofResult: step) }) { return .broken }
        if let judged = item.endLanes(ofStep: step).first(where: { unjudged.lanes[$0] == nil }) {
            return findings.contains { $0.laneKey == judged } ? .broken : .held
        }
        if findings.contains(where: { $0.subject == .result(step: step) }) { return .broken }
        if let task = task(ofStep: step) {
            if waits(task) { return .leftOut("the program leaves a question without an answer") }
            // The family differs from the expected one, so that the findings say nothing of the end.
            if task.hasEnded { return .held }
        }
        if results.untold[step] != nil { return .leftOut("its family lets the end of a cancelled load go unsaid") }
        return reasonNotEnded(step).map { .notJudged($0) } ?? .held
    }

    /// Checks the results of steps whose callbacks could not be compared with any expression.
    func resultFindings(_ lanesNotJudged: [String: NoEvents]) -> [Finding] {
        guard stop == nil else { return [] }
        return item.client.indices.compactMap { step in
            // The lanes of a scripted URLProtocol show everything.
            guard item.client[step].protocolScript == nil, let expression = item.endExpression(ofStep: step),
                results.untold[step] == nil, results.hasEnd(ofStep: step),
                item.endLanes(ofStep: step).allSatisfy({ lanesNotJudged[$0] != nil }),
                case .fails(let wanted, let got, let departure) = check(expression, step).outcome()
            else { return nil }
            let of = item.client.count == 1 ? "the result" : "the result of step \(step)"
            return Finding(
                subject: .result(step: step), sentence: "\(of): wanted \(wanted), got \(got)", wanted: wanted, got: got,
                location: item.location, mismatch: .end(departure))
        }
    }

    /// Why the result of a step does not say how it ended, half a sentence; nil where it does.
    private func reasonNotEnded(_ step: Int) -> String? {
        if let expression = item.endExpression(ofStep: step) {
            guard case .silent(let reason) = check(expression, step).outcome() else { return nil }
            return reason
        }
        guard results.hasResult(ofStep: step) else {
            return item.client.count == 1
                ? "the client reported no result" : "the client reported no result for step \(step)"
        }
        let tells = results.errorName(ofStep: step) != nil || results.measure(.status, ofStep: step) != .absent
        return tells ? nil : "the result says neither a status nor an error"
    }

    private func check(_ expression: Notation, _ step: Int) -> ResultCheck {
        ResultCheck(
            expression: expression, client: results, step: step, namesErrors: abilities.include(.foundation),
            asksEndAlone: evidence.reportsLoads)
    }
}

extension CaseGrading.NoEvents {
    /// nil where another expression of the case covers the lane.
    fileprivate var state: JudgedClaim.State? {
        if lacksLane { return text.map { .leftOut($0) } }
        return text.map { .notJudged($0) }
    }
}

extension Finding {
    /// Whether the `result` of that step told another content, or other facts, than what was served.
    fileprivate func isOfContent(ofResult step: Int) -> Bool {
        guard case .content = subject, weight == .failure else { return false }
        return lane == LaneID(.harness, step)
    }

    /// Whether the claim is about the requests in the case's `wire:` expression.
    var isOfWireExpression: Bool {
        if case .expression = subject { lane == nil && laneKey == nil } else { false }
    }
}
