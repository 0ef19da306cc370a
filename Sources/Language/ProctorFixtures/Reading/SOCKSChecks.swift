import ProctorDocument
import ProctorProgram
package import ProctorScenario

/// What a module reads, and where it may stand.
extension ScenarioReader {
    /// What a proxy of SOCKS says before its reply, and the bytes of its reply.
    package static let socks = LanguageSlot<SOCKSProgram>("SOCKS")
    package static let socksReply = LanguageSlot<[BodyPiece]>("SOCKS")

    /// Reports `socks` of an origin that is no plain proxy.
    func checkSOCKS(_ keys: Mapping<OriginKeys>, role: Origin.Role) {
        guard let node = keys.entry(\.socks)?.keyNode else { return }
        if role != .proxy { sink.report(node, "\"socks\" is what a proxy speaks", hint: "write role: proxy beside it") }
        for other in [keys.entry(\.scheme), keys.entry(\.tls), keys.entry(\.protocols)].compactMap(\.self) {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \"socks\", which is spoken without TLS and HTTP",
                hint: "leave it out; origins behind the proxy have their own")
        }
    }

    /// A version of SOCKS; what else a proxy may speak, its origin says.
    func socksProtocol(_ node: Node) -> SessionSetup.ProxyProtocol? {
        let words = SessionSetup.ProxyProtocol.ofSOCKS
        guard let text = sink.nonEmptyText(node, "a version of SOCKS") else { return nil }
        if let word = words.first(where: { $0.rawValue == text }) { return word }
        return sink.refuse(
            node, "unknown version of SOCKS \(quoted(text))",
            hint: DiagnosticSink.hint(for: text, among: words.map(\.rawValue)))
    }

    /// The message of `socks:`; reports what stands beside it.
    func socksMessage(_ keys: Mapping<ReplyKeys>) -> Reply.Message {
        let permitted = ["socks", "tunnel", "effects", "slice", "sets", "weight"]
        for other in keys.entries where !permitted.contains(other.key) {
            sink.report(other.keyNode, "\(quoted(other.key)) does not go with \"socks\", which is no HTTP")
        }
        return .raw(keys[\.socks] ?? [])
    }

    /// Reports a reply of SOCKS and one of HTTP at the wrong origins.
    func checkSOCKS(_ keys: Mapping<ReplyKeys>, _ message: Reply.Message?) {
        let entry = keys.entry(\.socks)
        let isOfHTTP = if case .structured? = message { true } else { false }
        guard entry != nil || isOfHTTP else { return }
        secondPass.later { [place] in $0.checkSOCKS(entry, isOfHTTP: isOfHTTP, at: place, keys.node) }
    }
}

extension Resolver {
    /// Reports a guard at a proxy of SOCKS, which has no fields to ask by.
    func checkNoSOCKS(_ entry: Node.Entry, at place: OriginPlace) {
        guard case .one(let index) = place, origins.indices.contains(index), origins[index].socks != nil else { return }
        sink.report(
            entry.keyNode, "a guard asks by fields of HTTP, and the proxy \(quoted(origins[index].name)) speaks SOCKS",
            hint: "write users: under its socks:")
    }

    /// Reports a reply of SOCKS at another origin than a proxy of SOCKS, and a reply of HTTP at one.
    func checkSOCKS(_ entry: Node.Entry?, isOfHTTP: Bool, at place: OriginPlace, _ node: Node) {
        guard case .one(let index) = place, origins.indices.contains(index) else { return }
        let speaksSOCKS = origins[index].socks != nil
        if let entry, !speaksSOCKS {
            sink.report(
                entry.keyNode, "\"socks\" is what a proxy of SOCKS says, and the origin of this exchange is none",
                hint: "write origin: NAME with the name of an origin that has role: proxy and socks: {}")
        } else if isOfHTTP, speaksSOCKS {
            sink.report(
                node, "the proxy \(quoted(origins[index].name)) speaks SOCKS, which has no status and no fields",
                hint: "write socks: host-unreachable, forward: true, or raw:")
        }
    }
}
