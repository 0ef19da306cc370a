import ProctorDocument
import ProctorFixtures
import ProctorImport
package import ProctorScenario

/// A fixture from which mutants are made: its replies with a status, and its cases of one load.
package struct MutantSource: Sendable {
    package let id: String
    /// The members of the file but for `summary`, `spec` and `cases`.
    let members: [YAMLTree.Member]
    /// Names of cases with what they tell the client.
    let asked: [(name: String, client: YAMLTree)]
    let sites: [Mutation.Site]

    /// Why a fixture is passed over, half a sentence.
    package struct Refusal: Error, Sendable {
        package let reason: String
    }

    /// `wanted` says which of its cases may be asked.
    package init(_ bytes: [UInt8], id: String, file: String, where wanted: (String) -> Bool) throws(Refusal) {
        let document = Document.parse(bytes, file: file)
        guard document.diagnostics.isEmpty, let root = document.root, case .map(let all) = YAMLTree(root) else {
            throw Refusal(reason: "the file can't be read")
        }
        self.id = id
        members = all.filter { !["summary", "spec", "cases"].contains($0.key) }
        var asked: [(String, YAMLTree)] = []
        if case .map(let cases)? = all.first(where: { $0.key == "cases" })?.value {
            for item in cases where wanted(item.key) {
                guard case .map(let keys) = item.value, let client = keys.first(where: { $0.key == "client" })?.value
                else { continue }
                if case .list(let steps) = client, steps.count != 1 { continue }
                // Only clients of one kind are asked it.
                guard !keys.contains(where: { ["applies", "as"].contains($0.key) }) else { continue }
                asked.append((item.key, client))
            }
        }
        guard !asked.isEmpty else { throw Refusal(reason: "it has no case of one load for every client") }
        self.asked = asked
        sites = Self.sites(of: members)
        guard !sites.isEmpty else { throw Refusal(reason: "it has no reply with a status") }
        let whole = Mutant(source: self, caseIndex: 0, mutations: [])
        guard whole.scenario() != nil else {
            throw Refusal(reason: "it needs files beside it, or what stands in other parts of its file")
        }
    }

    /// Replies that mutations can change.
    private static func sites(of members: [YAMLTree.Member]) -> [Mutation.Site] {
        guard case .list(let exchanges)? = members.first(where: { $0.key == "exchanges" })?.value else { return [] }
        return exchanges.indices.flatMap { index -> [Mutation.Site] in
            guard case .map(let keys) = exchanges[index], let reply = keys.first(where: { $0.key == "reply" })?.value
            else { return [] }
            guard case .list(let turns) = reply else {
                return ReplyTree(reply) == nil ? [] : [Mutation.Site(exchange: index, turn: nil)]
            }
            return turns.indices.filter { ReplyTree(turns[$0]) != nil }.map { .init(exchange: index, turn: $0) }
        }
    }

    func reply(at site: Mutation.Site) -> ReplyTree? {
        guard case .list(let exchanges)? = members.first(where: { $0.key == "exchanges" })?.value,
            case .map(let keys) = exchanges[site.exchange],
            let reply = keys.first(where: { $0.key == "reply" })?.value
        else { return nil }
        if case .list(let turns) = reply, let turn = site.turn { return ReplyTree(turns[turn]) }
        return ReplyTree(reply)
    }
}

/// A fixture with changed replies, and one case of it that only observes.
package struct Mutant: Sendable {
    package let source: MutantSource
    let caseIndex: Int
    package internal(set) var mutations: [Mutation]

    /// The case of the source.
    package var caseName: String { source.asked[caseIndex].name }

    /// The name of its case.
    private static let ownCase = "ask"
    static let mostMutations = 3

    init(source: MutantSource, caseIndex: Int, mutations: [Mutation]) {
        (self.source, self.caseIndex, self.mutations) = (source, caseIndex, mutations)
    }

    /// Draws one; nil where the mutations that were drawn have no place in the replies.
    init?(_ source: MutantSource, _ draws: inout Draws) {
        self.init(source: source, caseIndex: draws.number(below: source.asked.count), mutations: [])
        for _ in 0...draws.number(below: Self.mostMutations) {
            guard let site = draws.pick(source.sites), let reply = source.reply(at: site),
                let kind = draws.pick(MutationKind.all), let step = kind.make(reply, &draws)
            else { continue }
            let text = source.sites.count > 1 ? "exchange \(site.exchange + 1): \(step.text)" : step.text
            mutations.append(Mutation(site: site, kind: kind.name, text: text, apply: step.apply))
        }
        if mutations.isEmpty { return nil }
    }

    /// The text of its fixture, with comments above; `head` is the first line.
    package func text(head: String, comments: [String] = []) -> String {
        FixtureWriter.write(members, head: head, comments: comments)
    }

    /// nil where the language refuses what the mutations made.
    package func scenario() -> (scenario: Scenario, item: Case)? {
        let text = text(head: "# A mutant")
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "mutant", file: "a mutant")
        guard diagnostics.isEmpty, let scenario, let item = scenario.cases.first else { return nil }
        return (scenario, item)
    }

    private var members: [YAMLTree.Member] {
        let summary = "A mutant of \(source.id)#\(caseName)"
        let client = source.asked[caseIndex].client
        let ask: YAMLTree = ["kind": .text("observes"), "client": client]
        return [.init("summary", .text(summary))]
            + source.members.map { member in
                guard member.key == "exchanges", case .list(let exchanges) = member.value else { return member }
                return .init("exchanges", .list(exchanges.enumerated().map { changed($0.element, number: $0.offset) }))
            } + [.init("cases", [Self.ownCase: ask])]
    }

    private func changed(_ exchange: YAMLTree, number: Int) -> YAMLTree {
        let own = mutations.filter { $0.site.exchange == number }
        guard !own.isEmpty, case .map(let keys) = exchange else { return exchange }
        return .map(
            keys.map { key in
                guard key.key == "reply" else { return key }
                guard case .list(let turns) = key.value else { return .init("reply", changed(key.value, by: own)) }
                let replies = turns.enumerated().map { index, turn in
                    changed(turn, by: own.filter { $0.site.turn == index })
                }
                return .init("reply", .list(replies))
            })
    }

    /// A reply that an earlier mutation has made raw has no place for another.
    private func changed(_ reply: YAMLTree, by mutations: [Mutation]) -> YAMLTree {
        var tree = reply
        for mutation in mutations {
            guard var reply = ReplyTree(tree) else { break }
            mutation.apply(&reply)
            tree = reply.tree
        }
        return tree
    }
}
