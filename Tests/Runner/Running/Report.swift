/// What a person reads of a row that failed.
enum Report {
    /// `FAIL path:line name`, and for each block what was wanted and what came.
    static func failure(_ result: Suite.Result) -> String {
        var text = "FAIL \(result.row.path):\(result.row.line) \(result.row.name)\n"
        if let trouble = result.trouble { text += "  \(result.row.path):\(trouble.line): \(trouble)\n" }
        for mismatch in result.mismatches {
            let line = mismatch.block.line + (mismatch.lineInBlock.map { $0 + 1 } ?? 0)
            text += "  \(result.row.path):\(line): \(mismatch.block.name)\n"
            text += difference(wanted: mismatch.wanted, got: mismatch.got)
        }
        return text
    }

    /// The lines of both, from the first that differs on, with two before it; at most 60 of each.
    private static func difference(wanted: String, got: String) -> String {
        let wantedLines = lines(wanted)
        let gotLines = lines(got)
        var same = 0
        while same < wantedLines.count, same < gotLines.count, wantedLines[same] != "…",
            LinePattern(wantedLines[same]).matches(gotLines[same])
        { same += 1 }
        var text = ""
        for line in wantedLines[max(0, same - 2)..<same] { text += "      \(line)\n" }
        for line in wantedLines[same...].prefix(60) { text += "    - \(line)\n" }
        for line in gotLines[same...].prefix(60) { text += "    + \(line)\n" }
        if gotLines.count <= same { text += "    + (nothing more came)\n" }
        return text
    }

    private static func lines(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }
}
