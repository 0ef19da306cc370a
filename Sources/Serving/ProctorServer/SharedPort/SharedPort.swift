internal import ProctorBase
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorTLS

/// The shared port: the catalogue at `/`, the control API, and the scenarios below their ids.
final class SharedPort: SharedService {
    let log: SharedPortLog
    let control: ControlAPI
    let stages: StandingStages
    /// In order of preference.
    let protocols: [ApplicationProtocol]
    let callBounds = CallBounds()
    private let contexts: TLSContexts
    private let report: (any CatalogueMarks)?
    private let pagesHostByteCount: Int
    private var hasBook: Bool { control.pages.haveBook }
    /// The standing run of a scenario that needs a root; opens its ports at the first call.
    let standing: @Sendable (Scenario) async -> Result<Run, StandingFailure>

    struct StandingFailure: Error {
        let text: String

        var reply: BuiltInReply { BuiltInReply(status: 503, body: text + "\n") }
    }

    init(
        stages: StandingStages, log: SharedPortLog, control: ControlAPI, contexts: TLSContexts,
        report: (any CatalogueMarks)? = nil, protocols: [ApplicationProtocol] = ApplicationProtocol.usual,
        standing: @escaping @Sendable (Scenario) async -> Result<Run, StandingFailure>
    ) {
        (self.stages, self.contexts, self.report) = (stages, contexts, report)
        pagesHostByteCount = control.gate.pages.byteCount
        (self.protocols, self.log, self.control, self.standing) = (protocols, log, control, standing)
    }

    /// `scheme` is that of the connection, `place` gives its local address; `mount` is the connection's memory.
    func route(
        _ head: RequestHead, _ scheme: Scheme, at place: () -> SocketAddress, remembering mount: inout KnownMount?
    ) -> Route {
        // Most Hosts are shorter than that of the pages, and so cost no look at either.
        if head.hostByteCount >= pagesHostByteCount || head.form == .absolute, pages.isNamed(by: head) {
            return routeToPages(head, scheme, at: place())
        }
        if let route = routeByName(head, scheme, at: place) { return route }
        let target = head.form == .absolute ? AbsoluteTarget.originForm(of: head.target)[...] : head.targetBytes
        if stages.hasRoots, let route = routeToRoot(head, Array(target)) { return route }
        let generation = stages.generation
        if let stage = mount?.stage, mount?.generation == generation, let rest = mount?.rest(of: target.span) {
            return .stage(stage, origin: 0, target: rest)
        }
        switch stages.find(target.span) {
        case .mounted(let stage, let end):
            mount = KnownMount(stage, target.span, end: end, generation: generation)
            return .stage(stage, origin: 0, target: Array(target.dropFirst(end)))
        case .added(let stage, let end):
            return .stage(stage, origin: 0, target: Array(target.dropFirst(end)))
        case .scenario(let scenario):
            return explanation(of: scenario, head, scheme, at: place())
        case .elsewhere(let scenario):
            return misdirection(from: scenario)
        case .refused(let scenario, let refusal):
            let text = "scenario \(scenario.id) can't be served: \(refusal)\n"
            return .page { BuiltInReply(status: 500, body: text) }
        case .unread(let catalogue, let position):
            let place = place()
            return whenRead(position, of: catalogue) { [self] in route(head, scheme, at: place) }
        case .broken(let id, let failure):
            return .page { [hasBook] in
                await WorkThreads.reading.run(within: .ofInput) { _ in .broken(id, failure, hasBook: hasBook) }
            }
        case .nothing:
            return page(for: Array(target), head, scheme, at: place())
        }
    }

    func route(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        var mount: KnownMount?
        return route(head, scheme, at: { place }, remembering: &mount)
    }

    /// The route once the file was read; 503 where the machine has nothing left to read it with.
    private func whenRead(
        _ position: Int, of catalogue: Catalogue, _ route: @escaping @Sendable () -> Route
    ) -> Route {
        .later { [hasBook] in
            do throws(LoadFailure) {
                _ = try await catalogue.read(position)
            } catch  where error.isTransient {
                return .page { .broken(catalogue.ids[position], error, hasBook: hasBook) }
            } catch {
                // The route is the page with the errors of the file.
            }
            return route()
        }
    }

