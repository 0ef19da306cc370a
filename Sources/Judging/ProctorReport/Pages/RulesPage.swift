internal import ProctorEvents
import ProctorHTML
internal import ProctorRules

/// The page of the rules of callback order that findings name.
struct RulesPage {
    var file: SiteFile {
        let page = SitePage(path: SitePath.rules, title: "Rules of callback order")
        let html: HTML = """
            <h1>Rules of callback order</h1>
            <p>They bind clients with the callbacks of Foundation's URL loading. <code>proctor docs R12</code> leads to the
            chapter of one.</p>
            \(Rules.all.joined(section))
            """
        return page.file(html)
    }

    private func section(about rule: Rule) -> HTML {
        """
        <h2 id="\(rule.number.description)">\(rule.number.description) \(rule.title)</h2>
        <p>\(rule.statement)</p>\
        <dl>\(HTML.pair("source", rule.source))\(HTML.pair("confidence", rule.confidence.rawValue))</dl>

        """
    }
}
