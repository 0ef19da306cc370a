import ProctorDocument
import ProctorTrace

/// Which events a lane of a case can ever bring, by the families it speaks for.
enum LaneEvents {
    private static let downloads: [CallbackFamily] = [.UD, .CD, .DL, .BG]
    private static let others: [CallbackFamily] = [.US, .UC, .WS, .ST]

    /// Half a sentence about the first event of the expression that never comes there; nil when all can.
    static func stranger(in notation: Notation, ofLane key: String, task: ClientProgram.TaskKind) -> String? {
        guard notation.lane == .task else { return nil }
        let isDownload = key.hasPrefix("download")
        let families = isDownload ? downloads : task.family == .HT ? [.HT] : others
        guard let name = notation.eventNames.subtracting(names(of: families)).sorted().first else { return nil }
        if isDownload { return "\(quoted(name)) never comes for a download task, which reports progress and fileReady" }
        if task.family == .HT {
            return
                "\(quoted(name)) never comes for a task: \(task.rawValue), whose end is told in the lane handler (R54)"
        }
        return "\(quoted(name)) never comes for a data or upload task; download tasks are judged by \"download\""
    }

    /// Whether a program of that kind ever comes to an event at which it wants to act.
    static func comes(
        _ name: String, task: ClientProgram.TaskKind, onResponse: ClientProgram.ResponseAnswer
    ) -> Bool {
        names(of: onResponse == .becomeDownload ? [task.family, .UD] : [task.family]).contains(name)
    }

    private static func names(of families: [CallbackFamily]) -> Set<String> {
        families.reduce(into: Set(EventVocabulary.ambientNames)) { names, family in
            guard let grammar = family.grammar else { return }
            names.formUnion(grammar.notation.eventNames)
            names.formUnion(grammar.ambient?.eventNames ?? [])
        }
    }
}
