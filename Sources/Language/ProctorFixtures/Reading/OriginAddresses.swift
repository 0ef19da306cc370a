import ProctorBase
import ProctorDocument
package import ProctorScenario

extension Shape where Value == [Int] {
    /// One origin, or a list of them.
    package static func originNames(_ what: String) -> Shape {
        Shape(.named("originNames")) { node, reader in
            reader.oneOrMore(node, what, limit: Bounds.origins).compactMap { reader.originIndex($0) }
        }
    }
}

extension ScenarioReader {
    /// The server of DNS of a run, with its replies that are not the usual ones.
    package static let nameServer = LanguageSlot<any NameServerProgram>("the server of DNS")

    /// Reports addresses that can't be those of the origin's name.
    func checkAddresses(_ keys: Mapping<OriginKeys>, isNamed: Bool, transport: Origin.Transport) {
        guard let entry = keys.entry(\.addresses), Self.nameServer.isRegistered(sink, at: entry.keyNode) else { return }
        if !isNamed || transport == .unix {
            sink.report(
                entry.keyNode, "\"addresses\" are those of a name over TCP", hint: "write host: NAME beside it")
        }
        let isIPv6 = { (node: Node) in self.ipv6Origins.contains(node.text ?? "") }
        let nodes = entry.value.items ?? [entry.value]
        if nodes.filter(isIPv6).count > 1 {
            sink.report(
                entry.value, "a machine has one loopback address of IPv6",
                hint: "name one origin with host: ipv6, and others of IPv4")
        }
        if Set(nodes.compactMap(\.text)).count < nodes.count {
            sink.report(entry.value, "an origin stands twice among the addresses", hint: "name each of them once")
        }
    }
}
