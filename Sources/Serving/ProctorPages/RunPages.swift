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
                { _ in RunPages(api: api, frame: frame).page(of: nil, facts: sharedFacts, title: "Shared port") }
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
        guard !api.wantsToken else { return page(of: id, facts: "", title: id) }
        let run = try api.find(request)
        var facts: HTML = """
            <dl>\(HTML.pair("stands at", run.base + "/"))\(HTML.pair("seed", String(run.seed)))
            """
        if let proxy = run.namesProxy { facts += .pair("names by the proxy", "http://\(proxy)") }
        if let life = run.lifeSeconds { facts += .pair("forgotten after", "\(life) s without activity") }
        facts += "</dl>"
        let still = StillRun(of: run, case: request.query["case"], hasBook: frame.pages.haveBook)
        let view = await WorkThreads.streaming.run(within: .ofInput) { _ in still.html }
        return page(
            of: id, scenario: run.scenario, isStanding: run.isStanding, facts: facts, still: view,
            waiting: Self.waiting(for: run, isOver: still.hasBegun), title: id)
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
        of run: String?, scenario: Scenario? = nil, isStanding: Bool = false, facts: HTML, still: HTML = "",
        waiting: HTML = "", title: String
    ) -> BuiltInReply {
        var main: HTML = "<div id=\"page\" data-run=\"\(run ?? "")\">"
        if let run {
            main += "<h1>Run \(run)</h1>"
            if let scenario {
                main += "<p class=\"lead\">\(.link(scenario.id, to: "/\(scenario.id)")) · \(scenario.summary)</p>"
            }
        } else {
            main += "<h1>\(title)</h1>"
        }
        main += "<div id=\"facts\">\(facts)</div>"
        if let run, scenario != nil {
            let address = PageAddress.run(run)
            main += "<div class=\"bar\" id=\"actions\"><form method=\"post\" action=\"\(address)/reset\">"
            main += "<button>Begin again</button></form>"
            if !isStanding {
                main += "<form method=\"post\" action=\"\(address)/delete\"><button>Delete</button></form>"
            }
            main += "</div>"
        }
        main += waiting
        main += "<div id=\"state\" role=\"status\"></div><div id=\"still\">\(still)</div>"
        main += "<div id=\"live\"></div></div>"
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
