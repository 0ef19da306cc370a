internal import ProctorBase
internal import ProctorDocument
internal import ProctorScenario
internal import ProctorServer

/// Checks the fixtures of a server that serves them already, and prints their errors as they are found.
struct LateCheck: Sendable {
    let certificates: CertificateReport
    let output: Output

    func reading(_ files: ScenarioFiles) -> ScenarioReading {
        ScenarioReading(of: files, check: certificates.diagnostics) { [output] in FixtureReport.say($0, output) }
    }

    /// Reads the files that no request asked for, and says how many errors there are in all; ends early when cancelled.
    func run(_ catalogue: Catalogue) async {
        await catalogue.readBehind()
        guard catalogue.isRead else { return }
        FixtureReport.say(certificates.diagnosticsOfProfiles, output)
        let errors = catalogue.broken.flatMap(\.failure.diagnostics) + certificates.diagnosticsOfProfiles
        guard !errors.isEmpty else { return }
        FixtureReport.sayCounts(of: errors, soundCount: catalogue.count - catalogue.broken.count, output)
    }

    /// False when anything that was read until now has errors, which were printed.
    func isSound(_ catalogue: Catalogue) -> Bool {
        let count = catalogue.broken.count
        guard count > 0 || !certificates.diagnosticsOfProfiles.isEmpty else { return true }
        let what =
            count > 0 ? Plural.count(count, "scenario") + " could not be served" : "certificate profiles have errors"
        output.note("\(what), for the errors above; the exit code is 1")
        return false
    }
}
