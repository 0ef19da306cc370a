internal import ProctorBase
import ProctorHTML

/// The file of a scenario with a link target for each line, its keys and comments marked.
struct FixtureLines {
    let text: String

    var html: HTML {
        var html: HTML = "<pre class=\"fixture\" tabindex=\"0\" aria-label=\"The fixture\">"
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        for (index, line) in lines.enumerated() {
            html +=
                "<span id=\"L\(index + 1)\"><a href=\"#L\(index + 1)\">\(index + 1)</a>  \(Self.marked(line))\n</span>"
        }
        return "\(html)</pre>\n"
    }

    /// The key at the beginning of a line of YAML, or a comment, marked.
    private static func marked(_ line: Substring) -> HTML {
        let content = line.drop { $0 == " " || $0 == "-" }
        if content.first == "#" { return "<span class=\"comment\">\(line)</span>" }
        let key = content.prefix { $0.isLetter || $0.isNumber || "._-|@/".contains($0) }
        guard !key.isEmpty, content.dropFirst(key.count).first == ":" else { return "\(line)" }
        let start = line.prefix(line.count - content.count)
        return "\(start)<span class=\"key\">\(key)</span>\(content.dropFirst(key.count))"
    }
}
