import ProctorHTTP
import ProctorScenario

extension CaseGrading {
    /// Why nothing that the case claims can be judged of a client that speaks HTTP/1.0, a sentence; nil when it can.
    ///
    /// A server sends such a client neither chunks nor interim replies (RFC 9112 §6.1, RFC 9110 §15.2), and what these
    /// sections ask of a client, they ask by HTTP/1.1.
    var reasonOfHTTP10: String? {
        guard let old = record?.exchanges.first(where: { $0.head.version == .http10 }) else { return nil }
        let came = "request \(old.number) came by HTTP/1.0"
        let sections = item.spec.isEmpty ? item.scenarioSpec : item.spec
        let aboutHost = "RFC 9112 §3.2"
        let isOfHTTP11 = { (section: String) in
            section == aboutHost || Self.sectionsOfHTTP11.contains(where: section.hasPrefix)
        }
        // A program of bytes says itself by which version it asks, and its sections are about what stands between.
        if !item.sendsBytes, let section = sections.first(where: isOfHTTP11) {
            return "\(came), and \(section) is about HTTP/1.1"
        }
        let isShown = record?.exchanges.allSatisfy { exchange in
            exchange.head.version != .http10
                || !(exchange.chosen.map { item.exchangesOfHTTP11.contains($0.exchange) } ?? false)
        }
        return isShown == false
            ? "\(came), which has no chunks and no interim replies (RFC 9112 §6.1, RFC 9110 §15.2)" : nil
    }

    /// Chunks, persistent connections, Host, expectations, Upgrade, trailers and interim replies.
    private static let sectionsOfHTTP11 = [
        "RFC 9112 §6.1", "RFC 9112 §7", "RFC 9112 §9.3", "RFC 9112 §9.6", "RFC 9110 §6.5",
        "RFC 9110 §7.2", "RFC 9110 §7.8", "RFC 9110 §10.1.1", "RFC 9110 §10.1.4", "RFC 9110 §15.2", "RFC 8297",
        "RFC 6455",
    ]
}
