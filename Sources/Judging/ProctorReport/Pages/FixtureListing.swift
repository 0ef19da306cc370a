import ProctorGrading
import ProctorHTML

/// The listing of a fixture, in which the lines of one case and the lines that were not satisfied are marked.
struct FixtureListing {
    let fixture: FixtureText?
    let item: Report.Item

    var html: HTML {
        guard let fixture else {
            let file: HTML = item.first.file.map { " It was <code>\($0)</code>." } ?? ""
            return "<p>The fixture was not at hand when this page was made.\(file)</p>\n"
        }
        let own = fixture.lines(ofCase: item.id.name)
        let broken = self.broken
        var html: HTML = """
            <p class="soft"><code>\(fixture.file)</code>, as it is on disk when this page is made. \
            ▏ is the case, <span aria-hidden="true">✗</span> asks for what a client did not meet.</p>
            <pre class="fixture" tabindex="0" aria-label="Fixture of \(item.id.scenario)">
            """
        let hidden = fixture.lines.count - FixtureText.lineBound
        for (index, line) in fixture.lines.prefix(FixtureText.lineBound).enumerated() {
            let number = index + 1
            let isBroken = broken.contains(number)
            let isOwn = own?.contains(number) ?? false
            let sign = isBroken ? "✗" : isOwn ? "▏" : " "
            let classes = isBroken ? " class=\"broken\"" : isOwn ? " class=\"own\"" : ""
            html +=
                "<span id=\"L\(number)\"\(HTML(stringLiteral: classes))>\(Self.padded(number)) \(sign) \(line)\n</span>"
        }
        if hidden > 0 { html += "… \(hidden) more lines" }
        return "\(html)</pre>\n"
    }

    /// The lines that findings of failures name, from 1.
    private var broken: Set<Int> {
        let findings = item.records.lazy.compactMap(\.self).flatMap(\.findings)
        return Set(findings.filter { $0.weight == "failure" }.compactMap(\.line))
    }

    private static func padded(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: " ", count: max(0, 4 - text.count)) + text
    }
}
