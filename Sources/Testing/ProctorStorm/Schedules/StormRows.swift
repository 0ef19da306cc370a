import ProctorBase
package import ProctorEvents

/// A way on which a client comes to the server: a row of `storm-ways.tsv`.
package struct StormWay: Sendable, Equatable {
    package let name: String
    package let version: StormProtocol
    package let needs: Set<Ability>
    /// Keys of the origin in a fixture.
    let origin: String
    let isThroughProxy: Bool
    package let words: String
    fileprivate let weight: Int

    package static let all = TableCells.rows(of: "storm-ways").map { cells in
        StormWay(
            name: cells["kind"], version: cells.value("protocol", StormProtocol.init), needs: cells.needs,
            origin: cells.text("origin") ?? "", isThroughProxy: cells.text("through") != nil, words: cells["says"],
            weight: cells.value("weight") { Int($0) })
    }

    /// The plainest one, which every client has.
    package static var plain: StormWay { all[0] }
}

/// The protocols that tell which faults have a meaning.
package enum StormProtocol: String, Sendable, CaseIterable {
    case h1, h2, h3

    /// What each of them alone follows.
    static let specifications = zip(allCases, ["RFC 9112", "RFC 9113", "RFC 9114"]).map { (version: $0, document: $1) }
}

/// Something that a server does to a load: a row of `storm-faults.tsv`.
package struct StormFault: Sendable, Equatable {
    package let name: String
    fileprivate let protocols: Set<StormProtocol>
    fileprivate let weight: Int
    let needs: Set<Ability>
    /// Whether the load does not end by itself, so that it needs a limit or a cancel.
    let isHeld: Bool
    /// The origin of the load.
    let place: String
    /// Whether it leads to another target of the load.
    let isRedirect: Bool
    /// The `reply` of a fixture, in which `$whole` and its like stand for values; nil: nothing answers.
    let reply: String?
    let words: String

    package static let all = TableCells.rows(of: "storm-faults").map { cells in
        StormFault(
            name: cells["kind"], protocols: cells.protocols, weight: cells.value("weight") { Int($0) },
            needs: cells.needs,
            isHeld: cells.text("holds") != nil, place: cells.text("place") ?? mainPlace,
            isRedirect: cells.text("moved") != nil, reply: cells.text("reply"), words: cells["says"])
    }

    static let mainPlace = "main"

    /// Whether the moment matters only by what comes before it.
    var isWait: Bool { reply?.contains(text: "wait $t") ?? false }
}

/// Something that a server does to its connections, whatever load they carry: a row of `storm-origins.tsv`.
package struct StormOrigin: Sendable, Equatable {
    package let name: String
    fileprivate let protocols: Set<StormProtocol>
    fileprivate let weight: Int
    /// Keys of the origin in a fixture; nil: none.
    let keys: String?
    let words: String

    static let all = TableCells.rows(of: "storm-origins").map { cells in
        StormOrigin(
            name: cells["kind"], protocols: cells.protocols, weight: cells.value("weight") { Int($0) },
            keys: cells.text("origin"), words: cells["says"])
    }

    static var calm: StormOrigin { all[0] }
}

extension TableCells {
    fileprivate var needs: Set<Ability> {
        Set(
            words(of: "needs").map { word in
                guard let ability = Ability(rawValue: word) else {
                    preconditionFailure("a table of storms: no ability is \(word)")
                }
                return ability
            })
    }

    fileprivate var protocols: Set<StormProtocol> {
        Set(StormProtocol.allCases.filter { lists($0.rawValue, in: "protocols") })
    }
}

extension StormDraws {
    mutating func way(of versions: Set<StormProtocol>) -> StormWay {
        pick(StormWay.all.filter { versions.contains($0.version) }, by: \.weight) ?? .plain
    }

    mutating func fault(over version: StormProtocol) -> StormFault? {
        pick(StormFault.all.filter { $0.protocols.contains(version) }, by: \.weight)
    }

    mutating func origin(over version: StormProtocol) -> StormOrigin {
        pick(StormOrigin.all.filter { $0.protocols.contains(version) }, by: \.weight) ?? .calm
    }
}

extension StormOrigin {
    func isOf(_ version: StormProtocol) -> Bool { protocols.contains(version) }
}

extension StormFault {
    func isOf(_ version: StormProtocol) -> Bool { protocols.contains(version) }
}
