import ProctorBase
import ProctorDocument

/// A group of facts that a module above measures: `dns[N].…` of one of several things, and `dns.…` of the run as a whole.
///
/// The core has its name alone. A file with one of its facts is told which part is not in the program, where no module has registered.
/// Safe from any thread; a module registers before the first file is read.
package final class FactGroup: Sendable {
    /// What stands before the number: `dns`.
    package let name: String
    private let technology: FactTechnology?
    private let slot: PartSlot<Rows>
    /// The rows of the facts, from the first time that one is asked for: a start needs none.
    private let made = Locked<Rows.Facts?>(nil)

    package static let stream = FactGroup("stream", "the part for frames of HTTP/2 and HTTP/3", of: .http2)
    package static let http2 = FactGroup("h2", "the part for frames of HTTP/2 and HTTP/3", of: .http2)
    package static let http3 = FactGroup("h3", "the part for frames of HTTP/2 and HTTP/3", of: .http3)
    package static let webSocket = FactGroup("ws", "WebSocket")
    package static let socks = FactGroup("socks", "SOCKS", of: .socks)
    package static let dns = FactGroup("dns", "the server of DNS", of: .dns)

    package static let got = FactGroup("got", "the part for intermediaries")

    /// In the order of messages, and of the schema.
    package static let all = [stream, http2, http3, webSocket, socks, dns, got]

    private init(_ name: String, _ noun: String, of technology: FactTechnology? = nil) {
        (self.name, self.technology, slot) = (name, technology, PartSlot(noun))
    }

    /// What a module hands over.
    package struct Rows: Sendable {
        /// One of them in sentences, with its number from 1 in place of `$`: `question $ to the server of DNS`.
        fileprivate let owner: String
        /// One of them: `question`.
        fileprivate let noun: String
        fileprivate let subject: Claim.Subject
        fileprivate let facts: @Sendable () -> Facts

        package typealias Facts = (ofEach: [FactRow], ofRun: [FactRow])

        /// `facts` is called once at most, and asks nothing of the group.
        package init(owner: String, noun: String, subject: Claim.Subject, facts: @escaping @Sendable () -> Facts) {
            (self.owner, self.noun, self.subject, self.facts) = (owner, noun, subject, facts)
        }
    }

    package func register(_ rows: Rows) { slot.register(rows) }

    /// The names behind the number; none where no module has registered.
    package var namesOfEach: [String] { facts.ofEach.map(\.name) }

    /// The names of facts of the run, behind the point.
    package var namesOfRun: [String] { facts.ofRun.map(\.name) }

    private var facts: Rows.Facts {
        guard let rows = slot.part else { return ([], []) }
        return made.withLock { made in
            if let made { return made }
            let facts = rows.facts()
            made = facts
            return facts
        }
    }

    /// The row of a fact that was parsed.
    func row(_ fact: String, of index: Int?) -> FactRow {
        guard let rows = slot.part,
            var row = (index == nil ? facts.ofRun : facts.ofEach).lazy.compactMap({ $0.naming(fact) }).first
        else { return FactRow("the fact NAME", named: fact, fact) }
        (row.technology, row.subject) = (technology, rows.subject)
        guard let index else { return row.below("\(name).", of: "") }
        return row.below("\(name)[\(index)].", of: rows.owner.replacing(text: "$", with: "\(index + 1)"))
    }

    /// Reads the name behind the number, or behind the point where there is none; then nil where it is no name at all.
    func fact(_ text: String, of index: Int?) throws(FactNameError) -> FactName? {
        guard let rows = slot.part else {
            throw FactNameError(sentence: MissingPart.sentence(slot.noun), hint: MissingPart.remedy)
        }
        let facts = facts
        if (index == nil ? facts.ofRun : facts.ofEach).contains(where: { $0.naming(text) != nil }) {
            return .grouped(self, index: index, text)
        }
        let names = index == nil ? namesOfRun : namesOfEach
        if let index { throw .unknown(text, below: "\(name)[\(index)].", among: names) }
        if namesOfEach.contains(text) { throw .lacksNumber(name, text, of: rows.noun) }
        if names.isEmpty { return nil }
        throw .unknown(text, below: "\(name).", among: names)
    }
}

extension FactGroup: Hashable, CustomStringConvertible {
    package static func == (one: FactGroup, other: FactGroup) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package var description: String { name }
}
