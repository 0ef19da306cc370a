internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorServer

/// Checks the fixtures of a server while it serves them, and prints errors as they are found.
struct LateCheck: Sendable {
    let certificates: CertificateReport
    let output: Output

    func reading(_ files: ScenarioFiles) -> ScenarioReading {
        ScenarioReading(of: files, check: certificates.diagnostics) { [output] in FixtureReport.print($0, output) }
    }

    /// Reads the files that no request has needed, and prints the number of all errors; ends early when cancelled.
    ///
    /// What the machine had nothing left for is read again, after longer and longer pauses.
    func run(_ catalogue: Catalogue) async {
        await catalogue.readBehind()
        await catalogue.readPostponed { (try? await Task.sleep(for: $0)) != nil }
        guard catalogue.isRead else { return }
        FixtureReport.print(certificates.diagnosticsOfProfiles, output)
        let errors = catalogue.broken.flatMap(\.failure.diagnostics) + certificates.diagnosticsOfProfiles
        guard !errors.isEmpty else { return }
        FixtureReport.sayCounts(of: errors, soundCount: catalogue.count - catalogue.broken.count, output)
    }

    /// Whether the files read so far have no errors; errors were printed.
    func isSound(_ catalogue: Catalogue) -> Bool {
        let count = catalogue.broken.count
        guard count > 0 || !certificates.diagnosticsOfProfiles.isEmpty else { return true }
        let what =
            count > 0 ? Plural.count(count, "scenario") + " could not be served" : "certificate profiles have errors"
        output.message("\(what), for the errors above; the exit code is 1")
        return false
    }
}
