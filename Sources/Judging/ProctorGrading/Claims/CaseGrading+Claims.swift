import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

/// The parts of a case that could not be judged in one run, with the reasons.
struct Unjudged {
    var lanes: [String: CaseGrading.NoEvents] = [:]
    /// The reasons by the edge's index in the case.
    var edges: [Int: CaseGrading.NoEvents] = [:]
    var facts: [FactName: String] = [:]
}

extension CaseGrading {
    /// Every claim of the case with its state, according to the findings; `undone` has the acts that nothing shows, by
    /// step.
    func claims(_ findings: [Finding], _ unjudged: Unjudged, undone: [[UndoneAct]]) -> [JudgedClaim] {
        let isBlank = !hasSignOfLife
        let isUnread = !evidence.reportsLoads && !tellsContent(findings) && record?.leavesRepliesUnread ?? false
        let unfounded = item.client.indices.map { reasonUnfounded($0) }
        let ofRequests = reasonRequestsUnfounded(by: unfounded)
        let judged = item.claims.compactMap { claim -> JudgedClaim? in
            guard let state = state(of: claim, findings, unjudged) else { return nil }
            if state == .held, let reason = reasonUnfounded(claim, bySteps: unfounded) {
                return JudgedClaim(claim: claim, state: .notJudged(reason))
            }
            // When the client shows no sign of having run, missing events prove nothing.
            if isBlank, state == .held {
                return JudgedClaim(claim: claim, state: .notJudged("nothing shows that the client did anything"))
            }
            if isUnread, state == .held, restsOnReading(claim) {
                let reason = "the client read nothing on any connection: it reset it, or never acknowledged SETTINGS"
                return JudgedClaim(claim: claim, state: .notJudged(reason))
            }
            if state == .held, let act = item.steps(of: claim).lazy.compactMap({ undone[$0].first }).first {
                return JudgedClaim(claim: claim, state: .notJudged(act.reason))
            }
            if state == .held, claim.isOfCount, let ofRequests {
                return JudgedClaim(claim: claim, state: .notJudged(ofRequests))
            }
            return JudgedClaim(claim: claim, state: state)
        }
        let isOfServer = judged.filter(\.counts).allSatisfy { [.request, .connections].contains($0.claim.subject) }
        guard isOfServer, let ofRequests else { return judged }
        return judged.map { $0.state == .held ? JudgedClaim(claim: $0.claim, state: .notJudged(ofRequests)) : $0 }
    }

    /// Whether the result of a step has the bytes of some content, and they are what was served; a head tells a length.
    private func tellsContent(_ findings: [Finding]) -> Bool {
        item.client.indices.contains { step in
            results.measure(.body, ofStep: step).values.contains { !$0.isEmpty }
                && !findings.contains { $0.isOfContent(ofResult: step) }
        }
    }

