internal import ProctorBase
internal import ProctorEvents
internal import ProctorRules

/// Kinds of names that are values of flags, and that `proctor list --names` prints.
enum NameKind: String, CaseIterable {
    case clients, ledgers, platforms, errors, packs, rules, pages

    /// The kinds of names that this program has; pages are those of a module.
    static var offered: [NameKind] {
        allCases.filter { $0 != .pages || Modules.present.contains { $0.pageNames != nil } }
    }

    static var words: String { offered.map(\.rawValue).joined(separator: ", ") }

    /// The names, sorted; the user's own clients are in the folder beside `library`.
    func names(beside library: FixtureLibrary, environment: [String: String]) throws -> [String] {
        let folders = try ClientFiles.folders(for: library.own)
        return switch self {
        case .clients:
            try ExamClients(fixturePaths: library.own, environment: environment, programFolder: nil).names(in: folders)
        case .ledgers: try ClientFiles.names(in: folders)
        case .platforms: try ClientFiles.names(in: folders.map { "\($0)/platforms" })
        case .errors: try ClientFiles.names(in: folders.map { "\($0)/errors" })
        case .packs: try Pack.shippedNames
        case .rules: Rules.all.map(\.number.description)
        case .pages: try Modules.present.flatMap { try $0.pageNames?() ?? [] }
        }
    }
}
