import ProctorEvents
import ProctorNotation
import ProctorProgram
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
    ///
    /// With `notShown` no claim of the case is judged, and with `excused` none about the end of that step. A failure that breaks none of them breaks a claim of every case.
    func claims(
        _ findings: [Finding], _ unjudged: Unjudged, undone: [[UndoneAct]], notShown: String? = nil,
        excused: [Int: String] = [:]
    ) -> [JudgedClaim] {
        let grounds = ClaimGrounds(self, findings, undone: undone)
        let judged = item.claims.compactMap { claim -> JudgedClaim? in
            guard var state = state(of: claim, findings, unjudged, excused) else { return nil }
            let isJudged = state == .held || state == .broken
            if let notShown, isJudged {
                state = .notJudged(notShown)
            } else if state == .held, let reason = grounds.reasonUnfounded(claim) {
                state = .notJudged(reason)
            }
            return JudgedClaim(claim: claim, state: state)
        }
        return grounds.withoutServersAlone(judged) + alwaysBroken(by: findings)
    }

    /// What every case asks, where a failure says that it was not kept, and breaks no claim of the case itself.
    private func alwaysBroken(by findings: [Finding]) -> [JudgedClaim] {
        let own = item.claims
        let subjects = findings.filter { finding in
            finding.weight == .failure && !own.contains { isBroken($0, by: finding) }
        }.map(\.subject.claimSubject)
        return Claim.Subject.allCases.filter(subjects.contains).map { JudgedClaim(claim: .always($0), state: .broken) }
    }

    /// Whether the result of a step has the bytes of some content, and they are what was served; a head tells a length.
    func tellsContent(_ findings: [Finding]) -> Bool {
        item.client.indices.contains { step in
            results.measure("body", ofStep: step).values.contains { !$0.isEmpty }
                && !findings.contains { $0.isOfContent(ofResult: step) }
        }
    }

    /// Why the client's reports are no evidence for a claim, half a sentence; nil when they are.
    func reasonUnfounded(_ claim: Claim, bySteps unfounded: [String?]) -> String? {
        if claim.isOfCookies { return evidence.failedControls[.cookie] ?? reasonCookiesLost }
        if claim.subject == .request, let reason = evidence.failedControls[.cache] { return reason }
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            return reasonUnoffered ?? (unfounded.indices.contains(step) ? unfounded[step] : nil)
        case .lane(let key):
            return reasonUnoffered ?? CaseLane(key).flatMap { $0.lane == .task ? reasonEarlyCallbacks($0.number) : nil }
        // What a client took that did not come to the end of its loads is not what they take.
        case .fact(.spent): return reasonUnoffered ?? unfounded.lazy.compactMap(\.self).first
        case .wire, .cookies, .edge, .fact, .always: return nil
        }
    }

    /// Whether a claim can only hold when the client has read the reply.
    func restsOnReading(_ claim: Claim) -> Bool {
        switch claim.saying {
        case .end(let step), .fact(.client(let step, _)):
            claim.subject == .reply && results.errorName(ofStep: step) == nil
        case .wire, .cookies, .lane, .edge, .fact, .always: false
        }
    }

    /// Whether anything shows that the client ran: a request, a callback, an act or a result of its adapter.
    var hasSignOfLife: Bool {
        record?.exchanges.isEmpty == false || record?.connections.isEmpty == false
            || trace.events.contains { $0.isCallback || Self.acts.contains($0.name) }
    }

    /// Acts that a test reports after its client ran; the begin of a step is reported before.
    private static let acts: EventNameSet = [.result, .answer, .cancel, .suspend, .invalidate]

    /// The state of a claim; nil when another claim of the case covers it.
    ///
    /// A finding that only observes breaks nothing: where the client was stopped, what it leaves open is not judged.
    private func state(
        of claim: Claim, _ findings: [Finding], _ unjudged: Unjudged, _ excused: [Int: String]
    ) -> JudgedClaim.State? {
        let breaking = findings.filter { isBroken(claim, by: $0) }
        if breaking.contains(where: { $0.weight == .failure }) { return .broken }
        if !breaking.isEmpty, let reason = claim.stepOfEnd.flatMap({ excused[$0] }) { return .notJudged(reason) }
        switch claim.saying {
        case .wire: if record == nil { return .notJudged("there is no journal") }
        case .cookies:
            guard let record else { return .notJudged("there is no journal") }
            if let reason = CookieEvidence.reasonNotJudged(in: record, item: item) { return .notJudged(reason) }
        case .lane(let key): if let reason = unjudged.lanes[key] { return reason.state }
        case .edge(let index): if let reason = unjudged.edges[index] { return reason.state }
        case .fact(let name):
            if let state = undecided(name, findings, unjudged: unjudged) { return state }
        case .end(let step): return endState(step, unjudged: unjudged)
        case .always: break
        }
        return breaking.isEmpty || stop == nil ? .held : .notJudged("the client was stopped before")
    }

    /// Whether a finding is about what the claim says.
    private func isBroken(_ claim: Claim, by finding: Finding) -> Bool {
        switch claim.saying {
        case .wire: finding.isOfWireExpression || finding.isCaught
        case .cookies: if case .cookies = finding.subject { true } else { false }
        case .lane(let key): finding.laneKey == key
        case .edge(let index): finding.subject == .edge(item.edges[index].text)
        case .fact(let name): finding.subject == .fact(name)
        case .end(let step):
            finding.isOfContent(ofResult: step) || finding.subject == .result(step: step)
                || finding.laneKey.map(item.endLanes(ofStep: step).contains) ?? false
                || finding.isOfEnding && !isEnded(step)
        case .always: false
        }
    }

    /// Whether the client told the end of a step by itself.
    private func isEnded(_ step: Int) -> Bool {
        guard !index.isGivenUp(step) else { return false }
        return results.hasEnd(ofStep: step) || course.task(ofStep: step)?.hasEnded ?? false
    }

    /// The state of a claim about a fact that could not be decided; nil where it was.
    private func undecided(_ name: FactName, _ findings: [Finding], unjudged: Unjudged) -> JudgedClaim.State? {
        guard let reason = unjudged.facts[name], !findings.contains(where: { $0.subject == .fact(name) }) else {
            return nil
        }
        if case .client(let step, let fact) = name, let untold = results.untold[step],
            untold == .everything || fact == "error"
        {
            return .leftOut("its family lets it go unsaid")
        }
        return .notJudged(reason)
    }

    // MARK: How a step ended

    /// The state of an end that no finding breaks: by a lane with callbacks; without such a lane, by the result.
    private func endState(_ step: Int, unjudged: Unjudged) -> JudgedClaim.State {
        if item.endLanes(ofStep: step).contains(where: { unjudged.lanes[$0] == nil }) { return .held }
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
        let tells = results.errorName(ofStep: step) != nil || results.measure("status", ofStep: step) != .absent
        // Of an opaque reply a page is told neither (Fetch §2.2.6, filtered responses).
        let fetch = item.client[step].step.fetch
        let isOpaque = fetch?.mode == .noCORS || fetch?.redirect == .manual
        return tells || isOpaque ? nil : "the result says neither a status nor an error"
    }

    private func check(_ expression: Notation, _ step: Int) -> ResultCheck {
        ResultCheck(
            expression: expression, client: results, step: step, namesErrors: abilities.include(.foundation),
            asksEndAlone: evidence.reportsLoads)
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

    fileprivate var isOfEnding: Bool { if case .ending = subject { true } else { false } }

    /// Whether an exchange that catches a mistake answered the request.
    fileprivate var isCaught: Bool { if case .caught = subject { true } else { false } }
}
