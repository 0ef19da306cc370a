internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario
internal import ProctorTLS

/// Loads fixtures and prints everything that is wrong with them at once.
enum FixtureReport {
    /// nil when anything is wrong; then it has been said.
    static func load(_ paths: [String], _ output: Output) -> LoadResult? {
        let result = ScenarioLoader.load(paths: paths)
        guard result.isClean else {
            say(result, output)
            return nil
        }
        return result
    }

    /// Also looks up what the scenarios name of certificates; the book is empty where none of them speaks TLS.
    ///
    /// `folders` are those of ``CertificateLocation``. nil when anything is wrong; then it has been said.
    static func load(
        _ paths: [String], certificates folders: [String], _ output: Output
    ) -> (loaded: LoadResult, book: CertificateCatalog)? {
        let found = loadPartly(paths, certificates: folders, output)
        return found.loaded.isClean ? found : nil
    }

    /// The same with what is good though others are not; everything that is wrong has been said.
    static func loadPartly(
        _ paths: [String], certificates folders: [String], _ output: Output
    ) -> (loaded: LoadResult, book: CertificateCatalog) {
        let loaded = ScenarioLoader.load(paths: paths)
        guard loaded.scenarios.contains(where: \.speaksTLS) else {
            if !loaded.isClean { say(loaded, output) }
            return (loaded, CertificateCatalog())
        }
        let (book, diagnostics) = CertificateCatalog.load(folders: folders)
        let unknown = CertificateReport(book: book, folders: folders).diagnostics(loaded.scenarios)
        let files = Set(unknown.map(\.location.file))
        let result = LoadResult(
            scenarios: loaded.scenarios.filter { !files.contains($0.location.file) },
            diagnostics: (loaded.diagnostics + diagnostics + unknown).sorted())
        if !result.isClean { say(result, output) }
        return (result, book)
    }

    private static func say(_ result: LoadResult, _ output: Output) {
        say(result.diagnostics, output)
        let files = Set(result.diagnostics.map(\.location.file)).count
        output.note(
            "\(Plural.count(result.diagnostics.count, "error")) in \(Plural.count(files, "file")); "
                + "\(Plural.count(result.scenarios.count, "scenario")) without")
    }

    /// One line each.
    static func say(_ diagnostics: [Diagnostic], _ output: Output) {
        for diagnostic in diagnostics {
            let words = diagnostic.description
            let level = "\(diagnostic.level.rawValue):"
            guard let mark = words.firstRange(of: ": \(level) ") else { continue }
            output.err("\(words[..<mark.lowerBound]): \(output.style.bad(level)) \(words[mark.upperBound...])\n")
        }
    }
}

/// Looks up the certificate profiles and client identities that scenarios name.
struct CertificateReport {
    let book: CertificateCatalog
    /// Where the book was read.
    let folders: [String]

    /// One for each name that nothing stands for, in the order of the scenarios.
    func diagnostics(_ scenarios: [Scenario]) -> [Diagnostic] {
        scenarios.flatMap { scenario in
            scenario.certificateNames.compactMap { mention in
                guard book.profiles[mention.name] == nil else { return nil }
                return diagnostic("certificate profile", mention, nearest: book.nearest(to: mention.name), below: "")
            }
                + scenario.identityNames.compactMap { mention in
                    guard book.clients[mention.name] == nil else { return nil }
                    return diagnostic(
                        "client identity", mention, nearest: book.nearestClient(to: mention.name), below: "/clients")
                }
        }
    }

    private func diagnostic(
        _ kind: String, _ mention: Scenario.Mention, nearest: String?, below: String
    ) -> Diagnostic {
        let places = folders.map { "\($0)\(below)" }.joined(separator: ", ")
        let place =
            folders.isEmpty
            ? "there is no folder certs; name one by --certs or PROCTOR_CERTS" : "looked for in \(places)"
        return Diagnostic(
            location: mention.location, sentence: "there is no \(kind) \(quoted(mention.name))",
            hint: nearest.map { "did you mean \(quoted($0))? (\(place))" } ?? place)
    }
}

/// What can be served of fixtures of which some are broken: the good ones, and the last good version of the others.
struct PartialLoad {
    let scenarios: [Scenario]
    /// Scenarios that are served as they were before their file broke.
    let keptCount: Int
    /// Files with an error that never were good, so that nothing of them is served.
    let lostFileCount: Int

    /// `former` are the scenarios that were served until now.
    init(_ result: LoadResult, former: [Scenario]) {
        let broken = Set(result.diagnostics.map(\.location.file))
        let good = result.scenarios.filter { !broken.contains($0.location.file) }
        let taken = Set(good.map(\.id))
        let kept = former.filter { Self.concerns(broken, $0.location.file) && !taken.contains($0.id) }
        let keptFiles = Set(kept.map(\.location.file))
        scenarios = (good + kept).sorted { $0.id < $1.id }
        keptCount = kept.count
        lostFileCount = broken.count { file in !keptFiles.contains { $0 == file || $0.hasPrefix(file + "/") } }
    }

    /// Whether a file is broken itself, or stands in a folder that can't be read.
    private static func concerns(_ broken: Set<String>, _ file: String) -> Bool {
        broken.contains(file) || broken.contains { file.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    /// Half a sentence about what is not as its file has it; empty where all is.
    var remark: String {
        var texts: [String] = []
        if keptCount > 0 {
            texts.append("still serving the last good version of \(Plural.count(keptCount, "scenario"))")
        }
        if lostFileCount > 0 {
            texts.append("not serving \(Plural.count(lostFileCount, "file")) with errors")
        }
        return texts.isEmpty ? "" : "; " + texts.joined(separator: "; ")
    }
}
