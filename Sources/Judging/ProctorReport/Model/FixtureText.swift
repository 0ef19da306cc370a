/// A fixture's file as it is on disk when the report is made.
package struct FixtureText: Sendable {
    package let file: String
    let lines: [String]
    /// The lines of each case, from 1.
    private let caseLines: [String: ClosedRange<Int>]

    /// The most lines of a file on a page.
    static let lineBound = 2_000

    /// `caseLines` are the lines with the names of cases, from 1.
    package init(file: String, text: String, caseLines: [String: Int]) {
        self.file = file
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.lines = lines.last?.isEmpty == true ? lines.dropLast() : lines
        self.caseLines = caseLines.compactMapValues { [lines = self.lines] in Self.block(at: $0, in: lines) }
    }

    func lines(ofCase name: String) -> ClosedRange<Int>? {
        // A case run as a download has the lines of the case itself.
        caseLines[name] ?? caseLines[String(name.prefix { $0 != "@" })]
    }

    /// The line, and the lines after it that are indented more.
    private static func block(at line: Int, in lines: [String]) -> ClosedRange<Int>? {
        guard lines.indices.contains(line - 1) else { return nil }
        let own = indentation(lines[line - 1])
        var end = line
        for (index, text) in lines.enumerated().dropFirst(line) {
            if text.allSatisfy({ $0 == " " || $0 == "\r" }) { continue }
            guard indentation(text) > own else { break }
            end = index + 1
        }
        return line...end
    }

    private static func indentation(_ line: String) -> Int { line.utf8.prefix { $0 == 0x20 }.count }
}
