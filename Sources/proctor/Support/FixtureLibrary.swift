internal import ProctorBase
internal import ProctorScenario

/// The scenarios of a command: one's own, and those that come with the program.
///
/// Where an id is there twice, one's own scenario is meant.
struct FixtureLibrary: Sendable {
    /// Files and folders; empty where only the shipped ones are meant.
    let own: [String]
    /// nil where none come with the program, and where one's own folder is that one.
    let shipped: String?

    private static let shippedRank = 1

    var paths: [FixturePath] {
        own.map { FixturePath($0) } + (shipped.map { [FixturePath($0, rank: Self.shippedRank)] } ?? [])
    }

    /// One's own folders, or else the shipped one.
    var nearest: [String] { own.isEmpty ? shipped.map { [$0] } ?? [] : own }

    /// Where was looked, for messages.
    var places: String {
        (own + (shipped.map { ["\($0), which comes with proctor"] } ?? [])).joined(separator: ", and in ")
    }

    func find() -> ScenarioFiles { ScenarioLoader.find(paths) }

    /// The ids that a command asks which was told of none: one's own, or else the shipped ones.
    func nearestIDs(_ files: ScenarioFiles) -> [String] { own.isEmpty ? files.ids : files.ids(ofRank: 0) }

    /// That there is no scenario of that id, with the most similar name and where was looked.
    func unknown(_ id: String, among ids: [String]) -> UsageError {
        let hint = NearestName.hint(for: id, in: ids, else: "see 'proctor list'")
        return UsageError("there is no scenario '\(id)'; \(hint) (looked in \(places))")
    }
}

/// Says which scenarios stand in place of others with the same id.
enum ReplacedScenarios {
    private static let nameLimit = 5

    /// One sentence; nil where none does.
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
