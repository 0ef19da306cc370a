import Testing

/// The fenced blocks of a Markdown file: what to run, and what must come.
struct ShellDocument {
    struct Step {
        let script: String
        /// `…` stands for anything within a line; nil when nothing is said.
        let wanted: String?
        /// Of the script's first line in the file, from 1.
        let line: Int
    }

    private(set) var steps: [Step] = []

    init(_ text: String) throws {
        var fence: (kind: String, line: Int)?
        var content: [Substring] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("```") else {
                content.append(line)
                continue
            }
            if let open = fence {
                let block = content.joined(separator: "\n")
                if open.kind == "sh" { steps.append(Step(script: block, wanted: nil, line: open.line)) }
                if open.kind == "output" {
                    let last = steps.popLast()
                    let step = try #require(last)
                    try #require(step.wanted == nil)
                    steps.append(Step(script: step.script, wanted: block + "\n", line: step.line))
                }
                fence = nil
            } else {
                fence = (String(line.dropFirst(3)), index + 2)
            }
            content = []
        }
        try #require(fence == nil)
    }

    /// Whether every line is as wanted.
    static func matches(_ text: String, _ wanted: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let patterns = wanted.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count == patterns.count && zip(lines, patterns).allSatisfy { matchesLine($0, $1) }
    }

    private static func matchesLine(_ line: Substring, _ pattern: Substring) -> Bool {
        let pieces = pattern.split(separator: "…", omittingEmptySubsequences: false)
        guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return line == pattern }
        guard line.hasPrefix(first) else { return false }
        var rest = line.dropFirst(first.count)
        for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
            guard let range = rest.firstRange(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
