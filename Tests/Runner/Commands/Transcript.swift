/// The commands of a block `console`, each with what must come of it.
struct Transcript {
    struct Step {
        /// The lines as they stand in the page, with `$ ` and `> `.
        let given: String
        /// What the shell gets, before names are filled in.
        let command: String
        /// What must come, with the marks that ``render(output:errors:status:)`` sets.
        let wanted: String
        let line: Int
    }

    let steps: [Step]

    init(_ block: Block) throws(RowError) {
        var steps: [Step] = []
        var given: [String] = []
        var wanted: [String] = []
        var start = block.line + 1
        func end() {
            guard !given.isEmpty else { return }
            let command = given.map { String($0.dropFirst(2)) }.joined(separator: "\n")
            steps.append(
                Step(given: Self.text(given), command: command, wanted: Self.text(wanted), line: start))
            given = []
            wanted = []
        }
        for (index, line) in block.lines.enumerated() {
            if line.hasPrefix("$ ") {
                end()
                given = [line]
                start = block.line + index + 1
            } else if line.hasPrefix("> "), wanted.isEmpty, !given.isEmpty {
                given.append(line)
            } else if given.isEmpty {
                throw RowError(block.line + index + 1, "a console begins with a command: $ proctor …")
            } else {
                wanted.append(line)
            }
        }
        end()
        self.steps = steps
    }

    /// Standard output, then standard error behind `! `, then the exit code unless it is 0.
    ///
    /// A backslash ends a last line that has no end of its own.
    static func render(output: [UInt8], errors: [UInt8], status: Int32) -> String {
        var text = lines(output, mark: "") + lines(errors, mark: "! ")
        if status > 0 { text += "[exit \(status)]\n" }
        if status < 0 { text += "[signal \(-status)]\n" }
        return text
    }

    private static func lines(_ bytes: [UInt8], mark: String) -> String {
        guard !bytes.isEmpty else { return "" }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let isEnded = lines.last?.isEmpty == true
        if isEnded { lines.removeLast() }
        let last = lines.count - 1
        return text(
            lines.enumerated().map { index, line in
                mark + visible(String(decoding: line, as: UTF8.self)) + (index == last && !isEnded ? "\\" : "")
            })
    }

    /// What moves a cursor is written out, and so is what would look like a command or be lost at the end of a line.
    private static func visible(_ line: String) -> String {
        var text = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "…": text += "\\u2026"
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
                text += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
        if text.hasSuffix(" ") { text = text.dropLast() + "\\x20" }
        return ["$ ", "> ", "! ", "[exit "].contains { text.hasPrefix($0) } ? "\\" + text : text
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