    // MARK: Pages

    private var pages: PagesHost { control.gate.pages }

    /// At the host of the pages, where no scenario answers.
    private func routeToPages(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        let target = AbsoluteTarget.originForm(of: head.target)
        guard !stages.isBelowScenario(target.span) else { return scenarioRefusal(head, scheme, at: place) }
        switch stages.find(target.span) {
        case .scenario(let scenario): return explanation(of: scenario, head, scheme, at: place)
        case .unread(let catalogue, let position):
            return whenRead(position, of: catalogue) { [self] in route(head, scheme, at: place) }
        case .broken(let id, let failure):
            return guarded(head, scheme) { [hasBook] in
                await WorkThreads.reading.run(within: .ofInput) { _ in .broken(id, failure, hasBook: hasBook) }
            }
        case .mounted, .added, .elsewhere, .refused, .nothing:
            return page(for: target, head, scheme, at: place)
        }
    }

    /// 421: another authority answers for the target (RFC 9110 §15.5.20).
    private func scenarioRefusal(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        let target = EscapedText.escape(AbsoluteTarget.originForm(of: head.target), limit: 300)
        let url = control.base(head, scheme, at: place) + target
        return .page { [name = pages.name] in
            BuiltInReply(status: 421, lines: ["no scenario answers at \(name), which has the pages", "", "ask \(url)"])
        }
    }

    /// A page for those who may read it.
    private func guarded(
        _ head: RequestHead, _ scheme: Scheme, changes: Bool = false,
        _ page: @escaping @Sendable () async -> BuiltInReply
    ) -> Route {
        if let refusal = control.gate.refusal(of: head, scheme, changes: changes) { return .page { refusal } }
        return .page(page)
    }

    /// Nil where no scenario of the root has an exchange for the request, and for the control API.
    private func routeToRoot(_ head: RequestHead, _ target: [UInt8]) -> Route? {
        guard !ControlPorts.isControl(target.prefix { $0 != UInt8(ascii: "?") }) else { return nil }
        return stages.roots.first { stage in
            stage.compiled.mayHaveExchange(
                for: RequestView(
                    head: head, target: target, body: nil, comparison: stage.compiled.comparison(for: head)))
        }
        .map { .stage($0, origin: 0, target: target) }
    }

    private func page(
        for target: [UInt8], _ head: RequestHead, _ scheme: Scheme, at place: SocketAddress
    ) -> Route {
        let catalogue = stages.catalogue
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        if let report, let page = ReportPlace.page(path), head.readsPages {
            return guarded(head, scheme) {
                await WorkThreads.reading.run(within: .ofInput) { _ in report.reply(to: page) }
            }
        }
        if ControlPorts.isControl(path) {
            if head.readsPages, let reply = control.html?.asset(head, at: path) { return .page { reply } }
            if let redirect = control.gate.redirect(head, scheme) { return .page { redirect } }
            return .control
        }
        if path.elementsEqual("/".utf8) {
            guard head.readsPages else { return .page { Self.methodRefusal(at: "/") } }
            return front(head, scheme, at: place)
        }
        if head.readsPages, head.wantsHTML, let html = control.html,
            catalogue.hasFolder(path.dropFirst()) || stages.added.hasFolder(path.dropFirst())
        {
            let family = String(decoding: path.dropFirst(), as: UTF8.self)
            return guarded(head, scheme) { [self] in
                html.family(family, of: await scenarios(), at: control.base(head, scheme, at: place))
                    ?? .notFound("/\(family)", nearest: nil)
            }
        }
        if let stage = stages.roots.first {
            if pages.isNamed(by: head) { return scenarioRefusal(head, scheme, at: place) }
            // The page of its miss names the nearest exchange.
            return .stage(stage, origin: 0, target: target)
        }
        if let redirect = control.gate.redirect(head, scheme) { return .page { redirect } }
        let nearest = catalogue.nearestID(to: path.drop { $0 == UInt8(ascii: "/") })
        return .page { .notFound(EscapedText.escape(path, limit: 300), nearest: nearest) }
    }

