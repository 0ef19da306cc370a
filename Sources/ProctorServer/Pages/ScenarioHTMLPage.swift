internal import ProctorBase
internal import ProctorEvents
import ProctorNotation
internal import ProctorScenario

/// One scenario for a browser: its exchanges, its cases, and lines to copy.
struct ScenarioHTMLPage: Sendable {
    let scenario: Scenario
    let place: PlaceOfScenario

    var reply: BuiltInReply {
        BuiltInReply(status: 200, contentType: "text/html; charset=utf-8", body: html)
    }

    private var html: String {
        HTMLText.page(title: "\(scenario.id) · Proctor") { html in
            html.raw("<p>")
            html.link(to: "/", "all scenarios")
            html.raw("</p>\n")
            html.element("h1", scenario.summary)
            html.raw("<dl>")
            pair("id", scenario.id, &html)
            pair("stands at", place.base + "/", &html)
            if let proxy = place.namesProxy { pair("by the proxy", "http://\(proxy)", &html) }
            pair("file", scenario.location.file, &html)
            html.raw("</dl>")
            html.documents(scenario.spec)
            if let reason = scenario.rootReason {
                html.element("p", class: "soft", "It has ports of its own: \(reason.text).")
            }
            exchanges(&html)
            if let remark = scenario.turnsRemark { reset(remark, &html) }
            html.raw("<h2>Cases</h2>\n")
            for item in scenario.cases { section(item, &html) }
        }
    }

    /// How to come back to the first reply.
    private func reset(_ remark: String, _ html: inout HTMLText) {
        html.element("p", class: "soft", "\(remark).")
        guard !place.wantsToken else {
            html.element("pre", class: "copy", place.resetLine(scenario))
            return
        }
        html.raw("<form method=\"post\" action=\"")
        html.escaped("\(ControlCall.prefix)/standing/\(scenario.id)/reset")
        html.raw("\"><button>Begin again</button></form>\n")
    }

    private func pair(_ name: String, _ value: String, _ html: inout HTMLText) {
        html.element("dt", name)
        html.raw("<dd>")
        html.element("code", value)
        html.raw("</dd>")
    }

    private func exchanges(_ html: inout HTMLText) {
        html.raw("<h2>Exchanges</h2>\n<ul>\n")
        for exchange in scenario.exchanges {
            html.raw("<li>")
            html.element("code", exchange.request.text)
            html.raw("<p class=\"soft\">")
            if scenario.origins.count > 1 { html.escaped("at \(scenario.origins[exchange.origin].name): ") }
            html.escaped(exchange.replies.map(\.title).joined(separator: ", then "))
            html.raw("</p></li>\n")
        }
        html.raw("</ul>\n")
    }

    private func section(_ item: Case, _ html: inout HTMLText) {
        html.raw("<h3>")
        html.escaped(item.name)
        html.kind(item.kind)
        html.raw("</h3>\n")
        if let summary = item.summary { html.element("p", summary) }
        let line = CurlLine(steps: item.client, scenario: scenario, place: place)
        html.element("pre", class: "copy", line.text)
        if let shortfall = line.shortfall { html.element("p", class: "soft", "Not quite: \(shortfall).") }
        html.raw("<dl>")
        pair("about", item.subjectText, &html)
        let needs = Ability.allCases.filter(item.needs.contains).map(\.rawValue)
        if !needs.isEmpty { pair("needs", needs.joined(separator: ", "), &html) }
        let applies = Ability.allCases.filter(item.applies.contains).map(\.rawValue)
        if !applies.isEmpty { pair("applies", applies.joined(separator: ", "), &html) }
        if let wire = item.wire { pair("wire", wire.text.trimmedLines, &html) }
        if let cookies = item.cookies { pair("cookies", cookies.text, &html) }
        for (lane, notation) in item.lanes.sorted(by: { $0.key < $1.key }) {
            pair(lane, notation.text.trimmedLines, &html)
        }
        html.raw("</dl>\n")
    }
}

extension Reply {
    /// `302 Found`, `raw bytes`, `effects alone`.
    fileprivate var title: String {
        switch message {
        case nil: "effects alone"
        case .raw: "raw bytes"
        case .forward: "handed on"
        case .structured(let reply): "\(reply.status)\(reply.reason.map { " \($0)" } ?? "")"
        }
    }
}
