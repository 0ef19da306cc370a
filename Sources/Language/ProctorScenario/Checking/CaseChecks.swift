package import ProctorDocument
import ProctorEvents
package import ProctorNotation
import ProctorProgram
import ProctorRules

/// The events that can occur in a lane of a case, by the kinds of the client's tasks.
package enum LaneEvents {
    private static let downloads: [CallbackFamily] = [
        .sessionDownload, .connectionDownload, .download, .sessionBackground,
    ]
    private static let others: [CallbackFamily] = [.sessionData, .connection, .webSocket, .stream]

    /// Half a sentence about the first event of the expression that can't occur in the lane; nil when all can.
    package static func impossibleEvent(in notation: Notation, ofLane key: String, task: ClientProgram.TaskKind)
        -> String?
    {
        guard notation.lane == .task else { return nil }
        let isDownload = key.hasPrefix("download")
        let families = isDownload ? downloads : task.hasOwnEvents ? [task.family] : others
        guard let name = notation.symbols.lazy.map(\.name).filter({ !can(families, have: $0) }).min() else {
            return nil
        }
        if isDownload { return "\(quoted(name)) never comes for a download task, which reports progress and fileReady" }
        if task.family.endsInHandler {
            let rule = task.family == .sessionHandler ? "R54" : "R62"
            return
                "\(quoted(name)) never comes for a task: \(task.rawValue), whose end is told in the lane handler (\(rule))"
        }
        if task.family == .eventSource {
            return "\(quoted(name)) never comes for a task: \(task.rawValue), which reports esOpen, esEvent and esError"
        }
        return "\(quoted(name)) never comes for a data or upload task; download tasks are judged by \"download\""
    }

    /// Whether an event at which the program acts can occur in a task of that kind.
    package static func comes(
        _ name: String, task: ClientProgram.TaskKind, onResponse: ClientProgram.ResponseAnswer
    ) -> Bool {
        can(onResponse == .becomeDownload ? [task.family, .sessionDownload] : [task.family], have: name)
    }

    private static func can(_ families: [CallbackFamily], have name: String) -> Bool {
        ambient.contains(name) || families.contains { ofFamilies[$0]?.contains(name) ?? false }
    }

    private static let ambient = Set(EventVocabulary.ambientNames)
    /// Computed once, since the grammars are constant.
    private static let ofFamilies: [CallbackFamily: Set<String>] = {
        let families = CallbackFamily.allCases.map { family in
            let grammar = family.grammar
            return (family, grammar.map { $0.notation.eventNames.union($0.ambient?.eventNames ?? []) } ?? [])
        }
        return Dictionary(uniqueKeysWithValues: families)
    }()
}

extension ClientProgram.TaskKind {
    /// Whether its lane has the events of its family alone.
    fileprivate var hasOwnEvents: Bool { family.endsInHandler || family == .eventSource }
}

/// Refuses a must about requests whose sources bind only some clients: callback rules bind users of Foundation, Fetch
/// binds browsers.
///
/// A scenario without a source is not checked.
package struct SourceCheck {
    /// The sources of the whole scenario; a case's own `spec` is used instead of them.
    package let spec: [String]
    package let sink: DiagnosticSink

    package init(spec: [String], sink: DiagnosticSink) {
        (self.spec, self.sink) = (spec, sink)
    }

    /// Reports a case that requires more than its sources require.
    package func check(_ item: Case) {
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

    /// The standard that a source belongs to; nil for a source that binds every client.
    private static func standard(of source: String) -> Ability? {
        let ofFoundation = ["callback rule", "Foundation", "URL Session", "URLSession", "CustomHTTPProtocol"]
        if ofFoundation.contains(where: source.hasPrefix) { return .foundation }
        return source.hasPrefix("Fetch,") || source.hasPrefix("Fetch ") ? .fetch : nil
    }
}
