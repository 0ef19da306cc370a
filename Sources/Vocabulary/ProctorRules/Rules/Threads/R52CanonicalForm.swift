import ProctorEvents

/// Class calls belong to no object; they are found by their request, among the last 256 requests.
struct R52CanonicalForm: TraceMonitor {
    static let interests: EventNameSet = [.pCanInit, .pCanonical, .pCacheEquivalent, .pInit, .pStart, .pDeinit]

    private struct RequestState {
        var isAccepted = false
        /// Some class said no; an object of one that did is R60's.
        var isDeclined = false
        var isCanonical = false
        var isAnswered: Bool { isAccepted || isDeclined }
        /// The canonical form that the class returned.
        var form: String?
        /// The request that this one is the canonical form of.
        var origin: String?
    }

    /// The known facts about an object's request when the object was created.
    private struct Made {
        let request: String
        let wasCanonical: Bool
    }

    private var seesClassCalls = false
    private var asked: [String: RequestState] = [:]
    private var order: [String] = []
    private var objects: [Int: Made] = [:]

    private static let mostRequests = 256
    private static let mostObjects = 1_024

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.lane == .proto else { return }
        let request = event.facts.text(.request) ?? ""
        let object = event.object ?? event.task
        switch event.name {
        case .pCanInit:
            seesClassCalls = true
            let isDeclined = event.facts[.accepts] == .flag(false)
            change(request) { if isDeclined { $0.isDeclined = true } else { $0.isAccepted = true } }
        case .pCanonical: canonical(event, request, into: &hits)
        case .pCacheEquivalent: compare(event, request, into: &hits)
        case .pInit:
            if objects.count < Self.mostObjects {
                objects[object] = Made(request: request, wasCanonical: isCanonical(request))
            }
        case .pStart:
            // A second start of the same object is R49's; an object without a creation event is not judged.
            if let made = objects.removeValue(forKey: object) { judge(made, event, into: &hits) }
        default: objects[object] = nil
        }
    }

    private mutating func canonical(_ event: TraceEvent, _ request: String, into hits: inout HitList) {
        seesClassCalls = true
        let form = event.facts.text(.proposed)
        if let form, let before = asked[request]?.form, before != form {
            report("p.canonical makes \(form) of \(request), and made \(before) of it before", event, into: &hits)
        } else if let form, form != request, asked[request]?.origin != nil, asked[request]?.origin != request {
            report("p.canonical changes its own result \(request) once more, to \(form)", event, into: &hits)
        }
        change(request) {
            $0.isCanonical = true
            $0.form = form ?? $0.form
        }
        guard let form else { return }
        change(form) {
            $0.isCanonical = true
            $0.origin = $0.origin ?? request
        }
    }

    /// Judged where the form of both requests is known; only method and URL of a form are.
    private mutating func compare(_ event: TraceEvent, _ request: String, into hits: inout HitList) {
        guard let other = event.facts.text(.proposed), let form = asked[request]?.form,
            let otherForm = asked[other]?.form, let answer = event.facts[.accepts],
            answer != .flag(form == otherForm)
        else { return }
        let says = form == otherForm ? "no, and both have the form \(form)" : "yes, and their forms differ"
        report("p.cacheEquivalent says of \(request) and \(other) \(says)", event, into: &hits)
    }

    private mutating func report(_ sentence: @autoclosure () -> String, _ event: TraceEvent, into hits: inout HitList) {
        hits.report(RuleNumber(52), sentence(), at: event, in: event.laneID, isInferred: true)
    }

    private func judge(_ made: Made, _ event: TraceEvent, into hits: inout HitList) {
        // A trace without any class call has a recorder that does not see them.
        guard seesClassCalls else { return }
        let missing = [
            isAccepted(made.request) ? nil : "p.canInit that says yes",
            isCanonical(made.request) ? nil : "p.canonical",
        ].compactMap { $0 }
        guard missing.isEmpty else {
            let request = made.request.isEmpty ? "the request" : made.request
            return hits.report(
                RuleNumber(52), "p.start without a \(missing.joined(separator: " and a ")) for \(request) before it",
                at: event,
                in: LaneID(.protocolClient, event.object ?? event.task))
        }
        guard !made.wasCanonical else { return }
        hits.report(
            RuleNumber(52), "p.canonical came after p.init, which should get its result", at: event,
            in: LaneID(.protocolClient, event.object ?? event.task), isInferred: true)
    }

    // MARK: What the class was asked

    /// True also for a request that the object's events do not state, and for one that was declined (R60).
    private func isAccepted(_ request: String) -> Bool {
        if request.isEmpty { return asked.values.contains(where: \.isAnswered) }
        guard let own = asked[request] ?? asked[""] else { return false }
        return own.isAnswered || own.origin.flatMap { asked[$0] }?.isAnswered == true
    }

    private func isCanonical(_ request: String) -> Bool {
        if request.isEmpty { return asked.values.contains { $0.isCanonical } }
        return (asked[request] ?? asked[""])?.isCanonical == true
    }

    private mutating func change(_ request: String, _ change: (inout RequestState) -> Void) {
        if asked[request] == nil {
            order.append(request)
            if order.count > Self.mostRequests { asked[order.removeFirst()] = nil }
        }
        change(&asked[request, default: RequestState()])
    }
}
