import ProctorEvents

/// A lane as a case names it: `task`, `task[1]`, `download`, `handler[2]`, `protocolClient`.
struct CaseLane: Comparable, Hashable {
    let key: String
    let lane: Lane
    /// The number of the step, the session or the URLProtocol object.
    let number: Int
    /// Whether the lane is for download families only.
    let isDownload: Bool

    /// Reads a key; nil when it is no lane.
    ///
    /// `task[0]` is `task`.
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

    /// The key that a case uses for the lane of an event.
    static func key(_ lane: LaneID, family: CallbackFamily?) -> String {
        let isDownload = lane.lane == .task && (family?.isDownload ?? false)
        let name = isDownload ? "download" : lane.lane.rawValue
        // All objects of a case share one lane.
        return lane.number == 0 || lane.lane.isOfObject || lane.lane == .session || lane.lane == .wire
            ? name : "\(name)[\(lane.number)]"
    }

    static func < (left: CaseLane, right: CaseLane) -> Bool {
        (left.rank, left.number, left.key) < (right.rank, right.number, right.key)
    }

    private var rank: Int { Lane.allCases.firstIndex(of: lane) ?? 0 }

    private static let ofClasses = [EventName.pCanInit, .pCanonical, .pCacheEquivalent].map(\.rawValue)

    /// The events that are removed from the lane unless an expression names them.
    var ignored: [String] {
        // Calls of class methods belong to no object, and their number is not specified (R52).
        lane == .proto ? Self.ofClasses : EventVocabulary.ambientNames
    }
}

extension CallbackFamily {
    /// Whether `download:` applies to the family, instead of `task:`.
    var isDownload: Bool { self == .sessionDownload || self == .download || self == .connectionDownload }
}
