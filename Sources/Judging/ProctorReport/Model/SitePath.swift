import ProctorGrading

/// The paths of a site's files, relative to its folder.
enum SitePath {
    static let index = "index.html"
    static let causes = "causes.html"
    static let find = "find.html"
    static let rules = "rules.html"
    static let style = "report.css"
    static let script = "report.js"
    /// Outcomes and causes of all cases for the script: the content of ``data`` in a call of a function.
    static let scriptData = "data.js"
    /// Outcomes and causes of all cases, for programs.
    package static let data = "report.json"

    static func family(_ name: String) -> String { "family/\(PathSegments.path(name)).html" }

    static func client(_ client: Report.Client) -> String { "client/\(client.slug).html" }

    /// The path of a case's page, in a folder for each scenario, since the names of cases are unique only in their
    /// scenario.
    static func item(_ id: CaseID) -> String {
        "case/\(PathSegments.path(id.scenario))/\(PathSegments.path(id.name)).html"
    }

    /// The relative path from a page to the folder of the site: empty, or `../` for each folder.
    static func way(from page: String) -> String {
        String(repeating: "../", count: page.utf8.count(where: { $0 == UInt8(ascii: "/") }))
    }
}
