internal import Foundation
internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
public import ProctorGrading
public import ProctorHarness
internal import ProctorModules
internal import ProctorScenario

/// Finds the scenario or case that a test names; an error lists similar names.
enum ExamChoice {
    /// Scenarios that were read before, since many tests use the same one.
    private static let loaded = Locked<[Position: Scenario]>([:])

    private struct Position: Hashable {
        let id: String
        let paths: [String]
    }

    /// The scenario of that id in `fixtures`; without `fixtures`, in the first default folder that has it, in the
    /// package's own folder, or among its packs.
    static func scenario(
        _ id: String, in fixtures: [String]?, for testFile: String
    ) throws(ExamFailure) -> Scenario {
        ServerModules.register()
        let places: [[String]] =
            if let fixtures { [fixtures] + FixtureFolders.shippedBehind(fixtures).map { [$0] } } else {
                try FixtureFolders.candidates(for: testFile).map { [$0] }
            }
        for paths in places {
            if let scenario = try load(Position(id: id, paths: paths)) { return scenario }
        }
        if let scenario = try packed(id) { return scenario }
        throw unknown(id, places.flatMap(\.self), testFile: testFile)
    }

    /// The scenario of a pack of the package, or the only one of the pack that `id` names; nil where no pack has it.
    private static func packed(_ id: String) throws(ExamFailure) -> Scenario? {
        guard let fixtures = FixtureFolders.shipped else { return nil }
        let place = Position(id: id, paths: ["\(fixtures)/../packs"])
        if let scenario = loaded.withLock({ $0[place] }) { return scenario }
        let files = PackFiles(in: place.paths[0]).files(of: id)
        if let mistake = PackFiles.mistake(files, named: id) { throw ExamFailure(mistake) }
        guard !files.ids.isEmpty else { return nil }
        let (scenario, diagnostics) = files.read(0)
        guard let scenario else { throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n")) }
        loaded.withLock { $0[place] = scenario }
        return scenario
    }

    private static func load(_ place: Position) throws(ExamFailure) -> Scenario? {
        if let scenario = loaded.withLock({ $0[place] }) { return scenario }
        let (scenario, diagnostics) = ScenarioLoader.load(place.id, in: place.paths)
        guard diagnostics.isEmpty else { throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n")) }
        if let scenario { loaded.withLock { $0[place] = scenario } }
        return scenario
    }

    private static func unknown(_ id: String, _ folders: [String], testFile: String) -> ExamFailure {
        guard !folders.isEmpty else {
            return ExamFailure(
                "there is no scenario '\(id)', for there is no folder 'fixtures' above \(testFile); name one with fixtures: "
                    + "or PROCTOR_FIXTURES")
        }
        // At most three names: the most similar one, then those with the same last word.
        let ids = ScenarioLoader.ids(in: folders)
        let nearest = NearestName.find(id, in: ids)
        let last = id.split(separator: "/").last
        let near = (nearest.map { [$0] } ?? []) + ids.filter { $0 != nearest && $0.split(separator: "/").last == last }
        let names = near.prefix(3).map { "'\($0)'" }
        let hint = names.isEmpty ? "none has a name like it" : "did you mean \(names.joined(separator: ", "))?"
        return ExamFailure(
            "there is no scenario '\(id)'; \(hint) (looked in \(folders.joined(separator: ", ")); fixtures: and "
                + "PROCTOR_FIXTURES name other folders)")
    }

    static func item(_ name: String?, of scenario: Scenario) throws(ExamFailure) -> Case {
        let names = scenario.cases.map(\.name)
        guard let name else {
            if names.count == 1, let only = scenario.cases.first { return only }
            guard !names.isEmpty else { return .ofAnyRequests(in: scenario) }
            throw ExamFailure(
                "\(scenario.id) can't be judged without a case: say case: with one of \(names.joined(separator: ", "))")
        }
        do throws(UnknownCase) {
            return try scenario.case(named: name)
        } catch {
            throw ExamFailure(error.description)
        }
    }
}

/// The default folders of a test's scenarios.
enum FixtureFolders {
    /// The folders, in the order in which they are searched.
    ///
    /// `PROCTOR_FIXTURES` where it is set, else each `fixtures` above the test's file, nearest first; in both cases the
    /// package's own folder is the last one.
    static func candidates(for testFile: String) throws(ExamFailure) -> [String] {
        if let path = ProcessInfo.processInfo.environment["PROCTOR_FIXTURES"], !path.isEmpty {
            guard FileManager.default.fileExists(atPath: path) else {
                throw ExamFailure("PROCTOR_FIXTURES names '\(path)', and there is no such folder")
            }
            return [path] + shippedBehind([path])
        }
        let folders = folders(above: testFile)
        return folders + shippedBehind(folders)
    }

    /// The package's own folder, unless it is among these.
    static func shippedBehind(_ folders: [String]) -> [String] {
        guard let shipped, !folders.contains(shipped) else { return [] }
        return [shipped]
    }

    /// The folder of the checkout that the package was built from; nil when it no longer exists.
    static let shipped = folders(above: #filePath).first

    private static func folders(above file: String) -> [String] {
        var folders: [String] = []
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
        while true {
            let candidate = folder.appendingPathComponent("fixtures").path
            let real = URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
            let values = try? real.resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory == true { folders.append(candidate) }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { return folders }
            folder = parent
        }
    }
}

extension Ledger {
    /// Parses a ledger from YAML text; the error lists every mistake with its place.
    public static func reading(_ text: String, filePath: String = #filePath) throws(ExamFailure) -> Ledger {
        try reading(Array(text.utf8), file: "ledger in \(filePath)")
    }

    private static func reading(_ bytes: [UInt8], file: String) throws(ExamFailure) -> Ledger {
        let (ledger, diagnostics) = parse(bytes, file: file)
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }

    /// A ledger of the package, by its client's name: `urlsession-corelibs` is URLSession on Linux.
    public static func shipped(_ client: String) throws(ExamFailure) -> Ledger {
        guard let fixtures = FixtureFolders.shipped else { throw ExamFailure("proctor's own checkout is gone") }
        let path = "\(fixtures)/../clients/\(client).yaml"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ExamFailure("there is no ledger '\(client)': \(path) can't be read")
        }
        return try reading(Array(data), file: path)
    }
}
