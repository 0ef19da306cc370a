import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorHTTP
import ProctorNotation
import ProctorProgram
import ProctorRules
import ProctorScenario

struct CaseKeys: Sendable {
    let kind = UsualKey("kind", Shape<Case.Kind>.choice("a kind"), usual: .must)
    let summary = Key("summary", Shape<String>.nonEmptyText("a summary"))
    let spec = Key("spec", ScenarioReader.specs)
    let demand = Key<[Scenario.Mention]>("demand") { node, reader in
        reader.sink.texts(node, "the id of a demand", limit: Bounds.demands).map {
            Scenario.Mention(name: $0.text, location: $0.node.location)
        }
    }
    let client = Key<Node>("client", isRequired: true)
    let wire = Key<Notation>("wire") { $1.wireNotation($0) }
    let task = Key.lane("task")
    let download = Key.lane("download")
    let session = Key.lane("session")
    let proto = Key.lane("proto")
    let protocolClient = Key.lane("protocolClient")
    let handler = Key.lane("handler")
    let with = Key<Node>("with")
    let edges = Key<Node>("edges")
    let breaks = Key<[RuleNumber]>("breaks") { $1.breaks($0) }
    let facts = Key<Node>("facts")
    let given = Key<Node>("given")
    let cookies = Key<Case.CookieDemand>("cookies") { $1.cookieDemand($0) }
    let tolerates = Key("tolerates", ScenarioReader.tolerances)
    let needs = Key<Set<Ability>>("needs") { $1.abilities($0, among: Ability.allCases) }
    let applies = Key<Set<Ability>>("applies") { $1.abilities($0, among: ScenarioReader.standards) }
    let each = Key.each()
}

extension Key<Node> {
    fileprivate static func lane(_ name: String, in keys: StaticString = #function) -> Key {
        Key(name, in: keys)
    }
}

/// A demand on cookies that names an edition, and says how binding the order is.
struct CookieKeys: Sendable {
    fileprivate let conforming = Key(
        "conforming", Shape<ScenarioReader.EditionWord>.choice("an edition of cookies"), isRequired: true,
        hint: "write conforming: any, rfc6265 or rfc6265bis")
    let order = UsualKey(
        "order", Shape<Case.CookieDemand.Order>.choice("a weight of the order of cookies"), usual: .recommended)
}

extension ScenarioReader {
    static let caseTable = Table("a case", CaseKeys())
    static let cookieTable = Table("a demand on cookies", CookieKeys())
    static let standards = Ability.allCases.filter(Ability.ofStandards.contains)

