internal import ProctorBase

/// What a client can't do of assignments: its rows of `refusals.tsv`.
///
/// A row names a key of the assignment, the clients that can't do it, when that is so, and half a sentence. `who` lists
/// clients, `-` before those that can. `when` lists conditions that must all hold, each a path of keys with a test:
/// `session.pac` for a value, `!session.proxy` for none, `=`, `!=` and `~` with words for a value that is one of them, is
/// none of them, or begins so. A test without a path is of the row's key, and so is no test at all. A path goes through
/// lists; `steps` is the one step that a row of a step is about. `{value}` in the half sentence is what met the first
/// condition, `{client}` what the client is called.
package struct ClientRefusals: Sendable {
    private let noun: String
    private let rows: [RefusalRow]

    /// The clients of the table, and groups of them.
    package enum Client: String, Sendable, CaseIterable {
        /// URLSession, on any platform and on one.
        case urlSession = "url-session"
        case linux, darwin
        /// A scripted URLProtocol without URLSession.
        case script
        /// All shapes of the reference client.
        case reference
        case session
        /// A session whose steps are event sources.
        case eventSources = "event-sources"
        /// The shapes of NSURLConnection and NSURLDownload that have a delegate.
        case old
        case connection
        case connectionDownload = "connection-download"
        case download
        /// The loads without a delegate: the requests of NSURLConnection, and a response that is a sequence.
        case request
        case connectionSync = "connection-sync"
        case connectionQueued = "connection-queued"
        case urlProtocol = "url-protocol"
        case sequence
    }

    /// `noun` is what the half sentences call the client, as `a session`.
    package init(of clients: Set<Client>, called noun: String) {
        self.noun = noun
        rows = RefusalRow.all.filter { !$0.unable.isDisjoint(with: clients) && $0.able.isDisjoint(with: clients) }
    }

    /// Why an assignment can't be done, with the key; nil where no row says so.
    ///
    /// `joint` is written between step and key.
    package func reason(for assignment: Assignment, joint: String = ".") -> String? {
        guard let root = try? JSONTree.read(assignment.json.span) else {
            return "the JSON of the assignment can't be read again"
        }
        for row in rows where !row.isOfStep {
            if let halfSentence = row.halfSentence(on: root, called: noun) { return "\(row.key): \(halfSentence)" }
        }
        for (index, step) in root["steps"].items.enumerated() {
            let root = JSONTree.object(["steps": step, "session": root["session"], "protocol": root["protocol"]])
            for row in rows where row.isOfStep {
                guard let halfSentence = row.halfSentence(on: root, called: noun) else { continue }
                return "steps[\(index)]\(joint)\(row.key.dropFirst(RefusalRow.steps.count)): \(halfSentence)"
            }
        }
        return nil
    }
}

private struct RefusalRow: Sendable {
    let key: String
    let unable: Set<ClientRefusals.Client>
    let able: Set<ClientRefusals.Client>
    /// Never empty.
    let conditions: [Condition]
    let words: String

    static let steps = "steps."
    var isOfStep: Bool { key.hasPrefix(Self.steps) }

    static let all = TableCells.rows(of: "refusals").map { cells in
        let key = cells["kind"]
        let who = cells.words(of: "who")
        let when = cells.words(of: "when")
        return RefusalRow(
            key: key, unable: clients(who.filter { !$0.hasPrefix("-") }, of: key),
            able: clients(who.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }, of: key),
            conditions: (when.isEmpty ? [""] : when).map { Condition($0, of: key) }, words: cells["words"])
    }

    private static func clients(_ words: [String], of key: String) -> Set<ClientRefusals.Client> {
        Set(
            words.map { word in
                guard let client = ClientRefusals.Client(rawValue: word) else {
                    preconditionFailure("refusals.tsv: the row of \(key) names '\(word)', which is no client")
                }
                return client
            })
    }

    func halfSentence(on root: JSONTree, called noun: String) -> String? {
        guard let value = conditions[0].valueThatMeets(in: root),
            conditions.dropFirst().allSatisfy({ $0.valueThatMeets(in: root) != nil })
        else { return nil }
        return words.replacing(text: "{client}", with: noun).replacing(text: "{value}", with: value)
    }
}

private struct Condition: Sendable {
    private let path: [String]
    private let test: Test
    private let words: [String]
    /// Whether no value may pass the test.
    private let isOfNone: Bool

    private enum Test: String {
        case isThere = ""
        case isOne = "="
        case isOther = "!="
        case begins = "~"
    }

    init(_ text: String, of key: String) {
        isOfNone = text.hasPrefix("!") && !text.hasPrefix(Test.isOther.rawValue)
        let text = text.dropFirst(isOfNone ? 1 : 0)
        let path = text.prefix { $0.isLetter || $0 == "." }
        let sign = text[path.endIndex...].prefix { "!=~".contains($0) }
        guard let test = Test(rawValue: String(sign)) else {
            preconditionFailure("refusals.tsv: the row of \(key) has '\(text)', which is no condition")
        }
        self.test = test
        self.path = (path.isEmpty ? key : String(path)).split(separator: ".").map(String.init)
        guard Self.isKnown(self.path) else { preconditionFailure("refusals.tsv: no assignment has \(self.path)") }
        words = text[sign.endIndex...].split(separator: ",").map(String.init)
    }

    private static func isKnown(_ path: [String]) -> Bool {
        func has<Owner>(_ keys: [AssignmentKey<Owner>]) -> Bool { keys.contains { "\($0.name)" == path.last } }
        switch (path.first, path.count) {
        case ("session", 2): return has(SessionSetup.keys)
        case ("steps", 2): return has(Assignment.Step.keys)
        default: return path.count == 3 || has(Assignment.keys)
        }
    }

    /// nil where the condition does not hold; empty where it holds for want of a value.
    func valueThatMeets(in root: JSONTree) -> String? {
        let value = root.texts(at: path[...]).first(where: isMet)
        return isOfNone ? (value == nil ? "" : nil) : value
    }

    private func isMet(by value: String) -> Bool {
        switch test {
        case .isThere: true
        case .isOne: words.contains(value)
        case .isOther: !words.contains(value)
        case .begins: words.contains { value.lowercased().hasPrefix($0) }
        }
    }
}

extension JSONTree {
    /// The values at a path of keys, in order: none for null and an empty list, an empty text for an object.
    fileprivate func texts(at path: ArraySlice<String>) -> [String] {
        if case .list(let items) = self { return items.flatMap { $0.texts(at: path) } }
        if let key = path.first { return self[key].texts(at: path.dropFirst()) }
        switch self {
        case .text(let bytes): return [String(decoding: bytes, as: UTF8.self)]
        case .number(let number): return [number.integer.map(String.init) ?? ""]
        case .flag(let flag): return ["\(flag)"]
        case .object: return [""]
        case .null, .list: return []
        }
    }
}
