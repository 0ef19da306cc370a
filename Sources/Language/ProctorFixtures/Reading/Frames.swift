package import ProctorDocument
package import ProctorHTTP
package import ProctorScenario

/// What a module reads of HTTP/2 and HTTP/3, and where it may stand.
extension ScenarioReader {
    package static let http2 = LanguageSlot<HTTP2Behaviour>(frameModule)
    package static let http3 = LanguageSlot<HTTP3Behaviour>(frameModule)
    /// The slot for the settings of a SETTINGS frame of HTTP/2.
    package static let settings = LanguageSlot<[Setting]>(frameModule)
    package static let frame = LanguageSlot<FrameTemplate>(frameModule)
    package static let streamBytes = LanguageSlot<StreamBytes>(frameModule)
    package static let push = LanguageSlot<PushedRequest>(frameModule)

    static let frameModule = "the part for frames of HTTP/2 and HTTP/3"

    /// `h2:` and `h3:` of an origin, which must speak these protocols.
    func frameBehaviours(
        _ keys: Mapping<OriginKeys>, _ protocols: [ApplicationProtocol]?
    ) -> (HTTP2Behaviour?, HTTP3Behaviour?) {
        let behaviours = (keys[\.h2], keys[\.h3])
        if let entry = keys.entry(\.h2)?.keyNode, protocols?.contains(.h2) != true {
            sink.report(
                entry, "\"h2\" is about HTTP/2, which this origin does not speak",
                hint: "write protocols: [h2] beside it")
        }
        if let entry = keys.entry(\.h3)?.keyNode, protocols?.contains(.h3) != true {
            sink.report(
                entry, "\"h3\" is about HTTP/3, which this origin does not speak",
                hint: "write scheme: https and protocols: [h3] beside it")
        }
        return behaviours
    }

    /// Reports a word, once the file is read, where the origin at this place speaks none of the protocols.
    package func need(_ protocols: Set<ApplicationProtocol>, for word: String, at node: Node) {
        secondPass.later { [place] resolver in _ = resolver.speaks(protocols, word, at: place, node) }
    }
}

extension Resolver {
    /// Reports a word at a place where none of the protocols is spoken.
    func speaks(_ protocols: Set<ApplicationProtocol>, _ word: String, at place: OriginPlace, _ node: Node) -> Bool {
        func isSpoken(_ origin: Origin) -> Bool { !protocols.isDisjoint(with: origin.protocols) }
        let silent: Origin? =
            switch place {
            case .any: origins.contains(where: isSpoken) ? nil : origins.first
            case .one(let index):
                origins.indices.contains(index) && !isSpoken(origins[index]) ? origins[index] : nil
            case .unknown: nil
            }
        guard let silent else { return true }
        let isOfHTTP2 = protocols.contains(.h2)
        let names = isOfHTTP2 ? protocols.contains(.h3) ? "HTTP/2 or HTTP/3" : "HTTP/2" : "HTTP/3"
        sink.report(
            node, "\(quoted(word)) needs \(names), which the origin \(quoted(silent.name)) does not speak",
            hint: isOfHTTP2
                ? "write protocols: [h2] at the origin" : "write scheme: https and protocols: [h3] at the origin")
        return false
    }

    /// Reports an extended CONNECT at an origin whose SETTINGS do not permit it over a protocol that it speaks (RFC 8441 §3, RFC 9220
    /// §3).
    func checkProtocol(_ node: Node, at place: Int?) {
        guard let place, origins.indices.contains(place), speaks([.h2, .h3], "protocol", at: .one(place), node) else {
            return
        }
        let origin = origins[place]
        let http2 = origin.http2.settings.contains { $0.identifier == .enableConnectProtocol && $0.value == 1 }
        let http3 = origin.http3.settings.contains { $0.identifier == .enableConnectProtocol && $0.value == 1 }
        let isPermitted =
            origin.protocols.contains(.h2) && (http2 || origin.http2.preface != nil)
            || origin.protocols.contains(.h3) && (http3 || origin.http3.preface != nil)
        guard !isPermitted else { return }
        let isOfHTTP3 = !origin.protocols.contains(.h2)
        sink.report(
            node,
            "this can never match: the settings of the origin \(quoted(origin.name)) do not permit "
                + "\":protocol\" (\(isOfHTTP3 ? "RFC 9220 §3" : "RFC 8441 §3"))",
            hint: "write \(isOfHTTP3 ? "h3" : "h2"): { settings: { enable-connect-protocol: 1 } } there")
    }
}
