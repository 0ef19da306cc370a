internal import ProctorBase
package import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// What clients did, for a site to look at: a table of clients and families for each board, and below it pages of families, with what
/// each client did in each case, and pages of clients, with what each failed.
///
/// A board has the exams of one protocol, or of one kind of clients. Who crashed or hung is counted, and not told with the case.
package struct Matrix: Sendable {
    let boards: [Board]
    private let version: String

    /// `exams` are those of each board by its name; `version` is that of Proctor.
    package init(_ exams: [(name: String, exams: [ExamRecord])], version: String) {
        var slugs = PathSegments(reserved: [])
        boards = exams.map { Board(name: $0.name, slug: slugs.segment(for: $0.name), exams: $0.exams) }
        self.version = version
    }

    /// The most bytes of all pages, which is what free places for static pages take.
    package static let byteLimit = 256 << 20

    /// The pages would be more than a site may have.
    package struct Excess: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes all files, one after the other; returns the number of their bytes, and throws ``Excess`` before the file that is too much.
    package func write(to take: (SiteFile) throws -> Void) throws -> Int {
        var byteCount = 0
        func writeFile(_ file: SiteFile) throws {
            byteCount += file.bytes.count
            guard byteCount <= Self.byteLimit else {
                throw Excess(
                    description: "the pages would have more than \(Self.byteLimit >> 20) MiB, which is the limit; "
                        + "give fewer clients, or fewer families")
            }
            try take(file)
        }
        try writeFile(SiteFile(path: MatrixPath.style, bytes: PageStyle.ofMatrix.bytes))
        try writeFile(SiteFile(path: MatrixPath.script, bytes: ContainedFile.bytes(of: "Pages/matrix.js")))
        try writeFile(MatrixIndexPage(boards: boards, version: version).file)
        for board in boards {
            for client in board.report.clients.indices {
                try writeFile(MatrixClientPage(board: board, client: client).file)
            }
            for folder in board.folders { try writeFile(MatrixFamilyPage(board: board, folder: folder).file) }
        }
        return byteCount
    }
}

/// The exams of one board, arranged.
struct Board: Sendable {
    let name: String
    /// The segment of its pages' paths.
    let slug: String
    let report: Report
    /// The clients by how many cases they were judged in; Proctor's own stand last.
    let order: [Int]
    /// Each folder that scenarios or other folders stand in, parents first.
    let folders: [String]

    init(name: String, slug: String, exams: [ExamRecord]) {
        (self.name, self.slug) = (name, slug)
        let report = Report(exams)
        self.report = report
        let items = report.items
        let keys = report.clients.indices.map { client in
            let isOwn = (report.clients[client].header.clientName ?? "").hasPrefix("proctor-")
            let counts = OutcomeCounts(items.compactMap { $0.records[client] }.map(\.outcome))
            return (isOwn ? 1 : 0, -counts.judged, client)
        }
        order = keys.sorted { $0 < $1 }.map(\.2)
        var folders: Set<String> = []
        for family in report.families {
            let segments = family.name.split(separator: "/")
            for count in 1...max(1, segments.count) { folders.insert(segments.prefix(count).joined(separator: "/")) }
        }
        self.folders = folders.sorted(by: Self.isLookedForBefore)
    }

    /// The folders directly in a folder, or the first segments of all scenarios where `folder` is empty.
    func children(of folder: String) -> [String] {
        let depth = folder.isEmpty ? 1 : folder.split(separator: "/").count + 1
        return folders.filter {
            $0.split(separator: "/").count == depth && (folder.isEmpty || $0.hasPrefix("\(folder)/"))
        }
    }

    /// The cases of a folder and of those below it.
    func items(in folder: String) -> [Report.Item] {
        report.families.filter { $0.name == folder || $0.name.hasPrefix("\(folder)/") }.flatMap(\.cases)
    }

    /// What most people look for first stands before the others.
    private static func isLookedForBefore(_ left: String, _ right: String) -> Bool {
        func rank(_ name: String) -> Int { FamilySummary.rank(of: String(name.prefix { $0 != "/" })) ?? .max }
        return (rank(left), left) < (rank(right), right)
    }
}

/// The paths of the files of a ``Matrix``, relative to its folder.
enum MatrixPath {
    static let style = "matrix.css"
    static let script = "matrix.js"

    static func family(_ folder: String, of board: Board) -> String {
        "family/\(board.slug)/\(PathSegments.path(folder)).html"
    }

    static func client(_ client: Int, of board: Board) -> String {
        "client/\(board.slug)/\(board.report.clients[client].slug).html"
    }

    /// The id of a scenario on the page of its family.
    static func anchor(of scenario: String) -> String {
        "s-" + PathSegments.path(scenario.split(separator: "/").last.map(String.init) ?? scenario)
    }
}
