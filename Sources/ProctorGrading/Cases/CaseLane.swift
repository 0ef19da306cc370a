import ProctorEvents

/// A lane as a case names it: `task`, `task[1]`, `download`, `handler[2]`, `protocolClient`.
struct CaseLane: Comparable, Hashable {
    let key: String
    let lane: Lane
    /// The number of the step, the session or the URLProtocol object.
    let number: Int
    /// Whether it speaks for download families only.
    let isDownload: Bool

    /// nil for a key that is no lane; `task[0]` is `task`.
    init?(_ key: String) {
        let name = key.prefix { $0 != "[" }
        isDownload = name == "download"
        guard let lane = isDownload ? .task : Lane(rawValue: String(name)) else { return nil }
        self.lane = lane
        guard name.count < key.count else {
            number = 0
            self.key = key
            return
        }
        guard key.last == "]", let number = Int(key.dropFirst(name.count + 1).dropLast()), number >= 0 else {
            return nil
        }
        self.number = number
        self.key = number == 0 ? String(name) : "\(name)[\(number)]"
    }

    /// The name that a case would give to the lane of an event.
    static func key(_ lane: LaneID, family: CallbackFamily?) -> String {
        let isDownload = lane.lane == .task && (family?.isDownload ?? false)
        let name = isDownload ? "download" : lane.lane.rawValue
        // There is one lane for all objects in a case.
        return lane.number == 0 || lane.lane.isOfObject || lane.lane == .session || lane.lane == .wire
            ? name : "\(name)[\(lane.number)]"
    }

    /// Whether an event belongs to it; exits of callbacks belong to no expression.
    func contains(_ event: TraceEvent) -> Bool {
        guard event.lane == lane, event.phase == .enter else { return false }
        // Objects come and go within one load: what a case says of them holds for all in their order.
        return lane.isOfObject && number == 0 ? true : event.laneID.number == number
    }

    /// Ordered by lane, then by number.
    static func < (left: CaseLane, right: CaseLane) -> Bool {
        (left.rank, left.number, left.key) < (right.rank, right.number, right.key)
    }

    private var rank: Int { Lane.allCases.firstIndex(of: lane) ?? 0 }

    /// What is taken out of the lane's events unless an expression names it.
    var ignored: [String] {
        // Class calls belong to no object, and their number is never asserted (R52).
        lane == .proto
            ? [EventName.pCanInit.rawValue, EventName.pCanonical.rawValue] : EventVocabulary.ambientNames
    }
}

extension CallbackFamily {
    /// Whether `download:` speaks for it, and not `task:`.
    var isDownload: Bool { self == .sessionDownload || self == .download || self == .connectionDownload }
}
