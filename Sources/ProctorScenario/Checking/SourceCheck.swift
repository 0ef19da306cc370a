import ProctorDocument
import ProctorTrace

/// Refuses a must about requests whose only sources bind some clients: callback rules are Foundation's, Fetch is browsers'.
///
/// A scenario without any source is its author's own, and binds whom they like.
struct SourceCheck {
    /// Of the whole scenario; a case's own stand in their place.
    let spec: [String]
    let sink: DiagnosticSink

    /// Reports the case where it asks more than its sources do.
    func check(_ item: Case) {
        let sources = item.spec.isEmpty ? spec : item.spec
        guard item.kind == .must, !sources.isEmpty, item.claims.contains(where: { $0.subject == .request }) else {
            return
        }
        let standards = Set(sources.map { Self.standard(of: $0) })
        guard !standards.contains(nil), item.applies.isEmpty else { return }
        let words = Ability.allCases.filter { standards.contains($0) }.map(\.rawValue)
        sink.report(
            item.location,
            "this must asks for requests, and its sources do not bind every client: \(sources.joined(separator: "; "))",
            hint: "cite a section that says MUST, or write applies: \(words.joined(separator: ", ")), or another kind")
    }

    /// The standard that a source belongs to; nil for one that binds every client.
    private static func standard(of source: String) -> Ability? {
        let ofFoundation = ["callback rule", "Foundation", "URL Session", "URLSession", "CustomHTTPProtocol"]
        if ofFoundation.contains(where: source.hasPrefix) { return .foundation }
        return source.hasPrefix("Fetch,") || source.hasPrefix("Fetch ") ? .fetch : nil
    }
}
