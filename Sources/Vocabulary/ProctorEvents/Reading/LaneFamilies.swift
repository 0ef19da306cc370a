/// The families of a trace's lanes, as far as they are known; takes bounded memory.
///
/// The lanes of one task (its delegate's, its handler's and the harness's) share the family. The last ``mostLanes``
/// tasks are remembered.
struct LaneFamilies {
    enum Certainty: UInt8 { case none, guessed, known, said }

    struct Slot {
        var number: Int
        var family: CallbackFamily?
        var certainty = Certainty.none
        /// Whether the load has had a response, for method names that may be one.
        var hasResponse = false
    }

    static let mostLanes = 16_384

    private var tasks: [Slot] = []
    private var sessions: [Slot] = []
    private var objects: [Slot] = []
    private var clients: [Slot] = []

    /// Takes the family that an event states, and gives the event the known one.
    ///
    /// `said` stands in the line; `method` has a family of its own. Returns whether a later line can still change the
    /// family.
    mutating func place(_ event: inout TraceEvent, said: CallbackFamily?, method: MethodName?) -> Bool {
        switch event.lane {
        case .task, .handler: return Self.place(&event, event.task, said: said, method: method, in: &tasks)
        case .harness where event.object == nil:
            return Self.place(&event, event.task, said: said, method: method, in: &tasks)
        case .session: return Self.place(&event, event.task, said: said, method: method, in: &sessions)
        case .proto: return Self.place(&event, event.object ?? event.task, said: said, method: method, in: &objects)
        case .protocolClient:
            return Self.place(
                &event, event.object ?? event.task, said: said ?? .urlProtocol, method: method, in: &clients)
        case .harness, .wire:
            event.family = said
            return false
        }
    }

    /// The known or guessed family of an event's lane; an event in a lane that is never guessed keeps its own.
    mutating func family(of event: TraceEvent) -> CallbackFamily? {
        switch event.lane {
        case .task, .handler: return Self.slot(event.task, &tasks).family
        case .harness where event.object == nil: return Self.slot(event.task, &tasks).family
        case .session: return Self.slot(event.task, &sessions).family
        case .proto: return Self.slot(event.object ?? event.task, &objects).family
        case .protocolClient, .harness, .wire: return event.family
        }
    }

    mutating func hasResponse(task: Int) -> Bool { Self.slot(task, &tasks).hasResponse }

    private static func place(
        _ event: inout TraceEvent, _ number: Int, said: CallbackFamily?, method: MethodName?, in slots: inout [Slot]
    ) -> Bool {
        let index = number & (mostLanes - 1)
        var slot = slot(number, &slots)
        if let said {
            slot.family = said
            slot.certainty = .said
        } else if let method, let family = method.family {
            let certainty = method.isOfOneFamily ? Certainty.known : .guessed
            if certainty.rawValue > slot.certainty.rawValue {
                slot.family = family
                slot.certainty = certainty
            }
        }
        if event.name == .response { slot.hasResponse = true }
        slots[index] = slot
        let isOpen = slot.certainty.rawValue < Certainty.known.rawValue
        // A guess is not used as long as a later line may state the family.
        event.family = isOpen && event.name != .complete ? nil : slot.family
        return isOpen
    }

    private static func slot(_ number: Int, _ slots: inout [Slot]) -> Slot {
        let index = number & (mostLanes - 1)
        while slots.count <= index { slots.append(Slot(number: slots.count)) }
        return slots[index].number == number ? slots[index] : Slot(number: number)
    }
}
