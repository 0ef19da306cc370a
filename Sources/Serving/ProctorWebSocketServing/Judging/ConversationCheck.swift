internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorProgram
internal import ProctorScenario

/// Compares the ends that a client told of its sends, Pings and receives with the acts of its program, which are done in
/// order: each is over once, and one that fails is the last one (Docs/clients/trace.md).
enum ConversationCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.tellsHandlers, !load.isPartial, let acts = load.program?.conversation, !acts.isEmpty else {
            return []
        }
        let wanted = acts.enumerated().flatMap { number, act in act.ends.map { (number: number + 1, act, name: $0) } }
            .filter { load.tells($0.name) }
        let reported = load.events.filter { ends.contains($0.name) && load.tells($0.name) }
        for (index, event) in reported.enumerated() {
            guard index < wanted.count else {
                return [
                    event.fault(
                        "act", wanted: "none", got: "one", reason: "the conversation has no act left that ends so")
                ]
            }
            let (number, act, name) = wanted[index]
            if event.name != name {
                return [
                    event.fault(
                        "act", wanted: name.rawValue, got: event.name.rawValue,
                        reason: "act \(number) of the conversation is \(act.word), and they are done in order")
                ]
            }
            if event.argument != "ok", index + 1 < reported.count {
                return [
                    reported[index + 1].fault(
                        "act", wanted: "none", got: reported[index + 1].name.rawValue,
                        reason: "act \(number) of the conversation failed, which ends it")
                ]
            }
        }
        return missing(load, reported, wanted: wanted.dropFirst(reported.count).first)
    }

    /// An act that was begun and never ended, though the WebSocket was open and ended.
    private static func missing(
        _ load: ContentLoad, _ reported: [TraceEvent], wanted: (number: Int, act: ConversationAct, name: EventName)?
    ) -> [ContentFault] {
        guard let wanted, reported.last?.argument ?? "ok" == "ok", load.events.contains(where: { $0.name == .wsOpen }),
            let end = load.events.lastIndex(where: { $0.name == .complete }), !load.isCancelled(before: end),
            load.events.last(where: { $0.name == .result })?.facts.text(.domain) != "adapter"
        else { return [] }
        return [
            load.events[end].fault(
                "act", wanted: wanted.name.rawValue, got: "none",
                reason:
                    "act \(wanted.number) of the conversation is \(wanted.act.word), and the WebSocket ended without "
                    + "an end of it", rule: 57)
        ]
    }

    private static let ends: EventNameSet = [.wsSent, .wsPong, .wsReceived]
}

extension ConversationAct {
    /// The events that tell its end, in order; the end of the task is that of the others.
    fileprivate var ends: [EventName] {
        switch self {
        case .send: [.wsSent]
        case .ping: [.wsPong]
        case .receive(let count): Array(repeating: .wsReceived, count: count)
        case .close, .cancel: []
        }
    }
}
