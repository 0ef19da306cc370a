internal import ProctorBase
internal import ProctorFixtures
internal import ProctorScenario

/// The scenarios of a command: the user's own, and those shipped with the program.
///
/// When an id occurs in both, the user's own scenario is used.
struct FixtureLibrary: Sendable {
    /// The user's own files and folders; empty when there are none.
    let own: [String]
    /// The shipped folder; nil when there is none, and when it is the user's own folder.
    let shipped: String?

    private static let shippedRank = 1

    var paths: [FixturePath] {
        own.map { FixturePath($0) } + (shipped.map { [FixturePath($0, rank: Self.shippedRank)] } ?? [])
    }

    /// The user's own folders, or else the shipped one.
    var nearest: [String] { own.isEmpty ? shipped.map { [$0] } ?? [] : own }

    /// The folders that were searched, for messages.
    var places: String {
        (own + (shipped.map { ["\($0), which comes with proctor"] } ?? [])).joined(separator: ", and in ")
    }

    func find() -> ScenarioFiles { ScenarioLoader.findFixtures(paths) }

    /// The ids that a command uses without operands: the user's own, or else the shipped ones.
    func nearestIDs(_ files: ScenarioFiles) -> [String] { own.isEmpty ? files.ids : files.ids(ofRank: 0) }

    /// The error for an unknown id, with the most similar id and the folders that were searched.
    func unknown(_ id: String, among ids: [String]) -> UsageError {
        let hint = NearestName.hint(for: id, in: ids, else: "see 'proctor list'")
        return UsageError("there is no scenario '\(id)'; \(hint) (looked in \(places))")
    }
}

/// Describes which scenarios replace others with the same id.
enum ReplacedScenarios {
    private static let nameLimit = 5

    /// One sentence; nil when none replaces another.
    static func sentence(_ replaced: [ScenarioFiles.Replacement]) -> String? {
        guard let first = replaced.first else { return nil }
        if replaced.count == 1 { return "\(first.successor) takes the place of \(first.path)" }
        let names = replaced.prefix(nameLimit).map(\.id).joined(separator: ", ")
        let rest = replaced.count > nameLimit ? " and \(replaced.count - nameLimit) more" : ""
        return
            "\(replaced.count) scenarios give way to others at the same address, as \(first.path) to \(first.successor): "
            + "\(names)\(rest)"
    }
}
