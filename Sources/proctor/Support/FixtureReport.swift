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
    ) -> (loaded: LoadResult, book: CertificateBook)? {
        let found = loadPartly(paths, certificates: folders, output)
        return found.loaded.isClean ? found : nil
    }

    /// The same with what is good though others are not; everything that is wrong has been said.
    static func loadPartly(
        _ paths: [String], certificates folders: [String], _ output: Output
    ) -> (loaded: LoadResult, book: CertificateBook) {
        let loaded = ScenarioLoader.load(paths: paths)
        guard loaded.scenarios.contains(where: \.speaksTLS) else {
            if !loaded.isClean { say(loaded, output) }
            return (loaded, CertificateBook())
        }
        let (book, diagnostics) = CertificateBook.load(folders: folders)
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
            "\(count(result.diagnostics.count, "error")) in \(count(files, "file")); "
                + "\(count(result.scenarios.count, "scenario")) without")
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

    static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
