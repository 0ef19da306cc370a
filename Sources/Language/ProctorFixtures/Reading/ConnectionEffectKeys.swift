import ProctorBase
import ProctorDocument
import ProctorJournal
import ProctorScenario
import ProctorTLSWire

/// An effect on a connection before an exchange is chosen.
struct ConnectionEffectKeys: EffectKeys {
    let at = Key<ConnectionEffect.Position>("at", isRequired: true) { $1.connectionPosition($0) }
    let `do` = borrowed(InlineEffectKeys().do)
    let on = Key("on", Shape<ClosedRange<Int>>.indexes(of: "connection"))
    let request = Key("request", Shape<ClosedRange<Int>>.indexes(of: "request"))
    let after = Key("after", Shape<Duration>.duration("after"))
    let abrupt = borrowed(InlineEffectKeys().abrupt)
    let notify = borrowed(InlineEffectKeys().notify)
}

extension Shape where Value == ClosedRange<Int> {
    /// Indexes as `2` or `0-4`; `thing` is the noun that is counted.
    package static func indexes(of thing: String) -> Shape {
        Shape(.named("indexes")) { $1.indexes($0, of: thing) }
    }
}

extension ScenarioReader {
    static let connectionEffectTable = Table("a connection effect", ConnectionEffectKeys())

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
        let word = position.text.prefix { $0 != " " }
        if !position.isOfRequests, let node = keys.entry(\.request)?.keyNode {
            let sentence = "\"request\" means nothing at \(word), which comes before the first one"
            report(node, sentence, isOfTLS: word == "handshake")
        }
        let delay = keys[\.after]
        if keys.has(\.after), delay == nil { return nil }
        if let node = keys.entry(\.after)?.keyNode, position != .accept || !action.canEndByTime {
            report(
                node, "\"after\" is the end of a connection by time", hint: "write at: accept, and do: close or reset",
                isOfTLS: false)
        }
        if position == .accept, delay == nil, let node = keys.entry(\.notify)?.keyNode {
            report(node, "\"notify\" means nothing at accept, where no TLS is spoken yet", isOfTLS: true)
        }
        if let fault = action.row.fault(at: position), let node = keys.entry(\.do)?.value {
            report(node, fault.sentence, hint: fault.hint, isOfTLS: action.row.layer == .tls)
        }
        return ConnectionEffect(
            position: position, action: action, connections: connections, requests: requests, location: node.location,
            delay: delay)
    }

    fileprivate func connectionPosition(_ node: Node) -> ConnectionEffect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        if text == "handshake" || text.hasPrefix("handshake ") { return handshakePosition(text, node) }
        switch positionWords(text) {
        case ("accept", nil)?: return .accept
        case ("preface", nil)?:
            need([.h2], for: "preface", at: node)
            return .preface
        case ("request-head", let number)?: return .requestHead(number ?? 0)
        case ("request-body", let number)?: return .requestBody(number ?? 0)
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
        return action.row.layer == .tls
    }
}
