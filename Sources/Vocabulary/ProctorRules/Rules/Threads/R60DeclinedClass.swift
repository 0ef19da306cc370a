import ProctorEvents

/// The questions of a task since its last object.
struct R60DeclinedClass: TraceMonitor {
    static let interests: EventNameSet = [.pCanInit, .pInit]

    private struct Question {
        let name: String
        /// Empty where the event states none.
        let request: String
        var isAccepted: Bool
    }

    /// The questions by task: each class once for a request, in the order of the first questions.
    private var rounds: [Int: [Question]] = [:]
    /// The classes of the trace in the order of the first questions.
    private var order: [String] = []

    private static let mostTasks = 256
    private static let mostQuestions = 64

    mutating func observe(_ event: TraceEvent, family: CallbackFamily?, into hits: inout HitList) {
        guard event.lane == .proto, event.phase == .enter else { return }
        if event.name == .pCanInit { ask(event, into: &hits) } else { make(event, into: &hits) }
    }

    private mutating func ask(_ event: TraceEvent, into hits: inout HitList) {
        if rounds.count >= Self.mostTasks { rounds = [:] }
        let question = Question(
            name: event.argument ?? "", request: event.facts.text(.request) ?? "",
            isAccepted: event.facts[.accepts] != .flag(false))
        var round = rounds[event.task] ?? []
        defer { rounds[event.task] = round }
        if let index = round.firstIndex(where: { $0.name == question.name && $0.request == question.request }) {
            round[index].isAccepted = question.isAccepted
            return
        }
        if let before = round.last(where: { $0.request == question.request })?.name,
            let place = order.firstIndex(of: question.name), let placeBefore = order.firstIndex(of: before),
            place < placeBefore
        {
            hits.report(
                RuleNumber(60),
                "p.canInit(\(question.name)) comes after p.canInit(\(before)), and came before it for another request",
                at: event, in: event.laneID, isInferred: true)
        }
        if !order.contains(question.name), order.count < Self.mostQuestions { order.append(question.name) }
        if round.count >= Self.mostQuestions { round.removeFirst() }
        round.append(question)
    }

    private mutating func make(_ event: TraceEvent, into hits: inout HitList) {
        // A trace without class calls has a recorder that does not see them (R52).
        guard let round = rounds.removeValue(forKey: event.task) else { return }
        let name = event.argument ?? ""
        let shown = name.isEmpty ? "" : "(\(name))"
        // The canonical form need not be a request that was asked about.
        let own = round.filter { $0.request == event.facts.text(.request) ?? "" }
        let asked = own.isEmpty ? round : own
        let answers = asked.filter { $0.name == name }
        if !answers.isEmpty, !answers.contains(where: \.isAccepted) {
            hits.report(
                RuleNumber(60), "p.init\(shown) of a class that said no: p.canInit\(shown) with accepts false",
                at: event,
                in: event.laneID)
        } else if let first = asked.first(where: \.isAccepted), first.name != name, !name.isEmpty {
            hits.report(
                RuleNumber(60), "p.init\(shown), and p.canInit(\(first.name)) said yes before", at: event,
                in: event.laneID)
        }
    }
}
