internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorScript

/// What a script sees of one request and of the run; on the request's loop thread only.
final class ScriptedRequest: ScriptHost {
    private let stage: Stage
    private let view: RequestView
    private let exchange: CompiledExchange
    private let numbers: RequestNumbers
    private let memory: ConnectionMemory?
    /// Nil while an exchange is chosen, when nothing can be changed.
    private let log: RequestLog?
    private let place: RandomPlace
    private var drawCount = 0

    init(
        _ stage: Stage, _ view: RequestView, _ exchange: CompiledExchange, _ numbers: RequestNumbers,
        memory: ConnectionMemory?, log: RequestLog?, place: SourceLocation
    ) {
        self.stage = stage
        self.view = view
        self.exchange = exchange
        self.numbers = numbers
        self.memory = memory
        self.log = log
        self.place = RandomPlace(.script, at: place)
    }

    // MARK: The request

    private lazy var decoded =
        view.decoded ?? DecodedBody(view.head, body: view.body, gap: view.bodyGap) { nil }

    func value(named name: [UInt8]) -> ScriptValue {
        switch String(decoding: name, as: UTF8.self) {
        case "method": .text(Array(view.head.methodBytes))
        case "target": .text(view.target)
        case "path": .text(Array(view.path))
        case "version": .text(view.head.version == .http10 ? "HTTP/1.0" : "HTTP/1.1")
        case "scheme": .text(view.scheme.rawValue)
        case "header": header
        case "fields":
            .list(view.head.fields.map { Self.pair(Array($0.name), Array($0.value)) })
        case "body": view.body.map { .text($0) } ?? .none
        case "query": Self.firstOfEach(query)
        case "query_list": .list(query.map { Self.pair($0.name, $0.value) })
        case "form": Self.firstOfEach(form)
        case "form_list": .list(form.map { Self.pair($0.name, $0.value) })
        case "cookie": Self.firstOfEach(view.head.cookiePairs.map { (Array($0.name), Array($0.value)) })
        case "captures": captures
        case "connection": .whole(Int64(numbers.connection))
        case "number": log == nil ? .none : .whole(Int64(numbers.request))
        case "peer": numbers.source?.socket.peer.host.map { .text(Array($0.utf8)) } ?? .none
        case "tls": security
        case "base": .text(stage.addresses.bound(for: view.head, view.scheme).base)
        case "origin": .text(stage.addresses.bound(for: view.head, view.scheme).origin(exchange.origin))
        default: .none
        }
    }

    private typealias Pairs = [(name: [UInt8], value: [UInt8])]

    private var query: Pairs {
        view.query.flatMap { query in try? URLEncodedForm(parsing: Array(query)).pairs.map { ($0.name, $0.value) } }
            ?? []
    }

    private var form: Pairs {
        if case .value(let pairs) = decoded.form { return pairs.map { ($0.name, $0.value) } }
        if case .value(let parts) = decoded.parts { return parts.map { ($0.name, $0.content) } }
        return []
    }

    private static func pair(_ name: [UInt8], _ value: [UInt8]) -> ScriptValue {
        .table([.init(Array("name".utf8), .text(name)), .init(Array("value".utf8), .text(value))])
    }

    private static func firstOfEach(_ pairs: [(name: [UInt8], value: [UInt8])]) -> ScriptValue {
        // What stands first stays, since Lua sets the members one after the other.
        .table(pairs.reversed().map { .init($0.name, .text($0.value)) })
    }

    /// The lines of one name joined as RFC 9110 §5.3 says.
    private var header: ScriptValue {
        var names: [[UInt8]] = []
        var values: [[UInt8]: [UInt8]] = [:]
        for field in view.head.fields {
            let name = field.name.map(\.asciiLowercased)
            if let former = values[name] {
                values[name] = former + Array(", ".utf8) + Array(field.value)
            } else {
                names.append(name)
                values[name] = Array(field.value)
            }
        }
        return .fields(names.map { .init($0, .text(values[$0] ?? [])) })
    }

    private var captures: ScriptValue {
        let captures = exchange.exchange.request.captures(of: view)
        return .table(captures.names.map { .init(Array($0.utf8), .text(captures[$0] ?? [])) })
    }

    /// `none` without TLS.
    private var security: ScriptValue {
        guard let facts = numbers.source?.securityFacts ?? view.security else { return .none }
        let members: [(String, [UInt8]?)] = [
            ("sni", facts.serverName), ("alpn", facts.applicationProtocol), ("identity", facts.identity),
        ]
        return .table(members.compactMap { name, value in value.map { .init(Array(name.utf8), .text($0)) } })
    }

    // MARK: Libraries

    func nextRandom() -> UInt64 {
        defer { drawCount += 1 }
        return numbers.seed.number(request: numbers.request, place: place, draw: drawCount)
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

    /// Nil where it is done.
    private func change(
        _ scope: ScriptScope, _ change: (inout StateValues) throws(StateRefusal) -> [UInt8]
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
            return "state \(EscapedText.of(error.name, limit: 200)): \(error.reason)"
        }
    }
}
