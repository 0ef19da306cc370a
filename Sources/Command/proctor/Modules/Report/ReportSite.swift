internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorReport
internal import ProctorScenario

/// Writes the site of exam records, with the fixtures as they are on disk.
enum ReportSite {
    /// The most bytes of a fixture that a page shows.
    private static let fixtureLimit = 4 << 20

    /// Writes the site; false after an error, which was printed.
    static func write(_ exams: [ExamRecord], to folder: String, fixtures files: ScenarioFiles, _ output: Output) -> Bool
    {
        let site = Site(exams, version: CommandLine.version)
        do {
            var folder = try ReportFolder(folder)
            let texts = try fixtures(of: site, in: files)
            try site.write(fixture: { texts[$0] }, to: { try folder.write($0.bytes, to: $0.path) })
            folder.removeOldPages()
            let missing = site.scenarios.count { texts[$0] == nil }
            if missing > 0 {
                let count = Plural.count(missing, "scenario")
                output.message("\(count) of the report are not among the fixtures: their pages show no file")
            }
            output.message("the report is \(folder.path)/index.html (\(Plural.count(folder.fileCount, "file")))")
            return true
        } catch {
            output.message("\(error)")
            return false
        }
    }

    /// Throws where the machine could not read a file, which is no reason to say that there is none.
    private static func fixtures(of site: Site, in files: ScenarioFiles) throws -> [String: FixtureText] {
        let loaded = files.load(where: Set(site.scenarios).contains)
        let failures = loaded.diagnostics.filter(\.isTransient)
        guard failures.isEmpty else { throw LoadFailure(diagnostics: failures) }
        var texts: [String: FixtureText] = [:]
        for scenario in loaded.scenarios {
            let file = scenario.location.file
            let bytes = try InputFile.bytes(of: file, limit: fixtureLimit)
            var lines: [String: Int] = [:]
            for item in scenario.cases where item.location.file == file { lines[item.name] = item.location.line }
            texts[scenario.id] = FixtureText(file: file, text: String(decoding: bytes, as: UTF8.self), caseLines: lines)
        }
        return texts
    }
}
