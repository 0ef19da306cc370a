import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorProgram
import ProctorScenario

typealias SetupKey = PlainKey<SessionSetup>

struct SessionKeys: Sendable {
    let delegates = SetupKey("delegates", \.delegates, .choice("delegates"))
    let without = SetupKey("without", \.without, .init { $1.delegateMethods($0) })
    let challengeMethods = SetupKey("challengeMethods", \.challengeMethods, .choice("the methods for challenges"))
    let queue = SetupKey("queue", \.queue, .choice("a queue"))
    let end = SetupKey("end", \.end, .choice("an end"))
    let endAt = Key<Node>("endAt")
    let cookies = SetupKey("cookies", \.cookies, .choice("a cookie policy"))
    let cache = SetupKey("cache", \.cache, .integer("bytes of cache", in: 0...(1 << 30)))
    let requestTimeout = SetupKey("requestTimeout", \.requestTimeout, .milliseconds("a timeout"))
    let resourceTimeout = SetupKey("resourceTimeout", \.resourceTimeout, .milliseconds("a timeout"))
    let connectionsPerHost = SetupKey("connectionsPerHost", \.connectionsPerHost, .integer("connections", in: 1...100))
    let redirectLimit = SetupKey("redirectLimit", \.redirectLimit, .integer("redirects", in: 0...1000))
    let redirectCycles = SetupKey("redirectCycles", \.redirectCycles, .boolean("redirectCycles"))
    let redirectKeeps = SetupKey("redirectKeeps", \.methodKept, .init { $1.keptStatuses($0) })
    let decodedLimit = SetupKey("decodedLimit", \.decodedLimit, .integer("decoded bytes", in: Bounds.decodedBytes))
    let decodedRatio = SetupKey("decodedRatio", \.decodedRatio, .integer("decoded bytes a byte", in: 1...1_000_000))
    let connectTimeout = SetupKey("connectTimeout", \.connectTimeout, .milliseconds("a timeout"))
    let idleTime = SetupKey("idleTime", \.idleTime, .milliseconds("a time"))
    let connectionUses = SetupKey("connectionUses", \.connectionUses, .integer("requests", in: Bounds.times))
    let proxy = Key<Int>("proxy") { $1.originIndex($0) }
    let httpsProxy = Key<Int>("httpsProxy") { $1.originIndex($0) }
    let proxyProtocol = SetupKey(
        "proxyProtocol", \.proxyProtocol,
        .init {
            $1.socksProtocol($0)
        })
    let proxyUser = SetupKey("proxyUser", \.proxyUser, .line("a user"))
    let proxyPassword = SetupKey("proxyPassword", \.proxyPassword, .line("a password"))
    let noProxy = Key<[Template]>("noProxy") { $1.exceptions($0) }
    let netrc = Key<Template>("netrc") { $1.credentialFile($0) }
    let baseURL = Key<Template>("baseURL") { $1.url($0) }
    let pac = Key<Template>("pac") { $1.url($0) }
    let scheme = SetupKey("scheme", \.ownScheme, .init { $1.ownScheme($0) })
    let trust = Key<Node>("trust")
    let identity = Key<Node>("identity")
    let protocols = SetupKey("protocols", \.protocols, .init { $1.protocolClasses($0) })
    let shared = SetupKey("shared", \.isShared, .boolean("shared"))
    let keepsObjects = SetupKey("keepsObjects", \.keepsObjects, .boolean("keepsObjects"))
    let callsAtOnce = SetupKey("callsAtOnce", \.callsAtOnce, .boolean("callsAtOnce"))
}

struct ProtocolClassKeys: Sendable {
    let name = Key("name", Shape<String>.name("a name", of: "a protocol class"), isRequired: true)
    let takes = Key<ProtocolClass.Takes>("takes") { $1.takenRequests($0) }
    let place = UsualKey("place", Shape<ProtocolClass.Place>.choice("a place"), usual: .session)
}

/// A moment with a count.
struct MomentKeys: Sendable {
    let event = Key<Node>("event", isRequired: true)
    let count = Key("count", Shape<Int>.integer("a count", in: Bounds.times))
}

/// Reads moments at which a client program acts.
struct MomentReader {
    let reader: ScenarioReader
    /// The kind of the program's task.
    let task: ClientProgram.TaskKind
    let onResponse: ClientProgram.ResponseAnswer

    static let table = Table("a moment", MomentKeys())
    static let names = moments.map(\.name) + EventVocabulary.names(in: .task)

    fileprivate static let moments: [(name: String, moment: Moment)] = [
        ("before-resume", .beforeResume), ("after-resume", .afterResume),
    ]

