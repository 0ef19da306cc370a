import ProctorJournal
import ProctorScenario

extension CaseGrading {
    /// Why nothing that the case claims can be judged of a client that does not trust its proxy, a sentence; nil when it
    /// can.
    ///
    /// The client ended each handshake by an alert about the certificate of a proxy, with which nothing is wrong, so that
    /// it came to nothing that the case asks. A case about certificates, or about proxies over TLS, is judged.
    var reasonOfProxyTrust: String? {
        guard let record, record.exchanges.isEmpty, !record.handshakes.isEmpty, !item.soundProxies.isEmpty else {
            return nil
        }
        let sections = item.spec.isEmpty ? item.scenarioSpec : item.spec
        guard !sections.contains(where: { section in Self.sectionsOfTrust.contains(where: section.hasPrefix) }) else {
            return nil
        }
        let refused = record.handshakes.allSatisfy { index in
            let connection = record.connections[index]
            return connection.origin.map(item.soundProxies.contains) ?? false
                && connection.tls.fatalAlert.map { Self.alertsOfTrust.contains($0.name) } ?? false
        }
        return refused
            ? "the client refused the certificate of its proxy, with which nothing is wrong (RFC 9110 §7.3.2)" : nil
    }

    private static let sectionsOfTrust = [
        "RFC 9110 §7.3.2", "RFC 9110 §4.3.4", "RFC 9525", "RFC 5280", "RFC 8446", "RFC 5246",
    ]

    /// RFC 8446 §6.2.
    private static let alertsOfTrust: Set = ["bad_certificate", "certificate_unknown", "unknown_ca"]
}
