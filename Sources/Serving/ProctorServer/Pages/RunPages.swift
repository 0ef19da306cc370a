internal import ProctorBase
internal import ProctorGrading
import ProctorHTML
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
package import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// The pages about runs, below `/__proctor/ui/`.
///
/// Where a token is needed, a page comes without it and says nothing of a run: its script asks for the token and makes
/// the calls of the control API with it. Otherwise a page has what is known when it is made, also without JavaScript.
package struct RunPages {
    private let api: ControlAPI
    private let head: RequestHead
    private let base: String
    private let loop: EventLoop
    private let place: Place

    private enum Place {
        case list, shared
        case run(String)
        /// From a form: `?scenario=ID`.
        case start
        case reset(String)
        case delete(String)
        /// Of a module, with what stands behind its name.
        case added(ServedPage, String)
    }

    package static let prefix = "\(ControlCall.prefix)/ui/"
    static let list = prefix + "runs"
    static let shared = prefix + "shared"

    static func address(of run: String) -> String { "\(list)/\(run)" }

    /// The path begins with ``prefix``.
    init(
        _ api: ControlAPI, _ head: RequestHead, _ path: String, _ base: String, on loop: EventLoop
    ) throws(ControlError) {
        let segments = path.dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        let method = head.hasMethod("HEAD") ? "GET" : head.method
        let wanted: String
        switch (segments.count, segments.first, segments.last) {
        case (1, "runs", _): (wanted, place) = ("GET", .list)
        case (1, "shared", _): (wanted, place) = ("GET", .shared)
        case (1, "start", _): (wanted, place) = ("POST", .start)
        case (2, "runs", _): (wanted, place) = ("GET", .run(String(segments[1])))
        case (3, "runs", "reset"): (wanted, place) = ("POST", .reset(String(segments[1])))
        case (3, "runs", "delete"): (wanted, place) = ("POST", .delete(String(segments[1])))
        default:
            guard let page = api.frame.pages.first(where: { $0.name == segments[0] }) else { throw .unknownPage(path) }
            (wanted, place) = ("GET", .added(page, segments.dropFirst().joined(separator: "/")))
        }
        guard method == wanted else { throw .methodNotAllowed(head.method, allowed: [wanted]) }
        (self.api, self.head, self.base, self.loop) = (api, head, base, loop)
    }

    /// Whether the page changes something, so that it needs the token where there is one.
    var changes: Bool {
        switch place {
        case .list, .shared, .run, .added: false
        case .start, .reset, .delete: true
        }
    }

    private func request(_ id: String) -> ControlRequest {
        ControlRequest(head, id: id, body: [], base: base, loop: loop)
    }

    func reply() async throws(ControlError) -> BuiltInReply {
        switch place {
        case .list: return api.frame.page(Self.listMain, title: "Runs · Proctor", scripts: ["runs.js"], isWide: true)
        case .shared: return timeline(of: nil, facts: Self.sharedFacts, title: "Shared port")
        case .run(let id): return try await page(of: id)
        case .added(let page, let path): return try await page.reply(api, path, request("").query)
        case .start:
            let run = try await api.startRun(of: request("").query["scenario"] ?? "")
            return Self.redirect(to: Self.address(of: run.id))
        case .reset(let id):
            _ = try api.reset(request(id))
            return Self.redirect(to: Self.address(of: id))
        case .delete(let id):
            _ = try await api.delete(request(id))
            return Self.redirect(to: Self.list)
        }
    }

    package static func redirect(to address: String) -> BuiltInReply {
        var reply = BuiltInReply(status: 303, body: "see \(address)\n")
        reply.fields.append(("Location", address))
        return reply
    }

    // MARK: Pages

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

    private func page(of id: String) async throws(ControlError) -> BuiltInReply {
        guard !api.wantsToken else { return timeline(of: id, facts: "", title: id) }
        let run = try api.find(request(id))
        var facts: HTML = """
            <dl>\(HTML.pair("stands at", run.base + "/"))\(HTML.pair("seed", String(run.seed)))
            """
        if let proxy = run.namesProxy { facts += .pair("names by the proxy", "http://\(proxy)") }
        if let life = run.lifeSeconds { facts += .pair("forgotten after", "\(life) s without activity") }
        facts += "</dl>"
        let still = StillRun(of: run, case: request("").query["case"], hasBook: api.frame.hasBook)
        let view = await WorkThreads.streaming.run(within: .ofInput) { _ in still.html }
        return timeline(
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

    private func timeline(
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
            let address = Self.address(of: run)
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
        return api.frame.page(main, title: "\(title) · Proctor", scripts: ["run.js", "actions.js"], isWide: true)
    }
}

extension Exchange {
    fileprivate var opensWebSocket: Bool {
        replies.contains { reply in
            (reply.opaque ?? []).contains { if case .webSocket = $0 { true } else { false } }
        }
    }
}
