import ProctorBase
import ProctorEvents

/// Something that holds whatever happens: a row of `storm-invariants.tsv`.
package enum StormInvariant: String, Sendable, CaseIterable {
    case endsOnce = "ends-once"
    case ownContent = "own-content"
    case noCutSuccess = "no-cut-success"
    case sentOnce = "sent-once"
    case silentBehindEnd = "silent-behind-end"
    case order
    case noLateReply = "no-late-reply"
    case noLeak = "no-leak"
    case bounds
    case recovers
    case nothingLeft = "nothing-left"

    package struct Row: Sendable {
        /// What holds, a sentence without a point.
        package let sentence: String
        /// Where it comes from.
        package let source: String
        /// The rules of callback order that say the same.
        let rules: Set<RuleNumber>

        /// The sections of RFCs among the sources, without those of other versions of HTTP.
        func sections(over version: StormProtocol) -> [String] {
            let others = StormProtocol.specifications.filter { $0.version != version }.map(\.document)
            return source.split(separator: ";").map { String($0.drop { $0 == " " }) }.filter { section in
                section.hasPrefix("RFC ") && !others.contains { section.hasPrefix($0) }
            }
        }
    }

    private static let table = ContainedTable<StormInvariant, Row>("storm-invariants") { cells in
        Row(
            sentence: cells["says"], source: cells["source"],
            rules: Set(cells.words(of: "rules").compactMap { Int($0.dropFirst()) }.map { RuleNumber($0) }))
    }

    package var row: Row { Self.table[self] }

    /// The invariant that a rule of callback order belongs to.
    static func about(_ rule: RuleNumber) -> StormInvariant {
        allCases.first { $0.row.rules.contains(rule) } ?? .order
    }
}

/// An invariant that a client has broken.
package struct StormBreak: Sendable, Equatable {
    package let invariant: StormInvariant
    /// The step of the load; nil: the session as a whole.
    package let step: Int?
    /// What was seen, a sentence without a point.
    package let sentence: String
    /// The connection that it is about, counted from 0; nil: it is about none.
    let connection: Int?

    init(_ invariant: StormInvariant, ofStep step: Int? = nil, connection: Int? = nil, _ sentence: String) {
        (self.invariant, self.step, self.connection, self.sentence) = (invariant, step, connection, sentence)
    }

    /// Whether the server has seen all connections end, and a descriptor of the client is left.
    var isOfDescriptor: Bool { invariant == .nothingLeft && connection == nil }

    /// `own-content, load 3: …`.
    package var line: String { "\(invariant.rawValue)\(step.map { ", load \($0)" } ?? ""): \(sentence)" }
}