    /// Reads `before-resume`, `after-resume`, an event, or `{ event: data, count: 2 }`.
    ///
    /// `act` is the verb in messages: `cancel`.
    func moment(_ node: Node, to act: String) -> Moment? {
        var place = node
        var count: (node: Node, value: Int)?
        if node.entries != nil {
            guard let keys = Self.table.open(node, reader) else { return nil }
            if let entry = keys.entry(\.count), let value = keys[\.count] { count = (entry.value, value) }
            guard let event = keys[\.event] else { return nil }
            place = event
        }
        let sink = reader.sink
        guard let name = sink.text(place, "the name of an event") else { return nil }
        if let known = Self.moments.first(where: { $0.name == name }) {
            if let count, count.value > 1 {
                sink.report(count.node, "\(quoted(name)) comes once, so a count of \(count.value) is never reached")
            }
            return known.moment
        }
        guard isEvent(name, place, to: act) else { return nil }
        guard LaneEvents.comes(name, task: task, onResponse: onResponse) else {
            return sink.refuse(
                place, "\(quoted(name)) never comes for task: \(task.rawValue), so the client would never \(act)")
        }
        return .event(name, count: count?.value ?? 1)
    }

    private func isEvent(_ name: String, _ node: Node, to act: String) -> Bool {
        let sink = reader.sink
        let names = EventVocabulary.names(in: .task)
        guard names.contains(name) else {
            let hint = DiagnosticSink.hint(for: name, among: names + Self.moments.map(\.name))
            sink.report(node, "unknown event \(quoted(name))", hint: hint)
            return false
        }
        guard act != "suspend" || !EventVocabulary.terminalNames.contains(name) else {
            sink.report(node, "\(quoted(name)) is too late to \(act)")
            return false
        }
        return true
    }
}

extension ScenarioReader {
    static let sessionTable = Table("a session", SessionKeys())

