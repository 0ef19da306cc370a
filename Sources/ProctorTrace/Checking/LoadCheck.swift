/// All that watches one load: its state, its monitors and its grammars.
final class LoadCheck {
    let state: LoadState
    /// How many loads of the trace came before it.
    let serial: Int
    /// Whether the table counts it among those that are over.
    var isRetired = false
    private var plan: FamilyPlan?
    private var monitors: MonitorSet?
    private var own = LaneFollower()
    /// Lane `proto` of an object.
    private var object = LaneFollower()
    /// Events that came before the family was known.
    private var held: [TraceEvent] = []

    /// Events that wait for the family at most.
    static let mostHeld = 64

    /// `family` nil: the first event of the lane will tell.
    init(lane: LaneID, serial: Int, family: CallbackFamily?, plans: inout FamilyPlans) {
        self.serial = serial
        state = LoadState(lane: lane, family: family ?? .US, platform: plans.platform)
        state.isPartial = plans.isPartial
        if let family { settle(family, &plans) }
    }

    /// nil while no event told it.
    var family: CallbackFamily? { plan == nil ? nil : state.family }

    /// Whether nothing more is due and the load may be forgotten before the trace ends.
    var isOver: Bool {
        if state.isOver { return true }
        switch state.family {
        case .UC, .CD, .DL: return state.cancellation != nil
        case .PC, .proto: return state.isStopped
        case .US, .UD, .HT, .BG, .WS, .ST: return false
        }
    }

    /// Whether an event belongs to the download or stream that this task turned into, which keeps its number (R29).
    ///
    /// Only where the recorder says so: a log that doesn't may as well show the old task going on.
    func isSucceeded(by event: TraceEvent) -> Bool {
        guard event.lane == .task, state.family == .US, let terminal = state.terminal else { return false }
        return switch event.family {
        case .UD: terminal.name == .becameDownload
        case .ST: terminal.name == .becameStream
        default: false
        }
    }

    /// What the lanes of the load broke of their grammars.
    var refusals: [GrammarRefusal] { [own.refusal, object.refusal].compactMap(\.self) }

    func observe(
        _ event: TraceEvent, seesAnswers: Bool, fallback: CallbackFamily?, _ plans: inout FamilyPlans,
        _ hits: inout HitList
    ) {
        state.seesAnswers = seesAnswers
        if plan == nil {
            if let told = Self.family(toldBy: event, fallback) {
                settle(told, &plans)
                release(&plans, &hits)
            } else if held.count < Self.mostHeld {
                held.append(event)
                return
            } else {
                settle(fallback ?? .US, &plans)
                release(&plans, &hits)
            }
        }
        if let plan { look(at: event, plan, &hits) }
    }

    /// The trace is over or the load is forgotten; false when there never was such a load, only requests on the wire.
    func end(
        seesAnswers: Bool, ending: TraceEnding, fallback: CallbackFamily?, _ plans: inout FamilyPlans,
        _ hits: inout HitList
    ) -> Bool {
        if plan == nil {
            guard held.contains(where: { $0.lane != .wire }) else { return false }
            settle(fallback ?? .US, &plans)
            release(&plans, &hits)
        }
        guard let plan else { return false }
        state.seesAnswers = seesAnswers
        state.ending = ending
        hits.broken = RuleNumberSet()
        monitors?.end(by: plan, state, &hits)
        if let grammar = plan.ownGrammar {
            own.end(
                in: state.lane, grammar, isDue: ending != .cut && (state.isOver || state.isEndDue), broken: hits.broken)
        }
        if let grammar = plan.objectGrammar {
            object.end(
                in: LaneID(.proto, state.lane.number), grammar, isDue: ending != .cut && object.eventCount > 0,
                broken: hits.broken)
        }
        return true
    }

    /// Gives what others can use back to the plan; the load is not used any more.
    func recycle() {
        if let monitors { plan?.takeBack(monitors) }
        monitors = nil
    }

    // MARK: One event

    private func look(at event: TraceEvent, _ plan: FamilyPlan, _ hits: inout HitList) {
        hits.broken = RuleNumberSet()
        state.forgetAnswer()
        monitors?.observe(event, by: plan, state, &hits)
        guard event.phase == .enter else { return }
        follow(event, plan, hits.broken)
        state.take(event)
    }

    private func follow(_ event: TraceEvent, _ plan: FamilyPlan, _ broken: RuleNumberSet) {
        if event.lane == state.lane.lane {
            own.take(event, in: state.lane, plan.ownGrammar, broken: broken)
            object.note(broken)
        } else if event.lane == .proto {
            object.take(event, in: LaneID(.proto, state.lane.number), plan.objectGrammar, broken: broken)
            own.note(broken)
        } else {
            own.note(broken)
            object.note(broken)
        }
    }

    // MARK: Family

    private func settle(_ family: CallbackFamily, _ plans: inout FamilyPlans) {
        let plan = plans.plan(of: family)
        self.plan = plan
        state.family = family
        monitors = plan.monitors()
    }

    private func release(_ plans: inout FamilyPlans, _ hits: inout HitList) {
        guard let plan else { return }
        for event in held { look(at: event, plan, &hits) }
        held = []
    }

    /// What an event says of the family of its load; harness and wire know nothing of it.
    static func family(toldBy event: TraceEvent, _ fallback: CallbackFamily?) -> CallbackFamily? {
        if let family = event.family { return family == .proto ? .PC : family }
        switch event.lane {
        case .proto, .protocolClient: return .PC
        case .handler: return fallback ?? .HT
        case .task: return fallback ?? CallbackFamily(onlyFamilyOf: event.name)
        case .harness, .wire, .session: return nil
        }
    }
}

extension CallbackFamily {
    /// The family of a lane that does not say it but has this event; nil for events that several families have.
    init?(onlyFamilyOf name: EventName) {
        switch name {
        case .response, .data, .becameDownload, .becameStream, .complete: self = .US
        case .progress, .fileReady: self = .UD
        case .wsOpen, .wsClose: self = .WS
        case .streamReadClosed, .streamWriteClosed, .streamsCaptured, .betterRoute: self = .ST
        case .downloadBegin, .shouldDecode, .destination, .destinationCreated: self = .DL
        case .canonicalize, .askCanAuth, .askCredStore: self = .UC
        default: return nil
        }
    }
}