    /// Why the client's reports are no evidence for a claim, half a sentence; nil when they are.
    private func reasonUnfounded(_ claim: Claim, bySteps unfounded: [String?]) -> String? {
        if claim.isOfCookies { return evidence.failedControls[.cookie] ?? reasonCookiesLost }
        if claim.subject == .request, let reason = evidence.failedControls[.cache] { return reason }
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            return reasonUnoffered ?? (unfounded.indices.contains(step) ? unfounded[step] : nil)
        case .lane(let key):
            return reasonUnoffered ?? CaseLane(key).flatMap { $0.lane == .task ? reasonEarlyCallbacks($0.number) : nil }
        // What a client took that did not come to the end of its loads is not what they take.
        case .fact(.spent): return reasonUnoffered ?? unfounded.lazy.compactMap(\.self).first
        case .wire, .cookies, .edge, .fact: return nil
        }
    }

    /// Whether a claim can only hold when the client has read the reply.
    private func restsOnReading(_ claim: Claim) -> Bool {
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            claim.subject == .reply && results.errorName(ofStep: step) == nil
        case .wire, .cookies, .lane, .edge, .fact: false
        }
    }

    /// Whether anything shows that the client ran: a request, a callback, an act or a result of its adapter.
    private var hasSignOfLife: Bool {
        record?.exchanges.isEmpty == false || record?.connections.isEmpty == false
            || trace.events.contains { $0.isCallback || Self.acts.contains($0.name) }
    }

    /// Acts that a test reports after its client ran; the begin of a step is reported before.
    private static let acts: EventNameSet = [.result, .answer, .cancel, .suspend, .invalidate]

    /// The state of a claim; nil when another claim of the case covers it.
    private func state(of claim: Claim, _ findings: [Finding], _ unjudged: Unjudged) -> JudgedClaim.State? {
        func judged(_ breaks: (Finding) -> Bool) -> JudgedClaim.State {
            findings.contains(where: breaks) ? .broken : .held
        }
        switch claim.saying {
        case .wire:
            return record == nil ? .notJudged("there is no journal") : judged { $0.isOfWireExpression || $0.isCaught }
        case .cookies:
            guard let record else { return .notJudged("there is no journal") }
            if let reason = CookieEvidence.reasonNotJudged(in: record, item: item) { return .notJudged(reason) }
            return judged { if case .cookies = $0.subject { $0.weight == .failure } else { false } }
        case .lane(let key): return unjudged.lanes[key].map(\.state) ?? judged { $0.laneKey == key }
        case .edge(let index):
            return unjudged.edges[index].map(\.state) ?? judged { $0.subject == .edge(item.edges[index].text) }
        case .fact(let name): return factState(name, findings, unjudged: unjudged)
        case .end(let step): return endState(step, findings, unjudged: unjudged)
        }
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

    /// The state by a lane with callbacks; without such a lane, by the result.
    private func endState(_ step: Int, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State {
        if findings.contains(where: { $0.isOfContent(ofResult: step) }) { return .broken }
        if let judged = item.endLanes(ofStep: step).first(where: { unjudged.lanes[$0] == nil }) {
            return findings.contains { $0.laneKey == judged } ? .broken : .held
        }
        if findings.contains(where: { $0.subject == .result(step: step) }) { return .broken }
        if let reason = reasonUnoffered { return .notJudged(reason) }
        if let task = course.task(ofStep: step) {
            if course.waits(task) { return .leftOut("the program leaves a question without an answer") }
            // The family is not the expected one, so the findings do not show the end.
            if task.hasEnded { return .held }
        }
        if results.untold[step] != nil { return .leftOut("its family lets the end of a cancelled load go unsaid") }
        return reasonNotEnded(step).map { .notJudged($0) } ?? .held
    }

    /// Checks the results of steps whose callbacks could be compared with no expression.
    func resultFindings(_ lanesNotJudged: [String: NoEvents]) -> [Finding] {
        // Of a reply without the coding that the case is about, no end is wanted.
        guard stop == nil, reasonUnoffered == nil else { return [] }
        return item.client.indices.compactMap { step in
            // The lanes of a scripted URLProtocol contain all of its events.
            guard item.client[step].protocolScript == nil, let expression = item.endExpression(ofStep: step),
                results.untold[step] == nil, results.hasEnd(ofStep: step),
                item.endLanes(ofStep: step).allSatisfy({ lanesNotJudged[$0] != nil }),
                case .fails(let wanted, let got, let departure, let seen) = check(expression, step).outcome()
            else { return nil }
            let of = item.client.count == 1 ? "the result" : "the result of step \(step)"
            var finding = Finding(
                subject: .result(step: step), sentence: "\(of): wanted \(wanted), got \(got)", wanted: wanted, got: got,
                location: item.location, mismatch: .end(departure))
            let number = item.client.count == 1 ? nil : step + 1
            finding.plain =
                EndWords(
                    expression: expression, seen: seen, mismatch: departure, step: number,
                    namesErrors: abilities.include(.foundation)
                ).sentence
            return finding
        }
    }

    /// Why the result of a step does not show how it ended, half a sentence; nil when it does.
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

extension Claim {
    /// Whether the claim counts requests or connections: a client that gave up made no further one either.
    fileprivate var isOfCount: Bool {
        switch saying {
        case .fact(.run(.requests)), .fact(.run(.connections)): true
        default: false
        }
    }
}

extension CaseGrading.NoEvents {
    /// The state of the claim; nil when another expression of the case covers the lane.
    fileprivate var state: JudgedClaim.State? {
        if lacksLane { return text.map { .leftOut($0) } }
        return text.map { .notJudged($0) }
    }
}

extension Finding {
    /// Whether the `result` of that step reported content or facts that differ from what was served.
    fileprivate func isOfContent(ofResult step: Int) -> Bool {
        guard case .content = subject, weight == .failure else { return false }
        return lane == LaneID(.harness, step)
    }

    /// Whether the claim is about the requests in the case's `wire:` expression.
    var isOfWireExpression: Bool {
        if case .expression = subject { lane == nil && laneKey == nil } else { false }
    }

    /// Whether an exchange that catches a mistake answered the request.
    fileprivate var isCaught: Bool { if case .caught = subject { true } else { false } }
}