    func `case`(_ entry: Node.Entry) -> Case? {
        if !entry.key.isCaseName {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) cannot name a case",
                hint: "use letters, digits, '-', '_' and '.', a letter or digit first, at most 100")
        }
        guard let keys = Self.caseTable.open(entry.value, self, isKnown: { Self.isLane($0) }) else { return nil }
        let client = keys[\.client].map(clientPrograms) ?? []
        let stepCount = max(1, keys.entry(\.client)?.value.items?.count ?? 1)
        let wire = keys[\.wire]
        var lanes: [String: Notation] = [:]
        for lane in keys.entries where Self.isLane(lane.key) {
            let name = Self.canonical(lane.key)
            guard checkStep(lane, stepCount), let notation = notation(lane.value, lane: Self.lane(name)) else {
                continue
            }
            guard lanes[name] == nil else {
                sink.report(lane.keyNode, "the lane \(quoted(name)) stands here twice: [0] may be left out")
                continue
            }
            let step = Self.stepIndex(name) ?? 0
            let task = client.indices.contains(step) ? client[step].task : .data
            if let sentence = LaneEvents.impossibleEvent(in: notation, ofLane: name, task: task) {
                sink.report(lane.value, sentence)
            }
            lanes[name] = notation
            if task != .download, name.hasPrefix("download") { checkDownload(lane, client) }
        }
        MissingMethods(of: client)?.check(keys.entries, lanes: lanes, sink)
        let ambient = keys[\.with].map { self.ambient($0, lanes: lanes, keys) } ?? [:]
        let facts = keys[\.facts].map { self.facts($0, stepCount: stepCount) } ?? []
        checkCookies(keys, client)
        var item = Case(
            name: entry.key, kind: keys[\.kind], summary: keys[\.summary], spec: keys[\.spec] ?? [],
            demands: keys[\.demand] ?? [], client: client,
            wire: wire, lanes: lanes, ambient: ambient,
            edges: keys[\.edges].map { edges($0, stepCount: stepCount) } ?? [], breaks: keys[\.breaks] ?? [],
            facts: facts, cookies: keys[\.cookies], untolerated: keys[\.tolerates] ?? [], needs: keys[\.needs] ?? [],
            applies: keys[\.applies] ?? [],
            location: entry.keyNode.location)
        item.given = keys[\.given].map { self.facts($0, stepCount: stepCount) } ?? []
        return item
    }

    fileprivate func abilities(_ node: Node, among known: [Ability]) -> Set<Ability> {
        let words = sink.texts(node, "an ability", limit: Ability.allCases.count)
        return Set(
            words.compactMap { word -> Ability? in
                if let ability = Ability(rawValue: word.text), known.contains(ability) { return ability }
                return sink.refuse(
                    word.node, "there is no ability \(quoted(word.text)) here",
                    hint: DiagnosticSink.hint(for: word.text, among: known.map(\.rawValue)))
            })
    }

    /// Whether the key is a lane, `task`, `task[1]`, `download`, `session` …; `wire` is a key of its own.
    private static func isLane(_ key: String) -> Bool {
        guard let lane = Lane(fixtureKey: key) else { return false }
        return lane != .wire && lane != .harness
    }

    private static func lane(_ key: String) -> Lane { Lane(fixtureKey: key) ?? .task }

    /// The key in its usual form: `task` for `task[0]` and `task[00]`.
    private static func canonical(_ key: String) -> String {
        guard let index = stepIndex(key), let bracket = key.firstIndex(of: "[") else { return key }
        return index == 0 ? String(key[..<bracket]) : "\(key[..<bracket])[\(index)]"
    }

    private static func stepIndex(_ key: String) -> Int? {
        guard let bracket = key.firstIndex(of: "["), key.last == "]" else { return nil }
        return Int(key[key.index(after: bracket)...].dropLast())
    }

    private func checkStep(_ entry: Node.Entry, _ stepCount: Int) -> Bool {
        guard let index = Self.stepIndex(entry.key), index >= stepCount else { return true }
        sink.report(entry.keyNode, "there is no step \(index); this case has \(stepCount), counted from 0")
        return false
    }

    /// Reports a `download` expression of a case that can't be run as a download.
    private func checkDownload(_ lane: Node.Entry, _ client: [ClientProgram]) {
        guard let sentence = DownloadObstacle(client: client).sentence else { return }
        sink.report(
            lane.keyNode, "the case can't be taken as a download: \(sentence)",
            hint: "leave \(quoted(lane.key)) out")
    }

    /// An expression; its errors are reported at their place in the file.
    private func notation(_ node: Node, lane: Lane) -> Notation? {
        guard let text = node.text else {
            let hint = node.entries != nil || node.items != nil ? "quote it, or write it as a block after |" : nil
            return sink.refuse(node, "expected an expression as text, found \(node.found)", hint: hint)
        }
        do throws(NotationError) {
            return try Notation(parsing: text, lane: lane)
        } catch {
            return sink.refuse(node.location(ofTextOffset: error.offset), error.sentence)
        }
    }

    fileprivate func wireNotation(_ node: Node) -> Notation? {
        guard let notation = notation(node, lane: .wire) else { return nil }
        guard !notation.eventNames.contains(EventName.closed.rawValue) else {
            return sink.refuse(
                node, "\"closed\" stands in edges only: wire: speaks of requests",
                hint:
                    "write edges: [wire replied[1] after wire closed[0]], or facts: { connection[0].closedBy: client }")
        }
        guard !notation.eventNames.contains(EventName.replied.rawValue) else {
            return sink.refuse(
                node, "\"replied\" stands in edges only: wire: speaks of requests",
                hint: "write edges: [wire request[1] after wire replied[0]], or facts: { wire[0].reply.status: 200 }")
        }
        return notation
    }

    /// `with:` as one text for the task and download lanes, or as a mapping from lane to text.
    private func ambient(_ node: Node, lanes: [String: Notation], _ keys: Mapping<CaseKeys>) -> [String: Notation] {
        var result: [String: Notation] = [:]
        if let entries = node.entries {
            for entry in entries {
                let name = Self.canonical(entry.key)
                guard Self.isLane(entry.key), keys.entries.contains(where: { Self.canonical($0.key) == name }) else {
                    let names = keys.entries.map(\.key).filter(Self.isLane)
                    sink.report(
                        entry.keyNode, "\(quoted(entry.key)) is no lane of this case",
                        hint: names.isEmpty ? nil : DiagnosticSink.hint(for: entry.key, among: names))
                    continue
                }
                result[name] = ambientNotation(entry.value, lane: Self.lane(name))
            }
            return result
        }
        guard let notation = ambientNotation(node, lane: .task) else { return [:] }
        for name in lanes.keys where Self.lane(name) == .task { result[name] = notation }
        if !keys.entries.contains(where: { Self.isLane($0.key) && Self.lane($0.key) == .task }) {
            sink.report(node, "\"with\" needs a task or download lane that it can be mixed into")
        }
        return result
    }

    /// An interleaved event must not be the one that ends the lane.
    private func ambientNotation(_ node: Node, lane: Lane) -> Notation? {
        guard let notation = notation(node, lane: lane) else { return nil }
        for name in EventVocabulary.terminalNames where notation.eventNames.contains(name) {
            return sink.refuse(node, "\(quoted(name)) ends a lane and cannot be interleaved with it")
        }
        return notation
    }

    // MARK: Edges and rules

    private func edges(_ node: Node, stepCount: Int) -> [CausalEdge] {
        sink.texts(node, "an edge", limit: 100).compactMap { text, node in
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: text)
                for end in [edge.later, edge.earlier] where end.lane.number >= stepCount && end.lane.lane.isOfStep {
                    sink.report(
                        node, "there is no step \(end.lane.number); this case has \(stepCount), counted from 0")
                }
                return edge
            } catch {
                return sink.refuse(node.location(ofTextOffset: error.offset), error.sentence)
            }
        }
    }

    /// The number of a rule; the last one has two digits.
    static let rulePattern: String = {
        let (tens, ones) = Rules.numbers.upperBound.quotientAndRemainder(dividingBy: 10)
        return "^[Rr](\(tens)[0-\(ones)]|[1-\(tens - 1)][0-9]|[1-9])$"
    }()

    fileprivate func breaks(_ node: Node) -> [RuleNumber] {
        sink.texts(node, "a rule", limit: Bounds.answers).compactMap { text, node in
            guard let number = RuleNumber(parsing: text), Rules.numbers.contains(number.value),
                number.description.utf8.count == text.utf8.count
            else { return sink.refuse(node, "expected a rule from \(Rules.span), found \(quoted(text))") }
            return number
        }
    }

    // MARK: Cookies

    /// The demands that are written as one word.
    fileprivate enum CookieWord: String, CaseIterable {
        case conforming
        case conformingInAnyOrder = "conforming-in-any-order"

        var demand: Case.CookieDemand {
            switch self {
            case .conforming: .conforming
            case .conformingInAnyOrder: .conformingInAnyOrder
            }
        }
    }

    /// The values of `conforming:`.
    fileprivate enum EditionWord: String, CaseIterable {
        case any, rfc6265, rfc6265bis

        var edition: CookieEdition? {
            switch self {
            case .any: nil
            case .rfc6265: .rfc6265
            case .rfc6265bis: .rfc6265bis
            }
        }
    }

    fileprivate func cookieDemand(_ node: Node) -> Case.CookieDemand? {
        guard node.entries != nil else {
            let word: CookieWord? = sink.choice(node, "a demand on cookies")
            return word?.demand
        }
        guard let keys = Self.cookieTable.open(node, self), let edition = keys[\.conforming] else { return nil }
        return Case.CookieDemand(edition: edition.edition, order: keys[\.order])
    }

    /// Reports a demand in a case that writes Cookie fields itself: a cookie that no reply has set never conforms.
    private func checkCookies(_ keys: Mapping<CaseKeys>, _ client: [ClientProgram]) {
        guard let node = keys.entry(\.cookies)?.keyNode,
            let field = client.lazy.flatMap(\.cookiesByHand).first
        else { return }
        sink.report(
            node,
            "\"cookies\" asks for what a client keeps, and the field at \(field.line):\(field.column) is written by hand",
            hint: "have a reply set it, or ask for facts: { \"wire[0].headers.Cookie\": … }")
    }
}

extension ClientProgram {
    /// The places where the program writes a Cookie field, answers to redirects included.
    fileprivate var cookiesByHand: [SourceLocation] {
        let changed = onRedirect.flatMap { answer -> [ReplyField] in
            if case .change(_, _, let fields) = answer { fields } else { [] }
        }
        return (headers + changed).filter { $0.isNamed("cookie") }.map(\.location)
    }
}

extension Lane {
    /// Whether the lane's number is a step; the numbers of other lanes count objects in the order of appearance.
    fileprivate var isOfStep: Bool { self == .task || self == .handler || self == .harness }
}

extension String {
    /// Whether the text may follow `#` in `redirect/302#follow`.
    fileprivate var isCaseName: Bool {
        guard let first = utf8.first, first.isASCIILetter || first.isASCIIDigit, utf8.count <= 100 else { return false }
        return utf8.allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F
        }
    }
}
