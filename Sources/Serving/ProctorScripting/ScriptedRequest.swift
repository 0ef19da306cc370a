internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorScript

/// What a script sees of one request and of the run; on the request's loop thread only.
final class ScriptedRequest: ScriptHost {
    let request: ScriptRequest
    private let place: RandomPlace
    private let channels: ScriptChannels
    /// The WebSocket of the script; nil for a script that has none.
    private let socket: ScriptedSocket?
    private var drawCount = 0

    init(
        _ request: consuming ScriptRequest, at place: SourceLocation, channels: ScriptChannels,
        on socket: ScriptedSocket? = nil
    ) {
        self.request = request
        (self.channels, self.socket) = (channels, socket)
        self.place = RandomPlace(.script, at: place)
    }

    private var stage: Stage { request.stage }
    private var exchange: CompiledExchange { request.exchange }
    private var memory: ConnectionMemory? { request.memory }
    private var log: RequestLog? { request.log }
    // Lent, since they have many references.
    private var view: RequestView { _read { yield request.view } }
    private var numbers: RequestNumbers { _read { yield request.numbers } }

    /// The time in seconds since 1970, by the clock of the run.
    func unixTime() -> Double { Double(stage.clock.unixNanoseconds) / 1e9 }

    // MARK: The request

    private lazy var decoded =
        view.decoded ?? DecodedBody(view.head, body: view.body, gap: view.bodyGap) { nil }

    /// Without its codings; nil where it was not read, or is not what they say.
    var body: [UInt8]? {
        guard view.isCoded else { return view.body }
        guard case .value(let bytes) = try? decoded.bytes(within: nil) else { return nil }
        return bytes
    }

    func write(_ property: RequestProperty, to values: ValueBuffer) {
        switch property {
        case .method: values.text(Array(view.head.methodBytes))
        case .target: values.text(view.target)
        case .path: values.sliceText(view.path)
        case .version: values.text(view.head.version == .http10 ? "HTTP/1.0" : "HTTP/1.1")
        case .scheme: values.text(view.scheme.rawValue)
        case .header: writeHeader(to: values)
        case .fields: Self.writeList(view.head.fields.map { (Array($0.name), Array($0.value)) }, to: values)
        case .body: Self.writeBytes(body, to: values)
        case .codedBody: Self.writeBytes(view.body, to: values)
        case .json: values.none()
        case .query: writeQuery(to: values)
        case .queryList: Self.writeList(query, to: values)
        case .form: Self.writeFirst(ofEach: form, to: values)
        case .formList: Self.writeList(form, to: values)
        case .cookie:
            Self.writeFirst(ofEach: view.cookiePairs.map { (Array($0.name), Array($0.value)) }, to: values)
        case .captures:
            let captures = view.captures(of: exchange.exchange.index, exchange.exchange.request)
            Self.writeFirst(ofEach: captures.names.map { (Array($0.utf8), captures[$0] ?? []) }, to: values)
        case .connection: values.whole(Int64(numbers.connection))
        case .number: if log == nil { values.none() } else { values.whole(Int64(numbers.request)) }
        case .peer: Self.writeBytes((numbers.source?.socketNames?.peerHost).map { Array($0.utf8) }, to: values)
        case .tls: writeSecurity(to: values)
        case .base: values.text(bound.base)
        case .origin: values.text(bound.origin(exchange.origin))
        }
    }

    private var bound: BoundAddresses {
        stage.addresses.bound(for: view.head, view.scheme, from: numbers.source)
    }

    private typealias Pairs = [(name: [UInt8], value: [UInt8])]

    private static func writeBytes(_ text: [UInt8]?, to values: ValueBuffer) {
        if let text { values.text(text) } else { values.none() }
    }

    /// Items with `name` and `value`.
    private static func writeList(_ pairs: Pairs, to values: ValueBuffer) {
        values.table(elements: pairs.count, members: 0)
        for (index, pair) in pairs.enumerated() {
            values.table(elements: 0, members: 2)
            values.text("name")
            values.text(pair.name)
            values.setMember()
            values.text("value")
            values.text(pair.value)
            values.setMember()
            values.setElement(index + 1)
        }
        values.setMetatable(.array)
    }

    /// What stands first stays, since Lua sets the members one after the other.
    private static func writeFirst(ofEach pairs: Pairs, to values: ValueBuffer) {
        values.table(elements: 0, members: pairs.count)
        for pair in pairs.reversed() {
            values.text(pair.name)
            values.text(pair.value)
            values.setMember()
        }
    }

