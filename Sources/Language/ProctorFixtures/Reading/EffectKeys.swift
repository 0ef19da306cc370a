import ProctorBase
package import ProctorDocument
import ProctorJournal
package import ProctorScenario

protocol EffectKeys: Sendable {
    var `do`: Key<Node> { get }
    var abrupt: Key<Bool> { get }
    var notify: Key<Bool> { get }
}

struct InlineEffectKeys: EffectKeys {
    let `do` = Key<Node>("do", isRequired: true)
    let abrupt = Key("abrupt", Shape<Bool>.boolean("abrupt"))
    let notify = Key("notify", Shape<Bool>.boolean("notify"))
}

struct ReplyEffectKeys: EffectKeys {
    let at = Key<Effect.Position>("at", isRequired: true) { $1.position($0) }
    let `do` = borrowed(InlineEffectKeys().do)
    let abrupt = borrowed(InlineEffectKeys().abrupt)
    let notify = borrowed(InlineEffectKeys().notify)
}

extension ScenarioReader {
    static let effectTable = Table("an effect", ReplyEffectKeys())
    static let inlineEffectTable = Table("an effect", InlineEffectKeys())
    static let mappedEffectTable = Table("an effect", MappedEffectKeys())

    func effects(_ node: Node) -> [Effect] {
        (sink.list(node, "effects", limit: Bounds.effects) ?? []).compactMap(effect)
    }

    private func effect(_ node: Node) -> Effect? {
        guard let keys = Self.effectTable.open(node, self) else { return nil }
        let position = keys[\.at]
        let action = action(keys)
        guard let position, let action else { return nil }
        return Effect(position: position, action: action, location: node.location)
    }

    fileprivate func position(_ node: Node) -> Effect.Position? {
        guard let text = sink.text(node, "a position") else { return nil }
        switch positionWords(text) {
        case ("head", let number)?: return .head(number ?? 0)
        case ("body", let number?)?: return .body(number)
        case ("wire", let number?)?: return .wire(number)
        case ("frame", let number?)?:
            need([.h2], for: "frame", at: node)
            return .frame(number)
        case ("end", nil)?: return .end
        case ("body", nil)?, ("wire", nil)?:
            sink.report(node, "the position \(quoted(text)) needs a number", hint: "\(text) 0 is its first byte")
        case ("frame", nil)?:
            sink.report(node, "the position \"frame\" needs a number", hint: "frame 0 is the first one")
        default:
            sink.report(
                node, "unknown position \(quoted(text)) of a reply",
                hint: "permitted: head, head N, body N, wire N, frame N, end (N up to \(Bounds.bodyByteCount))")
        }
        return nil
    }

    /// Reads a list with effects; reports items after an effect that ends the `thing`.
    package func upToEnd<Item>(
        of thing: String, _ items: [Node], _ read: (Node) -> Item?, effect: (Item) -> Effect.Action?
    ) -> [Item] {
        var end: SourceLocation?
        return items.compactMap { node in
            if let end {
                let place = "\(end.line):\(end.column)"
                return sink.refuse(node, "this is never played: the \(thing) ends with the effect at \(place)")
            }
            let item = read(node)
            if item.flatMap(effect)?.row.isLast == true { end = node.location }
            return item
        }
    }

    /// Reads `do:` with `abrupt:` and `notify:` beside it.
    func action(_ keys: Mapping<some EffectKeys>) -> Effect.Action? {
        let abrupt = keys[\.abrupt]
        if keys.has(\.abrupt), abrupt == nil { return nil }
        let notify = keys[\.notify]
        if keys.has(\.notify), notify == nil { return nil }
        guard let node = keys[\.do] else { return nil }
        guard let action = action(node) else { return nil }
        if let node = keys.entry(\.notify)?.keyNode {
            guard case .close = action else {
                report(node, "\"notify\" goes with close only", isOfTLS: action.row.layer == .tls)
                return nil
            }
            secondPass.later { [place] resolver in _ = resolver.speaksTLS("notify", at: place, node) }
        }
        if let action = action.with(abrupt: abrupt ?? false, notify: notify ?? true) { return action }
        guard let entry = keys.entry(\.abrupt) else { return action }
        report(entry.keyNode, "\"abrupt\" goes with close and reset only", isOfTLS: action.row.layer == .tls)
        return nil
    }

