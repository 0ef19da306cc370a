internal import ProctorBase
internal import ProctorDocument
internal import ProctorGrading
internal import ProctorRules
internal import ProctorScenario

/// Platforms and ledgers, which stand in a folder `clients` beside the fixtures.
struct ClientFiles {
    /// Where fixtures were found.
    let fixturePaths: [String]
    let output: Output

    private static let limit = 4 << 20

    /// A platform by its file, or by its name in `clients/platforms/`; nil when something is wrong, which has been said.
    func platform(_ name: String) throws -> Platform? {
        if name == Platform.neutral.name { return .neutral }
        let path = Self.isPath(name) ? name : try named(name, in: "platforms")
        let (platform, diagnostics) = Platform.parse(try InputFile.bytes(of: path, limit: Self.limit), file: path)
        say(diagnostics)
        return platform
    }

    /// A ledger by its file, or by its client's name in `clients/`; nil when something is wrong, which has been said.
    func ledger(_ name: String) throws -> Ledger? {
        let path = Self.isPath(name) ? name : try named(name, in: nil)
        let (ledger, diagnostics) = Ledger.parse(try InputFile.bytes(of: path, limit: Self.limit), file: path)
        say(diagnostics)
        return ledger
    }

    /// What exit codes mean, by a file or by a name in `clients/errors/`; nil when something is wrong, which has been said.
    func errors(_ name: String) throws -> ErrorTable? {
        let path = Self.isPath(name) ? name : try named(name, in: "errors")
        let (table, diagnostics) = ErrorTable.parse(try InputFile.bytes(of: path, limit: Self.limit), file: path)
        say(diagnostics)
        return table
    }

    /// Who judges: a ledger where one is named, and the platform that is named, or the ledger's, or none in particular.
    ///
    /// nil when something is wrong, which has been said.
    func judges(ledger ledgerName: String?, platform platformName: String?) throws -> (
        platform: Platform, ledger: Ledger?
    )? {
        var known: Ledger?
        if let ledgerName {
            guard let found = try ledger(ledgerName) else { return nil }
            known = found
        }
        guard let platform = try platform(platformName ?? known?.platform ?? Platform.neutral.name) else { return nil }
        return (platform, known)
    }

    private func say(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { output.err("\(diagnostic)\n") }
    }

    private static func isPath(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.hasSuffix(".yml") }

    /// The file of that name in the nearest folder `clients`.
    private func named(_ name: String, in folder: String?) throws -> String {
        let folders = fixturePaths.map { path in
            var path = path
            while path.last == "/" { path.removeLast() }
            let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
            return "\(path.contains("/") ? parent : ".")/clients" + (folder.map { "/\($0)" } ?? "")
        }
        var known: [String] = []
        for folder in folders {
            let names = ((try? FolderList.names(in: folder)) ?? []).filter { $0.hasSuffix(".yaml") }.map {
                String($0.dropLast(5))
            }
            if names.contains(name) { return "\(folder)/\(name).yaml" }
            known += names
        }
        let kind = folder == nil ? "ledger" : folder == "errors" ? "table of errors" : "platform"
        let hint = NearestName.find(name, in: known).map { "did you mean '\($0)'?" }
        let choice =
            known.isEmpty
            ? "give a .yaml file, as \(folders.joined(separator: ", ")) holds none"
            : "give a .yaml file, or one of \(known.sorted().joined(separator: ", "))"
        throw UsageError("there is no \(kind) '\(name)'; \(hint ?? choice)")
    }
}

/// Entries of a ledger that speak of no case there is; a misspelt one would go unnoticed for ever.
enum UnknownLedgerEntries {
    /// One message each, with its place; families that are not loaded are none of its business.
    static func sentences(of ledger: Ledger, among scenarios: [Scenario]) -> [String] {
        let families = Set(scenarios.map { family(of: $0.id) })
        let ids = scenarios.flatMap { scenario in scenario.cases.map { CaseID(scenario: scenario.id, name: $0.name) } }
        return ledger.deviations.compactMap { deviation in
            guard families.contains(family(of: deviation.scenario)), !ids.contains(where: deviation.covers) else {
                return nil
            }
            let hint =
                NearestName.find(deviation.pattern, in: ids.map(\.description)).map { "; did you mean '\($0)'?" } ?? ""
            return "\(deviation.location): error: there is no case '\(deviation.pattern)'\(hint)"
        }
    }

    private static func family(of id: String) -> String { String(id.prefix { $0 != "/" }) }
}
