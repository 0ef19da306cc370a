/// What one line says of an event, before a method name is resolved and the lane's family filled in.
struct EventLine {
    var sequence: Int?
    var time: TraceEvent.Time?
    var lane: Lane?
    var task: Int?
    var object: Int?
    var name: Name?
    var argument = Argument.missing
    var phase = TraceEvent.Phase.enter
    var queue: String?
    var thread: String?
    var family: CallbackFamily?
    var facts: [EventFact] = []

    enum Name {
        case neutral(EventName)
        case method(MethodName, spelling: String)
    }

    /// A log that names a method may also say that an argument was nil, which is more than saying nothing.
    enum Argument: Equatable {
        case missing
        case null
        case text(String)

        var text: String? {
            if case .text(let text) = self { return text }
            return nil
        }
    }

    func text(_ key: FactKey) -> String? {
        for fact in facts where fact.key == key {
            switch fact.value {
            case .text(let text): return text
            case .integer(let value): return String(value)
            case .flag: return nil
            }
        }
        return nil
    }

    func integer(_ key: FactKey) -> Int? {
        for fact in facts where fact.key == key {
            if case .integer(let value) = fact.value { return value }
        }
        return nil
    }

    func has(_ key: FactKey) -> Bool { facts.contains { $0.key == key } }

    /// Makes the event, all but its sequence and family.
    consuming func event(named name: EventName, _ argument: String?, lane: Lane) -> TraceEvent {
        TraceEvent(
            time: time, lane: lane, task: task ?? 0, object: object, name: name, argument: argument, phase: phase,
            queue: queue, thread: thread, facts: facts.isEmpty ? [] : EventFacts(facts))
    }
}
