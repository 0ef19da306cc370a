import ProctorBase
import ProctorDocument
import ProctorTLSWire

/// An effect on a connection before an exchange is chosen.
struct ConnectionEffectKeys: EffectKeys {
    let at = Key(
        "at",
        Shape<ConnectionEffect.Position>(
            [
                "type": "string",
                "pattern": .text(
                    "^(accept|preface|handshake( +(\(ConnectionEffect.HandshakePosition.allCases.map(\.rawValue).joined(separator: "|"))))?"
                        + "|(request-head|request-body)( [0-9]{1,13})?)$"),
            ], takes: "a position"
        ) { $1.connectionPosition($0) }, leftOut: "required",
        says:
            "`accept`; `handshake`, `handshake after-server-hello`, `certificate`, `finished` or `end`: just before "
            + "that part of ours; `preface`: over HTTP/2, behind our first SETTINGS; `request-head`, "
            + "`request-head N`, `request-body N`: just before byte N is read."
    )
    let `do` = InlineEffectKeys().do
    let on = Key(
        "on", Shape<ClosedRange<Int>>.indexes(of: "connection"), leftOut: "all",
        says: "Which connections of the origin, counted from 0.", example: "0-4")
    let request = Key(
        "request", Shape<ClosedRange<Int>>.indexes(of: "request"), leftOut: "all",
        says: "Which requests of a connection, counted from 0.", example: "2")
    let abrupt = InlineEffectKeys().abrupt
    let notify = InlineEffectKeys().notify
}

extension Shape where Value == ClosedRange<Int> {
    /// `2` or `0-4`; `thing` is the counted noun.
    fileprivate static func indexes(of thing: String) -> Shape {
        let schema: Schema = [
            "anyOf": [.number(Bounds.index), ["type": "string", "pattern": "^[0-9]{1,6}(-[0-9]{1,6})?$"]]
        ]
        return Shape(schema, takes: "a number, or a range") { $1.indexes($0, of: thing) }
    }
}

extension ScenarioReader {
    static let connectionEffectTable = Table(
        "a connection effect", ConnectionEffectKeys(),
        rules: flagRules.adding([
            "not": ["required": ["at", "request"], "properties": ["at": ["pattern": "^(accept$|preface$|handshake)"]]]
        ]))

    func connectionEffects(_ node: Node) -> [ConnectionEffect] {
        var scope = scope
        scope.answers = .connection
        let reader = with(scope)
        return (sink.list(node, "connections", limit: Bounds.connectionEffects) ?? []).compactMap(
            reader.connectionEffect)
    }

    private func connectionEffect(_ node: Node) -> ConnectionEffect? {
        guard let keys = Self.connectionEffectTable.open(node, self) else { return nil }
        let position = keys[\.at]
        let action = action(keys)
        let connections = keys[\.on]
        if keys.has(\.on), connections == nil { return nil }
        let requests = keys[\.request]
        if keys.has(\.request), requests == nil { return nil }
        guard let position, let action else { return nil }
        if position == .accept || position == .preface, let node = keys.entry(\.request)?.keyNode {
            let word = position == .accept ? "accept" : "preface"
            sink.report(node, "\"request\" means nothing at \(word), which comes before the first one")
        }
        if case .frames(let frames) = action, let node = keys.entry(\.do)?.value {
            check(frames, at: position, node)
        }
        secondPass.later { [place] resolver in
            if resolver.plainName(at: place) == nil { checkTLS(action, at: position, keys) }
        }
        return ConnectionEffect(
            position: position, action: action, connections: connections, requests: requests, location: node.location)
    }

    /// Reports frames where HTTP/2 has not begun, and those of a stream.
    private func check(_ action: FrameAction, at position: ConnectionEffect.Position, _ node: Node) {
        if position != .preface {
            sink.report(
                node, "frames of HTTP/2 have their place at preface, or in a reply", hint: "write at: preface")
        } else if action.needsStream {
            sink.report(
                node, "\(quoted(action.verb.rawValue)) is about the stream of a reply, and here is none",
                hint: "put it under effects: of a reply")
        }
    }

    /// Reports effects that don't fit positions of TLS; called when TLS is spoken.
    private func checkTLS(
        _ action: Effect.Action, at position: ConnectionEffect.Position, _ keys: Mapping<ConnectionEffectKeys>
    ) {
        if case .handshake = position {
            if let node = keys.entry(\.request)?.keyNode {
                sink.report(node, "\"request\" means nothing at handshake, which comes before the first one")
            }
            return
        }
        if position == .accept, let node = keys.entry(\.notify)?.keyNode {
            sink.report(node, "\"notify\" means nothing at accept, where no TLS is spoken yet")
        }
        guard action.isOfTLS, let node = keys.entry(\.do)?.value, let word = node.text?.prefix(while: { $0 != " " })
        else { return }
        sink.report(
            node, "\(quoted(String(word))) has its place at handshake, or in a reply",
            hint: "write at: handshake, or put it under effects: of a reply")
    }

    fileprivate func connectionPosition(_ node: Node) -> ConnectionEffect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        if text == "handshake" || text.hasPrefix("handshake ") { return handshakePosition(text, node) }
        switch PositionText(text) {
        case .word("accept", nil): return .accept
        case .word("preface", nil):
            secondPass.later { [place] resolver in _ = resolver.speaksHTTP2("preface", at: place, node) }
            return .preface
        case .word("request-head", let number): return .requestHead(number ?? 0)
        case .word("request-body", let number): return .requestBody(number ?? 0)
        default:
            return sink.refuse(
                node, "unknown position \(quoted(text)) of a connection",
                hint: "permitted: accept, handshake, handshake MOMENT, preface, request-head, request-head N, "
                    + "request-body N")
        }
    }

    /// `handshake`, or `handshake MOMENT`.
    private func handshakePosition(_ text: String, _ node: Node) -> ConnectionEffect.Position? {
        let word = String(text.dropFirst("handshake".count).drop { $0 == " " })
        let moment: ConnectionEffect.HandshakePosition? =
            word.isEmpty ? .serverHello : ConnectionEffect.HandshakePosition(rawValue: word)
        secondPass.later { [place] resolver in
            guard resolver.speaksTLS("handshake", at: place, node), moment == nil else { return }
            let names = ConnectionEffect.HandshakePosition.allCases.map(\.rawValue)
            resolver.sink.report(
                node, "unknown moment \(quoted(word)) of a handshake",
                hint: DiagnosticSink.hint(for: word, among: names))
        }
        return moment.map { .handshake($0) }
    }

    fileprivate func indexes(_ node: Node, of thing: String) -> ClosedRange<Int>? {
        guard let text = sink.text(node, "\(thing) indexes") else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy(\.isASCIIDigit) ? Int(part) : nil
        }
        if parts.count <= 2, let first = parts.first ?? nil, let last = parts.last ?? nil, first <= last,
            Bounds.index.contains(last)
        {
            return first...last
        }
        return sink.refuse(
            node, "expected \(thing) indexes like 0 or 0-4, found \(quoted(text))",
            hint: "the first \(thing) is 0; at most \(Bounds.index.upperBound)")
    }
}

extension ConnectionEffect {
    /// Whether the position exists only with TLS.
    var needsTLS: Bool {
        if case .handshake = position { return true }
        return action.isOfTLS
    }
}

extension Effect.Action {
    /// Whether it acts on TLS records.
    var isOfTLS: Bool {
        switch self {
        case .alert, .truncateRecord, .badMAC: true
        case .wait, .waitBetween, .close, .reset, .halfClose, .stall, .send, .await, .frames: false
        }
    }
}
