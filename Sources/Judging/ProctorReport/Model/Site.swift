internal import ProctorBase
package import ProctorGrading
import ProctorHTML

/// The static pages of exams, which load nothing from elsewhere.
package struct Site: Sendable {
    private let report: Report
    private let version: String

    /// `version` is that of Proctor.
    package init(_ exams: [ExamRecord], version: String) {
        report = Report(exams)
        self.version = version
    }

    /// The scenarios whose fixtures the pages show.
    package var scenarios: [String] { report.families.flatMap { $0.scenarios.map(\.id) } }

    package var clients: [ExamHeader] { report.clients.map(\.header) }

    /// Makes all files, one after the other.
    ///
    /// `fixture` returns the file of a scenario, or nil without one.
    package func write(
        fixture: (_ scenario: String) -> FixtureText?, to take: (SiteFile) throws -> Void
    ) rethrows {
        let json = ReportData(report: report, version: version).json
        try take(SiteFile(path: SitePath.style, bytes: PageStyle.ofReports.bytes))
        let scripts = ["report", "timeline"].flatMap { ContainedFile.bytes(of: "Pages/\($0).js") }
        try take(SiteFile(path: SitePath.script, bytes: scripts))
        try take(SiteFile(path: SitePath.scriptData, bytes: ReportData.script(json)))
        try take(IndexPage(report: report).file)
        try take(CausesPage(report: report).file)
        try take(FindPage(report: report).file)
        try take(RulesPage().file)
        for index in report.clients.indices { try take(ClientPage(report: report, index: index).file) }
        for family in report.families {
            try take(FamilyPage(report: report, family: family).file)
            for scenario in family.scenarios {
                let text = fixture(scenario.id)
                for item in scenario.cases { try take(CasePage(report: report, item: item, fixture: text).file) }
            }
        }
        // The last file, whose existence shows that the report is complete.
        try take(SiteFile(path: SitePath.data, bytes: json))
    }
}