    private var query: Pairs {
        view.query.flatMap { query in try? URLEncodedForm(parsing: Array(query)).pairs.map { ($0.name, $0.value) } }
            ?? []
    }

    /// The first of each name, like ``write(firstOfEach:to:)``; most scripts ask for it, so nothing is copied before.
    private func writeQuery(to values: ValueBuffer) {
        let query = view.query ?? []
        let pieceCount = URLEncodedForm.pieceCount(in: query)
        guard pieceCount <= URLEncodedForm.usualPairLimit else { return values.table(elements: 0, members: 0) }
        values.table(elements: 0, members: pieceCount)
        URLEncodedForm.forEachFromLast(in: query) { name, value in
            values.sliceText(name)
            values.sliceText(value)
            values.setMember()
        }
    }

    private var form: Pairs {
        if case .value(let pairs) = try? decoded.form(within: nil) { return pairs.map { ($0.name, $0.value) } }
        if case .value(let parts) = try? decoded.parts(within: nil) { return parts.map { ($0.name, $0.content) } }
        return []
    }

    /// The lines of one name joined as RFC 9110 §5.3 says.
    private func writeHeader(to values: ValueBuffer) {
        var joined: [[UInt8]: [UInt8]] = [:]
        for field in view.head.fields {
            let name = field.name.map(\.asciiLowercased)
            if joined[name]?.append(contentsOf: Array(", ".utf8) + Array(field.value)) == nil {
                joined[name] = Array(field.value)
            }
        }
        values.table(elements: 0, members: joined.count)
        for (name, value) in joined {
            values.text(name)
            values.text(value)
            values.setMember()
        }
        values.setMetatable(.fields)
    }

    /// Nothing without TLS.
    private func writeSecurity(to values: ValueBuffer) {
        guard let facts = numbers.source?.securityFacts ?? view.security else { return values.none() }
        values.table(elements: 0, members: 3)
        for (name, value) in [
            ("sni", facts.serverName), ("alpn", facts.applicationProtocol), ("identity", facts.identity),
        ] {
            guard let value else { continue }
            values.text(name)
            values.text(value)
            values.setMember()
        }
    }

    // MARK: Libraries

    func nextRandom() -> UInt64 {
        defer { drawCount += 1 }
        return numbers.seed.number(request: numbers.request, place: place, draw: drawCount)
    }

    func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure> {
        ScriptKeys(seed: numbers.seed).use(key, to: act)
    }

    // MARK: Messages

    var hasMessages: Bool { socket != nil }

    func joinChannel(_ name: [UInt8]) -> String? { socket?.join(name) }

    func sendToChannel(_ name: [UInt8], _ message: ScriptMessage) -> Result<Int64, ScriptFailure> {
        guard log != nil else {
            return .failure(ScriptFailure("a script that is asked about a request sends nothing"))
        }
        return channels.send(message, to: name, by: socket?.member)
    }

    // MARK: State

    func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]? {
        switch scope {
        case .run: stage.state?[name]
        case .connection: memory?.values[name]
        }
    }

    func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String? {
        change(scope) { values throws(StateRefusal) in
            try values.set(name, to: value)
            return name
        }
    }

    func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure> {
        var sum: Int64 = 0
        let refusal = change(scope) { values throws(StateRefusal) in
            try values.add(Int(number), to: name)
            sum = values[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0
            return name
        }
        return refusal.map { .failure(ScriptFailure($0)) } ?? .success(sum)
    }

    func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure> {
        var taken: [UInt8]?
        let refusal = change(scope) { values throws(StateRefusal) in
            taken = values[name]
            guard taken != nil else { return nil }
            try values.set(name, to: nil)
            return name
        }
        return refusal.map { .failure(ScriptFailure($0)) } ?? .success(taken)
    }

    /// Nil where it is done.
    private func change(
        _ scope: ScriptScope, _ change: (inout StateValues) throws(StateRefusal) -> [UInt8]?
    ) -> String? {
        guard let log else { return "a script that is asked about a request changes no state" }
        do throws(StateRefusal) {
            switch scope {
            case .run: try stage.changeState(for: log, change)
            case .connection:
                guard let memory else { return "the connection keeps nothing" }
                _ = try change(&memory.values)
            }
            return nil
        } catch {
            return "state \(EscapedText.escape(error.name, limit: 200)): \(error.reason)"
        }
    }
}
