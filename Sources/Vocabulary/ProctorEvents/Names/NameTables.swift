import ProctorBase

/// The words of trace files, for a reader that gets them as bytes.
enum NameTables {
    /// Neutral names; the number of a word is the index in ``eventNames``.
    static let events = ByteTable(eventNames.map(\.rawValue))
    static let eventNames = EventName.allCases

    static let kinds = EventVocabulary.kinds

    /// The lanes of each event, by its ordinal: one bit for each lane, by ``laneBit(_:)``.
    static let lanesOfEvents: [UInt8] = kinds.map { kind in kind.lanes.reduce(0) { $0 | laneBit($1) } }

    /// The lane of an event whose line names none, by ordinal.
    static let usualLanes: [Lane] = kinds.map { $0.lanes.first ?? .task }

    static let outcomes: [Bool] = kinds.map { $0.argument == .outcome }

    static let facts = ByteTable(factKeys.map(\.rawValue))
    static let factKeys = FactKey.allCases

    /// Names, then short codes; the number of a word modulo the count of families is the index in ``familyNames``.
    static let families = ByteTable(familyNames.map(\.rawValue) + familyNames.map(\.shortCode))
    static let familyNames = CallbackFamily.allCases

    static let abilities = ByteTable(abilityNames.map(\.rawValue))
    static let abilityNames = Ability.allCases

    /// `client` is the name of lane `protocolClient` in the rules.
    static let lanes = ByteTable(laneNames.map(\.rawValue) + ["client"])
    static let laneNames = Lane.allCases

    static let methods = ByteTable(spellings.map(\.text))
    private static let spellings: [(text: String, method: Int)] = MethodName.all.enumerated().flatMap { index, method in
        method.spellings.map { ($0, index) }
    }

    static func method(at spelling: Int) -> MethodName { MethodName.all[spellings[spelling].method] }

    static func lane(at word: Int) -> Lane { word < laneNames.count ? laneNames[word] : .protocolClient }

    static func laneBit(_ lane: Lane) -> UInt8 {
        switch lane {
        case .task: 1
        case .session: 2
        case .proto: 4
        case .protocolClient: 8
        case .handler: 16
        case .harness: 32
        case .wire: 64
        }
    }
}
