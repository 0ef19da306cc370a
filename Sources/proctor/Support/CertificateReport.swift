internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario
internal import ProctorTLS

/// Looks up the certificate profiles and client identities that scenarios name.
struct CertificateReport {
    let book: CertificateBook
    /// Where the book was read.
    let folders: [String]

    /// One for each name that nothing stands for, in the order of the scenarios.
    func diagnostics(_ scenarios: [Scenario]) -> [Diagnostic] {
        scenarios.flatMap { scenario in
            scenario.certificateNames.compactMap { mention in
                guard book.profiles[mention.name] == nil else { return nil }
                return diagnostic("certificate profile", mention, nearest: book.nearest(to: mention.name), below: "")
            }
                + scenario.identityNames.compactMap { mention in
                    guard book.clients[mention.name] == nil else { return nil }
                    return diagnostic(
                        "client identity", mention, nearest: book.nearestClient(to: mention.name), below: "/clients")
                }
        }
    }

    private func diagnostic(
        _ kind: String, _ mention: Scenario.Mention, nearest: String?, below: String
    ) -> Diagnostic {
        let places = folders.map { "\($0)\(below)" }.joined(separator: ", ")
        let place =
            folders.isEmpty
            ? "there is no folder certs; name one by --certs or PROCTOR_CERTS" : "looked for in \(places)"
        return Diagnostic(
            location: mention.location, sentence: "there is no \(kind) \(quoted(mention.name))",
            hint: nearest.map { "did you mean \(quoted($0))? (\(place))" } ?? place)
    }
}
