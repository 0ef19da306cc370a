import ProctorBase
import ProctorDocument

/// A group of facts that the grader or a module above measures: `dns[N].…` of one of several things, and `dns.…` of the run as a
/// whole.
///
/// This module has its name alone. A file with one of its facts is told which part is not in the program, where no module has registered.
/// Safe from any thread; a module registers before the first file is read.
package final class FactGroup: Sendable {
    /// What stands before the number: `dns`.
    package let name: String
    private let technology: FactTechnology?
    private let slot: PartSlot<Rows>
    /// The rows of the facts, from the first time that one is asked for: a start needs none.
    private let made = Locked<Facts?>(nil)

    // What the grader measures itself.
    package static let run = FactGroup("", grader)
    package static let request = FactGroup("wire", grader)
    package static let connection = FactGroup("connection", grader)
    package static let guarding = FactGroup("auth", grader)
    package static let handshake = FactGroup("tls", grader, of: .tls)
    package static let spending = FactGroup("client", grader)
    /// What the client reports of a step.
    package static let told = FactGroup("", grader)

    private static let grader = "the grader"

    package static let stream = FactGroup("stream", "the part for frames of HTTP/2 and HTTP/3", of: .http2)
    package static let http2 = FactGroup("h2", "the part for frames of HTTP/2 and HTTP/3", of: .http2)
    package static let http3 = FactGroup("h3", "the part for frames of HTTP/2 and HTTP/3", of: .http3)
    package static let webSocket = FactGroup("ws", "WebSocket")
    package static let socks = FactGroup("socks", "SOCKS", of: .socks)
    package static let dns = FactGroup("dns", "the server of DNS", of: .dns)
    package static let got = FactGroup("got", "the part for intermediaries")

    /// The groups of modules above, in the order of messages, and of the schema.
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
        /// The subject of all of them; nil: each row has its own.
        fileprivate let subject: Claim.Subject?
        fileprivate let facts: @Sendable () -> (ofEach: [FactRow], ofRun: [FactRow])

        /// `facts` is called once at most, and asks nothing of the group.
        package init(
            owner: String, noun: String, subject: Claim.Subject? = nil,
            facts: @escaping @Sendable () -> (ofEach: [FactRow], ofRun: [FactRow])
        ) {
            (self.owner, self.noun, self.subject, self.facts) = (owner, noun, subject, facts)
        }
    }

    private struct Facts {
        let ofEach: FactTable, ofRun: FactTable
    }

    package func register(_ rows: Rows) { slot.register(rows) }

    /// The names behind the number; none where no module has registered.
    package var namesOfEach: [String] { facts?.ofEach.rows.map(\.name) ?? [] }

    /// The names of facts of the run, behind the point.
    package var namesOfRun: [String] { facts?.ofRun.rows.map(\.name) ?? [] }

    /// The names behind the number as messages have them.
    var shownNames: [String] { facts?.ofEach.names ?? [] }

    /// nil where no module has registered.
    private var facts: Facts? {
        guard let rows = slot.part else { return nil }
        return made.withLock { made in
            if let made { return made }
            let (ofEach, ofRun) = rows.facts()
            let facts = Facts(ofEach: FactTable(ofEach), ofRun: FactTable(ofRun))
            made = facts
            return facts
        }
    }

    /// The row of a fact that was read.
    func row(_ fact: NamedFact, ofRun: Bool = false) -> FactRow {
        let facts = facts
        guard var row = (ofRun ? facts?.ofRun : facts?.ofEach)?.row(of: fact) else {
            return FactRow(fact.row, "the fact \(fact.text)").naming(fact)
        }
        row.technology = technology ?? row.technology
        row.subject = slot.part?.subject ?? row.subject
        return row
    }

    /// The row of a fact of one of several, or of the run, where there is no number.
    func row(_ fact: NamedFact, of index: Int?) -> FactRow {
        let row = row(fact, ofRun: index == nil)
        guard let index else { return row.below("\(name).", of: "") }
        let owner = slot.part?.owner.replacing(text: "$", with: "\(index + 1)")
        return row.below("\(name)[\(index)].", of: owner ?? "")
    }

    /// The fact of one thing that has this name; nil where there is none.
    func find(_ text: String) throws(FactNameError) -> NamedFact? { try registered().ofEach.find(text) }

    /// Reads the name of a fact of one thing; nil for one that is none.
    ///
    /// One that begins as others do is refused.
    func read(_ text: String, below prefix: String) throws(FactNameError) -> NamedFact? {
        try registered().ofEach.read(text, below: prefix)
    }

    /// Reads the name of a fact of one thing, and refuses one that is none.
    func require(_ text: String, below prefix: String) throws(FactNameError) -> NamedFact {
        if let fact = try read(text, below: prefix) { return fact }
        throw .unknown(text, below: prefix, among: shownNames)
    }

    /// Reads the name of a fact of the run, behind the point; nil where it is no name at all.
    func readOfRun(_ text: String) throws(FactNameError) -> FactName? {
        let facts = try registered()
        if let fact = try facts.ofRun.read(text, below: "\(name).") { return .grouped(self, index: nil, fact) }
        if let rows = slot.part, namesOfEach.contains(text) { throw .lacksNumber(name, text, of: rows.noun) }
        if namesOfRun.isEmpty { return nil }
        throw .unknown(text, below: "\(name).", among: namesOfRun)
    }

    private func registered() throws(FactNameError) -> Facts {
        if let facts { return facts }
        throw FactNameError(sentence: MissingPart.sentence(slot.noun), hint: MissingPart.remedy)
    }
}

extension FactGroup: Hashable, CustomStringConvertible {
    package static func == (one: FactGroup, other: FactGroup) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    package var description: String { name }
}
