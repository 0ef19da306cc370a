import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorProgram
import ProctorRules

/// Which events a lane of a case can have, given the tasks of its client.
enum LaneEvents {
    private static let downloads: [CallbackFamily] = [
        .sessionDownload, .connectionDownload, .download, .sessionBackground,
    ]
    private static let others: [CallbackFamily] = [.sessionData, .connection, .webSocket, .stream]

    /// Half a sentence about the first event of the expression that the lane can't have; nil when all are possible.
    static func impossibleEvent(in notation: Notation, ofLane key: String, task: ClientProgram.TaskKind) -> String? {
        guard notation.lane == .task else { return nil }
        let isDownload = key.hasPrefix("download")
        let families = isDownload ? downloads : task.family.endsInHandler ? [task.family] : others
        guard let name = notation.symbols.lazy.map(\.name).filter({ !can(families, have: $0) }).min() else {
            return nil
        }
        if isDownload { return "\(quoted(name)) never comes for a download task, which reports progress and fileReady" }
        if task.family.endsInHandler {
            let rule = task.family == .sessionHandler ? "R54" : "R62"
            return
                "\(quoted(name)) never comes for a task: \(task.rawValue), whose end is told in the lane handler (\(rule))"
        }
        return "\(quoted(name)) never comes for a data or upload task; download tasks are judged by \"download\""
    }

    /// Whether a program of that kind reaches an event at which it acts.
    static func comes(
        _ name: String, task: ClientProgram.TaskKind, onResponse: ClientProgram.ResponseAnswer
    ) -> Bool {
        can(onResponse == .becomeDownload ? [task.family, .sessionDownload] : [task.family], have: name)
    }

    private static func can(_ families: [CallbackFamily], have name: String) -> Bool {
        ambient.contains(name) || families.contains { ofFamilies[$0]?.contains(name) ?? false }
    }

    private static let ambient = Set(EventVocabulary.ambientNames)
    /// Made once: the grammars are constant.
    private static let ofFamilies: [CallbackFamily: Set<String>] = {
        let families = CallbackFamily.allCases.map { family in
            let grammar = family.grammar
            return (family, grammar.map { $0.notation.eventNames.union($0.ambient?.eventNames ?? []) } ?? [])
        }
        return Dictionary(uniqueKeysWithValues: families)
    }()
}

/// Refuses a must about requests whose sources bind only some clients: callback rules are Foundation's, Fetch is
/// browsers'.
///
/// A scenario without a source is not checked.
struct SourceCheck {
    /// Of the whole scenario; a case's own `spec` replaces it.
    let spec: [String]
    let sink: DiagnosticSink

    /// Reports a case that demands more than its sources do.
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

    /// The standard of a source; nil for one that binds every client.
    private static func standard(of source: String) -> Ability? {
        let ofFoundation = ["callback rule", "Foundation", "URL Session", "URLSession", "CustomHTTPProtocol"]
        if ofFoundation.contains(where: source.hasPrefix) { return .foundation }
        return source.hasPrefix("Fetch,") || source.hasPrefix("Fetch ") ? .fetch : nil
    }
}