    /// The session of a step; `first` is that of the first step, of which a later one changes a part for itself.
    func session(_ node: Node, _ moments: MomentReader, changing first: SessionProgram?) -> SessionProgram? {
        guard let keys = Self.sessionTable.open(node, self) else { return nil }
        if first != nil {
            for entry in keys.entries where !Self.changeableKeys.contains(entry.key) {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) is said by the first step, for all steps",
                    hint: "a later step changes \(Self.changeableKeys.joined(separator: ", "))")
            }
        }
        if let key = keys.entry(\.endAt)?.keyNode, !keys.has(\.end) {
            sink.report(key, "\"endAt\" needs \"end\"", hint: "write end: finish or end: invalidate")
        }
        var program = first ?? SessionProgram()
        keys.read(Self.plainSessionKeys, into: &program.setup)
        program.setup.endAt = keys[\.endAt].flatMap { moments.moment($0, to: "end the session") }
        func change<Value>(_ path: WritableKeyPath<SessionProgram, Value?>, _ key: (SessionKeys) -> Key<Value>) {
            guard let entry = keys.entry(key) else { return }
            program[keyPath: path] = first != nil && entry.value.isNull ? nil : keys[key]
        }
        change(\.proxy, \.proxy)
        change(\.httpsProxy, \.httpsProxy)
        change(\.noProxy, \.noProxy)
        change(\.baseURL, \.baseURL)
        if first == nil { (program.pac, program.netrc) = (keys[\.pac], keys[\.netrc]) }
        if let entry = keys.entry(\.pac), entry.value.text?.hasPrefix("/") == false {
            sink.report(
                entry.value, "a file of proxies stands at the origin main, where no other request of the case goes",
                hint: "begin with /, and let the pages of the case stand at another origin")
        }
        if let entry = keys.entry(\.pac),
            let other = keys.entry(\.proxy) ?? keys.entry(\.httpsProxy) ?? keys.entry(\.proxyProtocol)
        {
            sink.report(
                entry.keyNode, "\"pac\" stands in place of \(quoted(other.key)): the file names the proxies",
                hint: "leave one of them out")
        }
        if let trust = trust(keys) { program.trust = trust }
        if let entry = keys.entry(\.identity) {
            program.identity = first != nil && entry.value.isNull ? nil : identity(entry)
        }
        // The shared session has no delegate, so its callbacks can't be recorded.
        if let shared = keys.entry(\.shared), program.isShared, program.delegates != .none {
            sink.report(shared.keyNode, "the shared session has no delegate", hint: "write delegates: none")
        }
        return program
    }

    /// The keys that a later step may have; `null` at one with a name means none.
    private static let changeableKeys = Assignment.SessionChange.keys.map { "\($0.name)" }

    private static let plainSessionKeys = sessionTable.plainKeys(of: SessionSetup.self)

    static let protocolClassTable = Table("a protocol class", ProtocolClassKeys())

    fileprivate func protocolClasses(_ node: Node) -> [ProtocolClass]? {
        guard let items = sink.list(node, "protocol classes", limit: ProtocolClass.mostCount) else { return nil }
        guard !items.isEmpty else { return sink.refuse(node, "\"protocols\" names no class") }
        var names: Set<String> = []
        return items.compactMap { item in
            guard let keys = Self.protocolClassTable.open(item, self), let name = keys[\.name] else { return nil }
            guard names.insert(name).inserted else {
                return sink.refuse(item, "two protocol classes are called \(quoted(name))")
            }
            return ProtocolClass(name, takes: keys[\.takes] ?? .all, place: keys[\.place])
        }
    }

    /// The statuses, of 301 and 302, whose redirects keep the method.
    fileprivate func keptStatuses(_ node: Node) -> [Int] {
        oneOrMore(node, "statuses", limit: 2).compactMap { item in
            sink.integer(item, "a status whose redirects change the method", in: 301...302)
        }
    }

    fileprivate func takenRequests(_ node: Node) -> ProtocolClass.Takes? {
        guard let text = sink.text(node, "the requests that a class takes") else { return nil }
        if let takes = ProtocolClass.Takes(text) { return takes }
        return sink.refuse(
            node, "expected all, none, http, https or a path, found \(quoted(text))",
            hint: "a path begins with / and may end in *, like /app/*")
    }

    /// The hosts without a proxy: entries that hold no comma, at which clients part them, and no space.
    fileprivate func exceptions(_ node: Node) -> [Template]? {
        let entries = oneOrMore(node, "hosts", limit: Bounds.values).compactMap { item -> Template? in
            guard let text = sink.nonEmptyText(item, "a host") else { return nil }
            guard !text.contains(where: { $0 == "," || $0.isWhitespace }) else {
                return sink.refuse(
                    item, "\(quoted(text)) is more than one host", hint: "write a list: [home.example.org, 127.0.0.1]")
            }
            return TemplateParser(scope: scope, sink: sink).parse(ScalarText(item, text))
        }
        return entries.isEmpty ? nil : entries
    }

    /// The content of a .netrc file, of 64 KiB at the most.
    fileprivate func credentialFile(_ node: Node) -> Template? {
        guard let text = sink.nonEmptyText(node, "the content of a .netrc file") else { return nil }
        guard text.utf8.count <= 1 << 16 else {
            return sink.refuse(node, "a .netrc file has at most 65536 bytes here, found \(text.utf8.count)")
        }
        return template(node, text)
    }

    fileprivate func delegateMethods(_ node: Node) -> [DelegateMethod] {
        if node.items?.isEmpty == true { sink.report(node, "a list of methods needs at least one") }
        let known = DelegateMethod.allCases
        var methods: [DelegateMethod] = []
        for word in sink.texts(node, "a method", limit: known.count) {
            guard let method = DelegateMethod(rawValue: word.text) else {
                sink.report(
                    word.node, "no delegate can lack a method of \(quoted(word.text)) here",
                    hint: word.text == "challenge"
                        ? "leave onChallenge out, and the delegate has no method for it"
                        : word.text == "canonicalize"
                            ? "write redirect: one method reports both"
                            : DiagnosticSink.hint(for: word.text, among: known.map(\.rawValue)))
                continue
            }
            if methods.contains(method) {
                sink.report(word.node, "\(quoted(word.text)) stands here twice")
            } else {
                methods.append(method)
            }
        }
        return methods
    }

    /// Schemes that have another meaning for clients.
    fileprivate static let takenSchemes = [
        "http", "https", "ws", "wss", "file", "ftp", "data", "about", "blob", "javascript", "mailto",
    ]

    /// A scheme, in lower case (RFC 3986 §3.1).
    fileprivate func ownScheme(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "a scheme") else { return nil }
        let isScheme =
            text.utf8.first.map(\.isASCIILetter) == true && text.utf8.count <= 32
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
        guard isScheme else {
            return sink.refuse(
                node, "\(quoted(text)) is no scheme (RFC 3986 §3.1)",
                hint: "write a letter, then letters, digits, '+', '-' and '.', at most 32, like app")
        }
        guard text == text.lowercased() else {
            return sink.refuse(
                node, "a scheme of one's own is written in lower case", hint: "write \(quoted(text.lowercased()))")
        }
        guard !Self.takenSchemes.contains(text) else {
            return sink.refuse(
                node, "\(quoted(text)) means something to clients already",
                hint: "take a name of your own, like app")
        }
        return text
    }

    /// `trust:`, permitted only when an origin speaks TLS.
    private func trust(_ keys: Mapping<SessionKeys>) -> SessionProgram.Trust? {
        guard let entry = keys.entry(\.trust) else { return nil }
        let trust = entry.value.text.flatMap { SessionProgram.Trust(rawValue: $0) }
        secondPass.later { resolver in
            guard resolver.isSecured("trust", entry.keyNode), trust == nil else { return }
            _ = resolver.sink.choice(entry.value, "a trust", among: SessionProgram.Trust.self)
        }
        return trust
    }

    /// `identity:` of a session or an answer, permitted only when an origin speaks TLS.
    func identity(_ entry: Node.Entry) -> String? {
        let name = entry.value.text.flatMap { $0.isIdentifier ? $0 : nil }
        secondPass.later { [self] resolver in
            guard resolver.isSecured("identity", entry.keyNode), name == nil else { return }
            _ = self.name(entry.value, "the name of a client identity", of: "a client identity")
        }
        if let name { identities.add(Scenario.Mention(name: name, location: entry.value.location)) }
        return name
    }
}
