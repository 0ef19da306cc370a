internal import ProctorGrading
internal import ProctorScenario

/// HTML whose literal text is markup and whose interpolated values are escaped, so a fixture can't add markup.
struct HTML: ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral markup: String) { text = markup }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ markup: String) { text += markup }

        mutating func appendInterpolation(_ html: HTML) { text += html.text }

        mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

        mutating func appendInterpolation(_ value: some StringProtocol) {
            for scalar in value.unicodeScalars {
                switch scalar {
                case "&": text += "&amp;"
                case "<": text += "&lt;"
                case ">": text += "&gt;"
                case "\"": text += "&quot;"
                case "'": text += "&#39;"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
    }

    static func += (left: inout HTML, right: HTML) { left.text += right.text }

    static func pair(_ name: String, _ value: String) -> HTML { "<dt>\(name)</dt><dd><code>\(value)</code></dd>" }

    /// `address` is a path of the server or an https URL.
    static func link(_ value: String, to address: String) -> HTML { "<a href=\"\(address)\">\(value)</a>" }

    static func kind(_ kind: Case.Kind) -> HTML { "<span class=\"kind \(kind.rawValue)\">\(kind.rawValue)</span>" }

    static func documents(_ documents: [String]) -> HTML {
        guard !documents.isEmpty else { return "" }
        var html: HTML = "<p class=\"soft\">"
        for (index, document) in documents.enumerated() {
            if index > 0 { html += " · " }
            html += SpecLink.address(of: document).map { .link(document, to: $0) } ?? "\(document)"
        }
        return "\(html)</p>"
    }

    func page(title: String) -> BuiltInReply {
        let head: HTML = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark">\
            <title>\(title)</title><style>\(Self.styleSheet)</style></head><body>

            """
        return BuiltInReply(
            status: 200, contentType: "text/html; charset=utf-8", body: "\(head.text)\(text)\n</body></html>\n")
    }
}

extension HTML {
    /// For small screens first, dark and light; nothing is fetched from other hosts.
    private static let styleSheet: HTML = """
        :root { --ink: #1c2330; --soft: #5b6676; --line: #d9dee6; --page: #ffffff; --card: #f5f7fa; --link: #0b5fbe;
          --must: #8a1c3a; --should: #7a4b00; --observes: #2b5d34 }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa5b5; --line: #323a47; --page: #14181f;
          --card: #1d232c; --link: #7db4ff; --must: #ff9bb3; --should: #f3c277; --observes: #9bd3a6 } }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 56rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0 }
        h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line) }
        h3 { font-size: 1rem; margin: 1.4rem 0 0.3rem }
        a { color: var(--link); text-decoration: none }
        a:hover, a:focus { text-decoration: underline }
        p { margin: 0.4rem 0 }
        .soft { color: var(--soft) }
        nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 1rem 0 }
        ul { list-style: none; margin: 0; padding: 0 }
        li { padding: 0.55rem 0; border-bottom: 1px solid var(--line) }
        li:last-child { border-bottom: 0 }
        li p { margin: 0.1rem 0 0 }
        .id { font-weight: 600 }
        .kind { font-size: 0.8rem; border: 1px solid currentColor; border-radius: 0.6rem; padding: 0 0.5rem;
          margin-left: 0.4rem; white-space: nowrap }
        .must { color: var(--must) } .should { color: var(--should) } .observes { color: var(--observes) }
        pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9rem }
        pre { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.6rem 0.8rem;
          margin: 0.4rem 0; white-space: pre-wrap }
        pre.copy { user-select: all; -webkit-user-select: all }
        button { font: inherit; color: var(--link); background: var(--card); border: 1px solid var(--line);
          border-radius: 0.4rem; padding: 0.3rem 0.8rem; cursor: pointer }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0.4rem 0 }
        dt { color: var(--soft) } dd { margin: 0 }
        """
}
