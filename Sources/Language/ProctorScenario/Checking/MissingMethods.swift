package import ProctorDocument
import ProctorEvents
package import ProctorNotation
import ProctorProgram

/// Finds contradictions between a case and its delegate, which lacks methods or has other methods for challenges.
package struct MissingMethods {
    private let steps: [ClientProgram]
    private let methods: Set<String>
    private let session: SessionProgram

    /// nil when the client has no steps.
    package init?(of client: [ClientProgram]) {
        guard let first = client.first else { return nil }
        session = first.session ?? SessionProgram()
        steps = client
        // A method that the task's own delegate lacks is called on the session's delegate.
        methods = session.delegates == .both ? [] : Set(session.without.map(\.rawValue))
    }

    /// Reports each contradiction at the client or at the lane.
    package func check(_ entries: [Node.Entry], lanes: [String: Notation], _ sink: DiagnosticSink) {
        guard let client = entries.first(where: { $0.key == "client" })?.value else { return }
        let nodes = client.items ?? [client]
        for (index, step) in steps.enumerated() {
            let node = nodes.indices.contains(index) ? nodes[index] : client
            for (name, method) in answers(step) where methods.contains(method) {
                sink.report(node, "\(quoted(name)) is the answer of a method that \"without\" takes away")
            }
            if let moment = step.cancelAt, case .event(let name, _) = moment, lacks(name) {
                sink.report(node, "\(quoted(name)) never comes, since the delegate lacks its method")
            }
            if step.onCanAuthenticate != nil, session.challengeMethods != .old {
                sink.report(
                    node, "\"onCanAuthenticate\" is asked by the old methods for challenges alone (R19)",
                    hint: "write session: { challengeMethods: old }")
            }
        }
        for entry in entries {
            guard let notation = lanes[entry.key], notation.lane == .task,
                let name = notation.symbols.lazy.map(\.name).filter(lacks).min()
            else { continue }
            sink.report(entry.value, "\(quoted(name)) never comes, since the delegate lacks its method")
        }
    }

    /// One delegate method of the old families reports both redirects and rewritten requests.
    private func lacks(_ event: String) -> Bool {
        methods.contains(event) || event == EventName.canonicalize.rawValue && methods.contains("redirect")
    }

    /// The keys of a step's answers, with the delegate methods that return these answers; none where no method is lacking.
    private func answers(_ step: ClientProgram) -> [(key: String, method: String)] {
        guard !methods.isEmpty else { return [] }
        var answers = step.step.answers
        if step.onRedirect.map(\.word) != ["follow"] { answers.append(("onRedirect", .redirect)) }
        if step.onCanonicalize != nil { answers.append(("onCanonicalize", .redirect)) }
        return answers.map { ($0.key, $0.method.rawValue) }
    }
}
