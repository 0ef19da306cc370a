import ProctorEvents

/// Checks one load: owns its state, its monitors and its grammars.
final class LoadCheck {
    let state: LoadState
    /// The number of loads of the trace that began before it.
    let serial: Int
    var isRetired = false
    private var plan: FamilyPlan?
    private var monitors: MonitorSet?
    private var own = LaneFollower()
    private var object = LaneFollower()
    private var held: [TraceEvent] = []

    static let mostHeld = 64

    /// `family` nil: the first event of the lane gives the family.
    init(lane: LaneID, serial: Int, family: CallbackFamily?, plans: inout FamilyPlans) {
        self.serial = serial
        state = LoadState(lane: lane, family: family ?? .sessionData, platform: plans.platform)
        state.isPartial = plans.isPartial
        if let family { settle(family, &plans) }
    }

    var family: CallbackFamily? { plan == nil ? nil : state.family }

    /// Whether no more events are due, so that the load may be forgotten before the trace ends.
    var isOver: Bool {
        if state.isOver { return true }
        switch state.family {
        case .connection, .connectionDownload, .download: return state.cancellation != nil
        case .urlProtocol, .proto: return state.isStopped
        case .eventSource: return state.cancellation != nil
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .webSocket, .stream, .connectionSync,
            .connectionQueued, .sequence:
            return false
        }
    }

    /// Whether an event belongs to the download or stream that this task became, which keeps its number (R29).
    ///
    /// Only where the recorder says so: in a log without that, the old task may as well continue.
    func isSucceeded(by event: TraceEvent) -> Bool {
        guard event.lane == .task, state.family == .sessionData, let terminal = state.terminal else { return false }
        return switch event.family {
        case .sessionDownload: terminal.name == .becameDownload
        case .stream: terminal.name == .becameStream
        default: false
        }
    }

    var refusals: [GrammarRefusal] { [own.refusal, object.refusal].compactMap(\.self) }

    func observe(
        _ event: TraceEvent, seesAnswers: Bool, fallback: CallbackFamily?, _ plans: inout FamilyPlans,
        into hits: inout HitList
    ) {
        state.seesAnswers = seesAnswers
        if plan == nil {
            if let family = Self.family(toldBy: event, fallback) {
                settle(family, &plans)
                release(&plans, into: &hits)
            } else if held.count < Self.mostHeld {
                held.append(event)
                return
            } else {
                settle(fallback ?? .sessionData, &plans)
                release(&plans, into: &hits)
            }
        }
        if let plan { check(event, plan, into: &hits) }
    }

    /// The trace is over or the load is forgotten; false when the load has nothing but requests on the wire.
    func finish(
        seesAnswers: Bool, ending: TraceEnding, fallback: CallbackFamily?, _ plans: inout FamilyPlans,
        into hits: inout HitList
    ) -> Bool {
        if plan == nil {
            guard held.contains(where: { $0.lane != .wire }) else { return false }
            settle(fallback ?? .sessionData, &plans)
            release(&plans, into: &hits)
        }
        guard let plan else { return false }
        state.seesAnswers = seesAnswers
        state.ending = ending
        hits.broken = RuleNumberSet()
        monitors?.observeLoadEnd(by: plan, state, into: &hits)
        if let grammar = ownGrammar(of: plan) {
            own.finish(
                in: state.lane, grammar, isDue: ending != .cut && (state.isOver || state.isEndDue), broken: hits.broken)
        }
        if let grammar = plan.objectGrammar {
            object.finish(
                in: LaneID(.proto, state.lane.number), grammar, isDue: ending != .cut && object.eventCount > 0,
                broken: hits.broken)
        }
        return true
    }

    /// Gives the monitors back to the plan; the load must not be used any more.
    func recycle() {
        if let monitors { plan?.takeBack(monitors) }
        monitors = nil
    }

    // MARK: One event

    private func check(_ event: TraceEvent, _ plan: FamilyPlan, into hits: inout HitList) {
        hits.broken = RuleNumberSet()
        state.forgetAnswer()
        monitors?.observe(event, by: plan, state, into: &hits)
        guard event.phase == .enter else { return }
        follow(event, by: plan, broken: hits.broken)
        state.apply(event)
    }

    /// nil where the delegate lacks a method whose event the grammar asks for; the rules judge what is left.
    private func ownGrammar(of plan: FamilyPlan) -> SharedGrammar? {
        state.missingMethods.contains(.response) ? nil : plan.ownGrammar
    }

    private func follow(_ event: TraceEvent, by plan: FamilyPlan, broken: RuleNumberSet) {
        if event.lane == state.lane.lane {
            own.follow(event, in: state.lane, ownGrammar(of: plan), broken: broken)
            object.recordBroken(broken)
        } else if event.lane == .proto {
            object.follow(event, in: LaneID(.proto, state.lane.number), plan.objectGrammar, broken: broken)
            own.recordBroken(broken)
        } else {
            own.recordBroken(broken)
            object.recordBroken(broken)
        }
    }

    // MARK: Family

    private func settle(_ family: CallbackFamily, _ plans: inout FamilyPlans) {
        let plan = plans.plan(of: family)
        self.plan = plan
        state.family = family
        monitors = plan.monitors()
    }

    private func release(_ plans: inout FamilyPlans, into hits: inout HitList) {
        guard let plan else { return }
        for event in held { check(event, plan, into: &hits) }
        held = []
    }

    /// The family that an event gives for its load; events of harness and wire give none.
    static func family(toldBy event: TraceEvent, _ fallback: CallbackFamily?) -> CallbackFamily? {
        if let family = event.family { return family == .proto ? .urlProtocol : family }
        switch event.lane {
        case .proto, .protocolClient: return .urlProtocol
        case .handler: return fallback ?? CallbackFamily(onlyFamilyOf: event.name) ?? .sessionHandler
        case .task: return fallback ?? CallbackFamily(onlyFamilyOf: event.name)
        case .harness, .wire, .session: return nil
        }
    }
}

extension CallbackFamily {
    /// The family of a lane that does not state it, from an event that no other family has; nil for other events.
    init?(onlyFamilyOf name: EventName) {
        switch name {
        case .response, .data, .becameDownload, .becameStream, .complete: self = .sessionData
        case .progress, .fileReady: self = .sessionDownload
        case .wsOpen, .wsClose, .wsSent, .wsReceived, .wsPong: self = .webSocket
        case .esOpen, .esEvent, .esError: self = .eventSource
        case .trailers: self = .sequence
        case .streamReadClosed, .streamWriteClosed, .streamsCaptured, .betterRoute: self = .stream
        case .downloadBegin, .shouldDecode, .destination, .destinationCreated: self = .download
        case .canonicalize, .askCanAuth, .askCredStore: self = .connection
        default: return nil
        }
    }
}
