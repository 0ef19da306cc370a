internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorRules
internal import ProctorScenario

/// Reads platforms and ledgers from the folder `clients` beside the fixtures; mistakes in them are printed.
struct ClientFiles {
    let fixturePaths: [String]
    let output: Output

    private static let limit = 4 << 20

    /// A platform by its file, or by its name in `clients/platforms/`.
    func platform(_ name: String) throws -> Platform {
        if name == Platform.neutral.name { return .neutral }
        return try read(name, of: .platform, Platform.parse)
    }

    /// A ledger by its file, or by its client's name in `clients/`.
    ///
    /// One that will be written anew may have entries that name nothing.
    func ledger(_ name: String, isRewritten: Bool = false) throws -> Ledger {
        try read(name, of: .ledger) { Ledger.parse($0, file: $1, permitsNameless: isRewritten) }
    }

    /// The meaning of exit codes, by a file or by a name in `clients/errors/`.
    func errors(_ name: String) throws -> ErrorTable {
        try read(name, of: .errors, ErrorTable.parse)
    }

    /// The meaning of a program's exit codes: the named one, else that of the program's name, else none but that 0 is
    /// success.
    func errors(_ name: String?, ofProgram program: String) throws -> ErrorTable {
        if let name { return try errors(name) }
        let isKnown = try Self.names(in: Self.folders(for: fixturePaths).map { $0 + Kind.errors.folder }).contains(
            program)
        return isKnown ? try errors(program) : ErrorTable(client: program)
    }

    /// The ledger, if named, and the platform: the named one, else the ledger's, else a neutral one.
    func judges(ledger ledgerName: String?, platform platformName: String?, isRewritten: Bool = false) throws -> (
        platform: Platform, ledger: Ledger?
    ) {
        let known = try ledgerName.map { try ledger($0, isRewritten: isRewritten) }
        return (try platform(platformName ?? known?.platform ?? Platform.neutral.name), known)
    }

    private enum Kind: String {
        case ledger
        case platform
        case errors = "table of errors"

        /// The folder below `clients`.
        var folder: String {
            switch self {
            case .ledger: ""
            case .platform: "/platforms"
            case .errors: "/errors"
            }
        }
    }

    private func read<Value>(
        _ name: String, of kind: Kind, _ parse: ([UInt8], String) -> (Value?, [Diagnostic])
    ) throws -> Value {
        let isPath = name.hasSuffix(".yaml") || name.hasSuffix(".yml")
        let path = isPath ? name : try self.path(named: name, of: kind)
        if kind == .ledger, FileKind(of: path) == nil {
            throw UsageError(
                "there is no ledger '\(path)'; 'proctor exam' writes one of what the client fails with --write-ledger '\(path)'"
            )
        }
        let (value, diagnostics) = parse(try InputFile.bytes(of: path, limit: Self.limit), path)
        for diagnostic in diagnostics { output.err("\(diagnostic)\n") }
        guard let value else { throw PrintedFailure() }
        return value
    }

    /// The folder `clients` beside a folder of fixtures.
    static func folder(beside path: String) -> String {
        var path = path
        while path.last == "/" { path.removeLast() }
        let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return "\(path.contains("/") ? parent : ".")/clients"
    }

    /// The shipped folder `clients`; nil when there is none.
    static var shippedFolder: String? {
        get throws(UsageError) {
            // A build folder may be called `clients` too, but it contains no folder `platforms`.
            try ShippedFiles.folder("clients/platforms").map { String($0.dropLast("/platforms".count)) }
        }
    }

    /// The folders `clients` beside the fixtures, then the shipped one, in the order of search.
    static func folders(for fixturePaths: [String]) throws(UsageError) -> [String] {
        var folders = fixturePaths.map { folder(beside: $0) }
        if let shipped = try shippedFolder { folders.append(shipped) }
        return folders
    }

    /// Whether the ledger is for the shipped fixtures although other fixtures may be used.
    static func isForeign(ledger path: String?, to library: FixtureLibrary) throws(UsageError) -> Bool {
        guard let path, let shipped = try shippedFolder, let folder = AbsolutePath.withoutLinks(shipped),
            let file = AbsolutePath.withoutLinks(path), file.hasPrefix(folder + "/")
        else { return false }
        return library.shipped != nil && !library.own.isEmpty
    }

    /// The names of the files in all of the folders, sorted.
    static func names(in folders: [String]) throws -> [String] {
        let files = try folders.flatMap { try FolderList.namesIfAny(in: $0) }.filter { $0.hasSuffix(".yaml") }
        return Set(files.map { String($0.dropLast(5)) }).sorted()
    }

    /// The file of that name in the nearest folder `clients`, or in the shipped one.
    private func path(named name: String, of kind: Kind) throws -> String {
        let folders = try Self.folders(for: fixturePaths).map { $0 + kind.folder }
        for folder in folders where try Self.names(in: [folder]).contains(name) { return "\(folder)/\(name).yaml" }
        let known = try Self.names(in: folders)
        let choice =
            known.isEmpty
            ? "give a .yaml file" : "give a .yaml file, or one of \(known.joined(separator: ", "))"
        throw UsageError(
            "there is no \(kind.rawValue) '\(name)'; \(NearestName.hint(for: name, in: known, else: choice)) "
                + "(looked in \(folders.joined(separator: ", and in ")))")
    }
}

/// Finds entries of a ledger for cases that their scenarios lack; entries for scenarios that are not read are ignored.
enum UnknownLedgerEntries {
    /// One message each, with its place.
    static func sentences(of ledger: Ledger, among scenarios: [Scenario]) -> [String] {
        let ids = scenarios.flatMap { scenario in
            scenario.sittings.map { CaseID(scenario: scenario.id, name: $0.name) }
        }
        let read = Set(scenarios.map(\.id))
        return ledger.deviations.compactMap { deviation in
            guard !deviation.isPrefix, read.contains(deviation.scenario), !ids.contains(where: deviation.covers) else {
                return nil
            }
            let hint =
                NearestName.find(deviation.pattern, in: ids.map(\.description)).map { "; did you mean '\($0)'?" } ?? ""
            return "\(deviation.location): error: there is no case '\(deviation.pattern)'\(hint)"
        }
    }
}