    /// Reports an error in an effect, or in a key beside it.
    ///
    /// `isOfTLS`: the error is reported only when the origin speaks TLS, since otherwise the effect itself is an error.
    func report(_ node: Node, _ sentence: String, hint: String? = nil, isOfTLS: Bool) {
        guard isOfTLS else { return sink.report(node, sentence, hint: hint) }
        secondPass.later { [place] resolver in
            if resolver.plainName(at: place) == nil { resolver.sink.report(node, sentence, hint: hint) }
        }
    }

    func action(_ node: Node) -> Effect.Action? { node.entries == nil ? textAction(node) : mappedAction(node) }

    private func mappedAction(_ node: Node) -> Effect.Action? {
        guard let keys = Self.mappedEffectTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        if let first = keys.entries.first, !isEffectInProgram(first.key, first.keyNode) { return nil }
        if let first = keys.entries.first, let form = EffectForm.named(first.key),
            [.frames, .http2, .http3].contains(form.verb.facts.layer)
        {
            for other in keys.entries.dropFirst() {
                let sentence = "\(quoted(other.key)) does not go with \(quoted(first.key))"
                sink.report(other.keyNode, sentence, hint: "write two effects")
            }
            checkLayer(of: form.verb, first.keyNode)
            return form.mapping?.read(keys)
        }
        if keys.has(\.await) {
            if let send = keys.entry(\.send)?.keyNode {
                sink.report(send, "\"send\" does not go with \"await\"", hint: "write two effects")
            }
            return EffectForm.named("await")?.mapping?.read(keys)
        }
        for entry in keys.entries where entry.key != "send" {
            sink.report(entry.keyNode, "\(quoted(entry.key)) goes with \"await\" only")
        }
        guard keys.raw.required("send") != nil else { return nil }
        return EffectForm.named("send")?.mapping?.read(keys)
    }

    private func textAction(_ node: Node) -> Effect.Action? {
        guard let text = sink.text(node, "an effect") else { return nil }
        let word = String(text.prefix { $0 != " " })
        let rest = String(text.dropFirst(word.count + 1))
        guard let form = EffectForm.named(word) else {
            guard isEffectInProgram(word, node) else { return nil }
            let words = EffectForm.all.filter { $0.sentence != nil }.map(\.word)
            return sink.refuse(
                node, "unknown effect \(quoted(word))", hint: DiagnosticSink.hint(for: word, among: words))
        }
        if form.sentence == nil, let mapping = form.mapping {
            return sink.refuse(
                node, "\(quoted(word)) takes a mapping", hint: "like do: { \(word): \(mapping.example) }")
        }
        if form.argument == nil, !rest.isEmpty {
            return sink.refuse(node, "\(quoted(word)) takes nothing after it, found \(quoted(rest))")
        }
        checkLayer(of: form.verb, node)
        return form.read(rest, node, self)
    }

    /// Reports a verb of HTTP/2 or HTTP/3 whose module is not in the program.
    private func isEffectInProgram(_ word: String, _ node: Node) -> Bool {
        guard let verb = EffectVerb(rawValue: word), [.frames, .http2, .http3].contains(verb.facts.layer) else {
            return true
        }
        return sink.has(EffectForm.frames, at: node)
    }

    /// Reports a verb of TLS, HTTP/2 or HTTP/3 at an origin that does not speak that protocol.
    private func checkLayer(of verb: EffectVerb, _ node: Node) {
        switch verb.facts.layer {
        case .tls: secondPass.later { [place] resolver in _ = resolver.speaksTLS(verb.rawValue, at: place, node) }
        case .http2: need([.h2], for: verb.rawValue, at: node)
        case .http3: need([.h3], for: verb.rawValue, at: node)
        case .frames: need([.h2, .h3], for: verb.rawValue, at: node)
        case .time, .bytes, .connection: return
        }
    }
}

/// Reads a word with an optional number: `body 4096`; nil for other text.
func positionWords(_ text: String) -> (word: String, number: Int?)? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    if words.count == 1 { return (text, nil) }
    guard words.count == 2, !words[1].isEmpty, words[1].utf8.allSatisfy(\.isASCIIDigit), let number = Int(words[1]),
        number <= Bounds.bodyByteCount
    else { return nil }
    return (String(words[0]), number)
}

extension String {
    /// A regular expression that matches only this text.
    var regexLiteral: String { split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\.") }
}