    /// The catalogue: a page for browsers, text for others, and for everybody where the program has no pages.
    private func front(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        guarded(head, scheme) { [self] in
            let scenarios = await scenarios()
            let items = ControlRequest.items(of: head.query ?? [])
            let question = ScenarioSearch.Question(items)
            let html = head.wantsHTML ? control.html : nil
            guard html != nil || !question.isEmpty else { return .index(of: scenarios) }
            let base = control.base(head, scheme, at: place)
            return await WorkThreads.streaming.run(within: .ofInput) { [stages] _ in
                let search = stages.catalogue.search(with: stages.added.entries().map(\.scenario))
                let typed = String((items["q"] ?? "").prefix(300))
                return html?.front(scenarios, at: base, question, typed: typed, in: search)
                    ?? .hits(search.find(question))
            }
        }
    }

    /// All of them, once they are read: a catalogue has every summary.
    private func scenarios() async -> [Scenario] {
        let catalogue = stages.catalogue
        await catalogue.readAll()
        return catalogue.scenarios + stages.added.entries().map(\.scenario)
    }

    private func explanation(
        of scenario: Scenario, _ head: RequestHead, _ scheme: Scheme, at here: SocketAddress
    ) -> Route {
        guard head.readsPages else { return .page { Self.methodRefusal(at: "/\(scenario.id)") } }
        let authority = pages.authorityOfScenarios(head, at: here)
        let shared = control.base(head, scheme, at: here)
        let mount = PlaceOfScenario(
            base: "\(shared)/\(scenario.id)", authorities: [authority], schemes: [scheme],
            trust: trust(by: scheme))
        let opensPorts = scenario.rootReason != nil
        return guarded(head, scheme, changes: opensPorts) {
            [standing, wantsToken = control.wantsToken, html = head.wantsHTML ? control.html : nil] in
            var place = mount
            if opensPorts {
                switch await standing(scenario) {
                case .success(let run): place = PlaceOfScenario(of: run)
                case .failure(let failure): return failure.reply
                }
            }
            place.control = shared
            place.wantsToken = wantsToken
            guard let html else { return .explanation(of: scenario, at: place) }
            return await WorkThreads.reading.run(within: .ofInput) { [place] _ in html.scenarioPage(scenario, at: place)
            }
        }
    }

    private func trust(by scheme: Scheme) -> TrustFiles? {
        guard scheme == .https, let authority = contexts.opened?.authority else { return nil }
        return TrustFiles(authority: authority.certificatePath, identities: [:])
    }

    /// A client that forgot the path must not take a page for a scenario's answer.
    private static func methodRefusal(at path: String) -> BuiltInReply {
        let hint = path == "/" ? "scenarios stand below /ID/" : "the scenario stands at \(path)/"
        var reply = BuiltInReply(status: 405, body: "\(path) is a page to read; \(hint)\n")
        reply.fields.append(("Allow", "GET, HEAD"))
        return reply
    }

    private func misdirection(from scenario: Scenario) -> Route {
        .page { [standing] in
            switch await standing(scenario) {
            case .success(let run): .misdirected(from: scenario, to: run)
            case .failure(let failure): failure.reply
            }
        }
    }

    func page(of reply: BuiltInReply) -> BuiltInReply { control.html?.textPage(reply) ?? reply }
}

// Control calls.
extension SharedPort {
    func bodyLimit(of head: RequestHead) -> Int { ControlRequest.bodyLimit(of: head) }

    func replyToCall(
        _ head: RequestHead, body: [UInt8], _ scheme: Scheme, at place: SocketAddress, from peer: LoopBound<WaitingPeer>
    ) async -> BuiltInReply {
        await control.handleCall(head, body: body, scheme, at: place, to: peer)
    }

    func refusal(_ reason: CallRefusal) -> BuiltInReply {
        switch reason {
        case .bodyTooLong(let limit): ControlError.bodyTooLong(limit: limit).reply
        case .busy(let bound): ControlError.busy(bound).reply
        }
    }
}
