internal import ProctorBase
import ProctorGrading
import ProctorHTML
internal import ProctorScenario

/// How many of the judged cases a client passed.
struct Share: Sendable {
    private(set) var judged = 0
    private(set) var failed = 0

    /// Counts the records of one client; `kind` nil: those of all kinds that bind.
    init(_ records: some Sequence<CaseRecord>, kind: Case.Kind? = nil) {
        for record in records where kind == nil ? record.kind != .observes : record.kind == kind {
            let counts = OutcomeCounts(CollectionOfOne(record.outcome))
            judged += counts.judged
            failed += counts.failed
        }
    }

    /// The passed cases of a hundred, rounded down, so that 100 means all; nil where none was judged.
    var percent: Int? { judged == 0 ? nil : (judged - failed) * 100 / judged }

    /// The class of its colour in the style sheet.
    var tone: String {
        guard let percent else { return "s0" }
        return switch percent {
        case 100: "s5"
        case 95...: "s4"
        case 80...: "s3"
        case 50...: "s2"
        default: "s1"
        }
    }
}

/// Clients and folders of scenarios, with the share of passed cases in each cell, in three readings: of all cases, the musts and the
/// shoulds.
struct MatrixTable {
    let board: Board
    /// The folder whose folders are the columns; empty: the first segments of all scenarios.
    let folder: String
    /// From the page with the table to the folder of the site.
    let way: String

    var html: HTML {
        let columns = board.children(of: folder).map { (name: $0, items: board.items(in: $0)) }
        let all = columns.flatMap(\.items)
        let heads = columns.joined { column in
            let short = column.name.split(separator: "/").last.map(String.init) ?? column.name
            return "<th scope=\"col\"><a href=\"\(way)\(MatrixPath.family(column.name, of: board))\">\(short)</a></th>"
        }
        let rows = board.order.joined { client -> HTML in
            let page = way + MatrixPath.client(client, of: board)
            let header = board.report.clients[client].header
            let cells = columns.joined { column in
                let anchor = column.name.prefix { $0 != "/" }
                return Self.cell(column.items.compactMap { $0.records[client] }, to: "\(page)#\(anchor)")
            }
            return """
                <tr><th scope="row"><a href="\(page)">\(header.client)</a> <small>\(header.clientVersion ?? "")</small></th>\
                \(Self.cell(all.compactMap { $0.records[client] }, to: page))\(cells)</tr>

                """
        }
        let caption = "\(board.name): of a hundred cases, how many each client passed"
        return """
            <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table class="shares"><caption>\(caption)\
            </caption><thead><tr><th scope="col">client</th><th scope="col">all</th>\(heads)</tr></thead><tbody>
            \(rows)</tbody></table></div>

            """
    }

    private static func cell(_ records: [CaseRecord], to page: String) -> HTML {
        guard Share(records).percent != nil else { return "<td>–</td>" }
        return "<td><a href=\"\(page)\">\(figures(records))</a></td>"
    }

    /// The percentages of all cases, of the musts and of the shoulds, one of which the style sheet shows.
    static func figures(_ records: [CaseRecord]) -> HTML {
        func number(_ share: Share) -> String { share.percent.map(String.init) ?? "–" }
        let (all, must, should) = (Share(records), Share(records, kind: .must), Share(records, kind: .should))
        return """
            <b class="\(all.tone)">\(number(all))</b><i class="\(must.tone)">\(number(must))</i>\
            <u class="\(should.tone)">\(number(should))</u>
            """
    }

    /// What chooses the cases that are counted; the style sheet does what they say, and the script keeps it in the address.
    static let kinds: HTML = """
        <fieldset class="choice"><legend>count</legend>\
        <label><input type="radio" name="kind" id="k-all" checked> all</label> \
        <label><input type="radio" name="kind" id="k-must"> must</label> \
        <label><input type="radio" name="kind" id="k-should"> should</label></fieldset>
        """

    /// The meaning of the colours.
    static let legend: HTML = """
        <p class="tones soft">passed: <b class="s5">100</b> <b class="s4">95–99</b> <b class="s3">80–94</b> <b class="s2">50–79</b> \
        <b class="s1">0–49</b> <span>– not asked, or not judged</span></p>
        """
}
