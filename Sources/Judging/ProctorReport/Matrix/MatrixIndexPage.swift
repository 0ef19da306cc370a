internal import ProctorBase
import ProctorGrading
import ProctorHTML

/// The first page: the table of each board, of which one is shown.
struct MatrixIndexPage {
    let boards: [Board]
    let version: String

    var file: SiteFile {
        let page = SitePage.ofMatrix(path: SitePath.index, title: "What HTTP clients do")
        let choices = boards.enumerated().joined { index, board in
            let checked: HTML = index == 0 ? " checked" : ""
            let count = board.report.clients.count
            return """
                <label><input type="radio" name="board" id="p-\(board.slug)" value="\(board.slug)"\(checked)> \(board.name) \
                <small>\(count)</small></label> 
                """
        }
        // The style of a choice names its board, which the style sheet cannot know.
        let rules = boards.map { board in
            // Of what a slug may have, a selector takes these for more than letters.
            let slug = board.slug.map { ".@".contains($0) ? "\\\($0)" : "\($0)" }.joined()
            return ":root:has(#p-\(slug):checked) .board:not(#b-\(slug)) { display: none }"
        }
        let tables = boards.joined { board in
            "<section class=\"board\" id=\"b-\(board.slug)\">\(MatrixTable(board: board, folder: "", way: "").html)</section>\n"
        }
        return page.file(
            """
            <style>\(rules.joined(separator: " "))</style>
            <h1>What HTTP clients do</h1>
            <div class="choices"><fieldset class="choice"><legend>over</legend>\(choices)</fieldset>\(MatrixTable.kinds)</div>
            \(tables)\(MatrixTable.legend)\(about)
            """)
    }

    private var about: HTML {
        let clients = Set(boards.flatMap { $0.report.clients.map(\.name) }).count
        let cases = Set(boards.flatMap { $0.report.items.map(\.id) }).count
        return """
            <h2>What this is</h2>
            <p>\(Plural.count(clients, "client")) and \(Plural.count(cases, "case")). A <em>must</em> comes from a MUST of the section that \
            its case cites, a <em>should</em> from a SHOULD. A number is a share: of a hundred cases that judged the client, how many it passed; \
            what it lacks, such as a cookie jar, is not counted. A client's name leads to what it failed, a family's name to its scenarios, \
            each with what every client did, its section, and the command that repeats it. Proctor \(version) made these pages of records of exams.</p>

            """
    }
}

extension SitePage {
    /// A page of a ``Matrix``.
    static func ofMatrix(path: String, title: String, above: [(name: String, path: String)] = []) -> SitePage {
        SitePage(
            path: path, title: title, above: above, scripts: [MatrixPath.script], isWide: true, style: MatrixPath.style,
            root: "matrix", pages: [])
    }
}
