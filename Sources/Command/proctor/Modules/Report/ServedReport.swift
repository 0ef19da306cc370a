internal import ProctorBase
internal import ProctorHTML
internal import ProctorReplies
internal import ProctorReport
internal import ProctorServer

/// The report of an exam beside the catalogue: its marks, and its pages from their folder.
struct ServedReport: CatalogueMarks {
    private let folder: String
    private let index: ReportIndex

    /// The most bytes of a file of a report.
    private static let limit = 64 << 20

    /// The way to a page begins at the catalogue.
    private static let wayBack = Array("<li><a href=\"/\">scenarios</a></li>".utf8)

    /// Why a folder has no report, a sentence.
    struct Fault: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Reads the marks; the pages are read when they are asked for.
    init(folder: String) throws(Fault) {
        self.folder = folder
        let path = "\(folder)/\(ReportIndex.file)"
        guard let bytes = OpenFile.content(of: path, upTo: Self.limit, followsLinks: false) else {
            throw Fault(
                description: "\(folder) has no report: \(ReportIndex.file) can't be read; "
                    + "'proctor report html \(folder) FILE' makes one")
        }
        do throws(ReportIndex.Fault) {
            index = try ReportIndex(parsing: bytes)
        } catch {
            throw Fault(description: "\(path) is no data of a report: \(error.sentence)")
        }
    }

    // MARK: Marks

    /// A paragraph for the top of the catalogue.
    var introduction: HTML {
        let clients = Plural.count(index.clients.count, "client")
        return """
            <p>The marks beside the scenarios are those of \
            \(.link("the last exam", to: ReportPlace.prefix + ReportIndex.firstPage)), which \(clients) sat.</p>
            """
    }

    /// For each binding kind who failed cases of the scenario and how many, and how many clients passed.
    func marks(of scenario: String) -> HTML {
        let lines = index.lines(of: scenario)
        guard !lines.isEmpty else { return "" }
        var html: HTML = "<p>"
        for line in lines {
            html += "<span class=\"soft\">\(line.kind)</span> "
            for (client, count) in line.failed {
                html += "<span class=\"mark bad\">✗ \(client) \(count)</span> "
            }
            if line.passedCount > 0 { html += "<span class=\"mark good\">✓ \(line.passedCount)</span> " }
        }
        let page = ReportPlace.prefix + ReportIndex.path(of: scenario)
        return "\(html)<a href=\"\(page)\" aria-label=\"marks of \(scenario)\">marks</a></p>"
    }

    // MARK: Pages

    /// A file of the report; blocks while it is read.
    func reply(to page: [UInt8]) -> BuiltInReply {
        let page = page.isEmpty ? Array(ReportIndex.firstPage.utf8) : page
        guard let name = Self.file(page),
            var bytes = OpenFile.content(of: "\(folder)/\(name)", upTo: Self.limit, followsLinks: false)
        else {
            return BuiltInReply(status: 404, body: "the report has no \(EscapedText.escape(page, limit: 300))\n")
        }
        if name.hasSuffix(".html"), let trail = bytes.firstRange(ofBytes: ReportIndex.trail) {
            bytes.insert(contentsOf: Self.wayBack, at: trail.upperBound)
        }
        return BuiltInReply(status: 200, contentType: Self.contentType(of: name), bytes: bytes)
    }

    /// The name as pages of a report have them; nil for any other, as one that leaves the folder.
    private static func file(_ page: [UInt8]) -> String? {
        let segments = page.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = segments.allSatisfy { segment in
            guard let first = segment.first, first != UInt8(ascii: ".") else { return false }
            return segment.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._@".utf8.contains($0) }
        }
        return isPlain ? String(decoding: page, as: UTF8.self) : nil
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        default: "text/plain; charset=utf-8"
        }
    }
}
