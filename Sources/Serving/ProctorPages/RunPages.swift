internal import ProctorBase
internal import ProctorGrading
import ProctorHTML
internal import ProctorHTTP
internal import ProctorJournal
import ProctorReplies
import ProctorScenario
import ProctorServer
internal import ProctorServing

/// The pages about runs.
///
/// Where a token is needed, a page comes without it and says nothing of a run: its script asks for the token and makes
/// the calls of the control API with it. Otherwise a page has what is known when it is made, also without JavaScript.
struct RunPages {
    private let api: ControlAPI
    private let frame: PageFrame

    static func calls(in frame: PageFrame) -> [ControlCall] {
        [
            ControlCall("GET", "ui/runs", for: .readers) { _ in
                { _ in frame.page(PageContent(listMain, title: "Runs · Proctor", scripts: ["runs.js"], isWide: true)) }
            },
            ControlCall("GET", "ui/shared", for: .readers) { api in
                { _ in
                    let about: HTML = "<h1>Shared port</h1>\(sharedFacts)"
                    return RunPages(api: api, frame: frame).page(of: nil, beginning: about, title: "Shared port")
                }
            },
            ControlCall("GET", "ui/runs/RUN", for: .readers) { api in
                { request throws(ControlError) in try await RunPages(api: api, frame: frame).pageOfRun(request) }
            },
            // From a form: `?scenario=ID`.
            ControlCall("POST", "ui/start", for: .callers) { api in
                { request throws(ControlError) in
                    let run = try await api.startRun(of: request.query["scenario"] ?? "")
                    return PageAddress.redirect(to: PageAddress.run(run.id))
                }
            },
            ControlCall("POST", "ui/runs/RUN/reset", for: .callers) { api in
                { request throws(ControlError) in
                    _ = try api.reset(request)
                    return PageAddress.redirect(to: PageAddress.run(request.id))
                }
            },
            ControlCall("POST", "ui/runs/RUN/delete", for: .callers) { api in
                { request throws(ControlError) in
                    _ = try await api.delete(request)
                    return PageAddress.redirect(to: PageAddress.runs)
                }
            },
        ]
    }

    private static let listMain: HTML = """
        <h1>Runs</h1>
        <p>Each run has ports, turns and a journal of its own. A scenario below the shared port is a run from its first \
        request on.</p>
        <form id="create" class="bar"><label>Scenario <input name="scenario" list="scenarios" autocomplete="off" \
        required placeholder="plain/get"></label><datalist id="scenarios"></datalist>\
        <button type="submit">Start a run</button></form>
        <div id="state" role="status"></div>
        <div id="runs"><noscript><p>The list is kept up to date by a script. \
        <a href="/__proctor/overview">The same as JSON</a></p></noscript></div>
        """

    private static let sharedFacts: HTML = """
        <p>Connections to the shared port, and its requests that belong to no scenario: pages, control calls, and what \
        asks for nothing that stands here.</p>
        """

    private func pageOfRun(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let id = request.id
        guard !api.wantsToken else {
            return page(of: id, beginning: Self.beginning("A run", told: ""), title: "A run")
        }
        let run = try api.find(request)
        let still = StillRun(of: run, case: request.query["case"], hasBook: frame.pages.haveBook)
        let view = await WorkThreads.streaming.run(within: .ofInput) { _ in still.view }
        let summary: HTML = "<p class=\"lead\">\(run.scenario.summary)</p>"
        return page(
            of: id, scenario: run.scenario.id, beginning: Self.beginning(view.heading, told: view.told, summary),
            still: view.requests, waiting: Self.waiting(for: run, isOver: still.hasBegun), end: Self.facts(of: run),
            title: view.title)
    }

    /// The verdict, which scripts keep up to date.
    private static func beginning(_ heading: HTML, told: HTML, _ summary: HTML = "") -> HTML {
        "<h1 id=\"heading\">\(heading)</h1><div id=\"told\">\(told)</div>\(summary)"
    }

    /// Where the run stands, and what can be done with it.
    private static func facts(of run: Run) -> HTML {
        let address = PageAddress.run(run.id)
        var html: HTML = "<h2>This run</h2><dl>\(HTML.pair("run", run.id))\(HTML.pair("stands at", run.base + "/"))"
        html += .pair("seed", String(run.seed))
        if let proxy = run.namesProxy { html += .pair("names by the proxy", "http://\(proxy)") }
        if let life = run.lifeSeconds { html += .pair("forgotten after", "\(life) s without activity") }
        html += "</dl><div class=\"bar\" id=\"actions\"><form method=\"post\" action=\"\(address)/reset\">"
        html += "<button>Begin again</button></form>"
        if !run.isStanding {
            html += "<form method=\"post\" action=\"\(address)/delete\"><button>Delete</button></form>"
        }
        return "\(html)</div>"
    }

    /// What to type while no request has come; hidden once one has.
    private static func waiting(for run: Run, isOver: Bool) -> HTML {
        let hidden: HTML = isOver ? " hidden" : ""
        let (what, line) =
            webSocket(of: run).map { ("Open a WebSocket at this address", $0) }
            ?? ("Send a request", firstCommand(of: run))
        return """
            <div id="waiting"\(hidden)><p>Nothing has come yet. \(what), and it stands here at once:</p>
            <pre class="copy" tabindex="0" aria-label="How to begin">\(line)</pre></div>
            """
    }

    /// The address of the first WebSocket, where the first case opens one, or where nothing else is answered.
    private static func webSocket(of run: Run) -> String? {
        let scenario = run.scenario
        guard let exchange = scenario.exchanges.first(where: \.opensWebSocket),
            scenario.cases.first?.opensWebSocket ?? scenario.exchanges.allSatisfy(\.opensWebSocket),
            exchange.request.targetText.hasPrefix("/")
        else { return nil }
        // `http` becomes `ws`, and `https` becomes `wss` (RFC 6455 §3).
        return "ws" + run.url(ofOrigin: exchange.origin).dropFirst(4) + exchange.request.targetText
    }

    /// A line of curl for the first case, or for the first exchange where there is no case.
    private static func firstCommand(of run: Run) -> String {
        if let item = run.scenario.cases.first {
            return CurlLine(
                steps: item.client, scenario: run.scenario, place: PlaceOfScenario(of: run),
                speaksHTTP2: item.asked(inRunOf: run.wantedProtocol).speaksHTTP2
            ).text
        }
        let request = run.scenario.exchanges.first?.request
        let methods = (request?.methods ?? []).map { String(decoding: $0, as: UTF8.self) }
        let method = methods.isEmpty || methods.contains("GET") ? "" : "-X \(methods[0]) "
        let target = request.map(\.targetText).flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/"
        return "curl -i \(method)\(run.base)\(target)"
    }

    private func page(
        of run: String?, scenario: String = "", beginning: HTML, still: HTML = "", waiting: HTML = "", end: HTML = "",
        title: String
    ) -> BuiltInReply {
        let main: HTML = """
            <div id="page" data-run="\(run ?? "")" data-scenario="\(scenario)">\(beginning)\(waiting)\
            <div id="state" role="status"></div><div id="still">\(still)</div><div id="live"></div>\
            <div id="facts">\(end)</div></div>
            """
        return frame.page(
            PageContent(main, title: "\(title) · Proctor", scripts: ["run.js", "actions.js"], isWide: true))
    }
}

extension Exchange {
    fileprivate var opensWebSocket: Bool {
        replies.contains { reply in
            (reply.opaque ?? []).contains { if case .webSocket = $0 { true } else { false } }
        }
    }
}
