internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The well-known port: the catalogue at `/`, the control API, and the standing mounts.
final class SharedPort: Sendable {
    let log: SharedPortLog
    let control: ControlAPI
    let stages: StandingStages
    private let contexts: TLSContexts
    /// Where a scenario that needs a root stands; opens its ports at the first call.
    let standing: @Sendable (Scenario) async -> Result<Run, StandingFailure>

    struct StandingFailure: Error {
        let text: String
    }

    init(
        stages: StandingStages, log: SharedPortLog, control: ControlAPI, contexts: TLSContexts,
        standing: @escaping @Sendable (Scenario) async -> Result<Run, StandingFailure>
    ) {
        self.stages = stages
        self.contexts = contexts
        self.log = log
        self.control = control
        self.standing = standing
    }

    /// `scheme` is that of the connection, and `place` where it came to.
    func route(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        if let route = routeByName(head, scheme, at: place) { return route }
        let target = head.form == .absolute ? AbsoluteTarget.originForm(of: head.target) : head.target
        switch stages.find(target) {
        case .mounted(let stage, let end):
            return .stage(stage, origin: 0, target: Array(target[end...]))
        case .scenario(let scenario):
            return explanation(of: scenario, head, scheme: scheme)
        case .elsewhere(let scenario):
            return misdirection(from: scenario)
        case .refused(let scenario, let refusal):
            let text = "scenario \(scenario.id) can't be served: \(refusal)\n"
            return .page { BuiltInReply(status: 500, body: text) }
        case .nothing:
            return page(for: target, head, scheme: scheme)
        }
    }

    // MARK: Pages

    private func page(for target: [UInt8], _ head: RequestHead, scheme: Scheme) -> Route {
        let catalogue = stages.catalogue
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        if path.starts(with: ControlCall.prefix.utf8),
            path.count == ControlCall.prefix.utf8.count || path[ControlCall.prefix.utf8.count] == UInt8(ascii: "/")
        {
            return .control(control)
        }
        if path.elementsEqual("/".utf8) {
            guard head.readsPages else { return .page { Self.methodRefusal(at: "/") } }
            guard head.wantsHTML else { return .page { IndexPage(scenarios: catalogue.scenarios).reply } }
            let base = "\(scheme.rawValue)://\(authority(of: head))"
            return .page { CataloguePage(scenarios: catalogue.scenarios, base: base).reply }
        }
        let nearest = catalogue.nearestID(to: path.drop { $0 == UInt8(ascii: "/") })
        return .page { NotFoundPage(path: EscapedText.of(path, limit: 300), nearest: nearest).reply }
    }

    private func explanation(of scenario: Scenario, _ head: RequestHead, scheme: Scheme) -> Route {
        guard head.readsPages else { return .page { Self.methodRefusal(at: "/\(scenario.id)") } }
        let standing = standing
        let authority = authority(of: head)
        let shared = "\(scheme.rawValue)://\(authority)"
        let wantsToken = control.wantsToken
        let mount = PlaceOfScenario(
            base: "\(shared)/\(scenario.id)", authorities: [authority], schemes: [scheme],
            trust: trust(by: scheme))
        let wantsHTML = head.wantsHTML
        return .page {
            var place = mount
            if scenario.rootReason != nil {
                switch await standing(scenario) {
                case .success(let run): place = PlaceOfScenario(of: run)
                case .failure(let failure): return BuiltInReply(status: 503, body: failure.text + "\n")
                }
            }
            place.control = shared
            place.wantsToken = wantsToken
            return wantsHTML
                ? ScenarioHTMLPage(scenario: scenario, place: place).reply
                : ScenarioPage(scenario: scenario, place: place).reply
        }
    }

    /// What a client of a mount needs to come by TLS.
    private func trust(by scheme: Scheme) -> TrustFiles? {
        guard scheme == .https, let authority = contexts.opened?.authority else { return nil }
        return TrustFiles(authority: authority.certificatePath, identities: [:])
    }

    /// A client that forgot the path must not take a page for an answer of the scenario.
    private static func methodRefusal(at path: String) -> BuiltInReply {
        let hint = path == "/" ? "scenarios stand below /ID/" : "the scenario stands at \(path)/"
        var reply = BuiltInReply(status: 405, body: "\(path) is a page to read; \(hint)\n")
        reply.fields.append(("Allow", "GET, HEAD"))
        return reply
    }

    /// 421: this scenario stands elsewhere (RFC 9110 §15.5.20).
    private func misdirection(from scenario: Scenario) -> Route {
        let standing = standing
        return .page {
            switch await standing(scenario) {
            case .success(let run):
                return MisdirectedPage(scenario: scenario, base: run.base, namesProxy: run.namesProxy).reply
            case .failure(let failure): return BuiltInReply(status: 503, body: failure.text + "\n")
            }
        }
    }

    /// The name by which the client calls the server, where that can stand in a URL.
    private func authority(of head: RequestHead) -> String {
        let host = head.fields.first(named: "Host").map { Array($0) } ?? []
        return StageAddresses.isAuthority(host) ? EscapedText.of(host) : "localhost"
    }
}

extension RequestHead {
    var readsPages: Bool { hasMethod("GET") || hasMethod("HEAD") }

    /// Browsers name it in Accept; curl and libraries do not.
    var wantsHTML: Bool {
        fields.values(named: "Accept").contains { String(decoding: $0, as: UTF8.self).contains("text/html") }
    }
}

/// What a shared port notes about connections and requests that belong to no scenario.
///
/// The lines of these entries in a journal file have neither `scenario` nor `run`. Safe from any thread.
final class SharedPortLog: Sendable {
    let journal: Journal
    private let counts = Locked((connections: 0, requests: 0))

    init(journal: Journal) {
        self.journal = journal
    }

    func admitConnection() -> Int {
        counts.withLock { counts in
            defer { counts.connections += 1 }
            return counts.connections
        }
    }

    func admitRequest() -> Int {
        counts.withLock { counts in
            defer { counts.requests += 1 }
            return counts.requests
        }
    }
}

/// Opens the addresses of the shared port: the same port on every loop, and the Unix socket on the first; TLS likewise.
enum SharedListeners {
    struct Opened {
        let address: SocketAddress
        /// Where TLS is spoken; nil: nowhere.
        let tlsAddress: SocketAddress?
        let accepting: [Run.Accepting]
    }

    static func open(
        _ port: SharedPort, configuration: ServerConfiguration, group: EventLoopGroup, contexts: TLSContexts
    ) async throws -> Opened {
        let isShared = group.loops.count > 1
        var address = configuration.address
        var tlsAddress = configuration.tlsAddress
        if isShared {
            try await requireFree(address, on: group.loops[0])
            if let tlsAddress { try await requireFree(tlsAddress, on: group.loops[0]) }
        }
        let security = ListenerSecurity(labelsIn: contexts)
        var accepting: [Run.Accepting] = []
        do {
            for loop in group.loops {
                let opened = try await open(port, at: address, sharesPort: isShared, on: loop, configuration)
                address = opened.loop.address
                accepting.append(opened)
                guard let wanted = tlsAddress else { continue }
                let secured = try await open(
                    port, at: wanted, sharesPort: isShared, on: loop, configuration, security: security)
                tlsAddress = secured.loop.address
                accepting.append(secured)
            }
            if let path = configuration.unixPath {
                accepting.append(
                    try await open(
                        port, at: .unix(path: path), sharesPort: false, on: group.loops[0], configuration))
            }
        } catch {
            for item in accepting { item.loop.stop(grace: .zero) }
            for item in accepting { await item.task.value }
            throw error
        }
        return Opened(address: address, tlsAddress: tlsAddress, accepting: accepting)
    }

    /// Opens one address on one loop and begins to accept.
    private static func open(
        _ port: SharedPort, at address: SocketAddress, sharesPort: Bool, on loop: EventLoop,
        _ configuration: ServerConfiguration, security: ListenerSecurity? = nil
    ) async throws -> Run.Accepting {
        let limits = configuration.limits
        let report = configuration.report
        return try await loop.run {
            do throws(CallFailure) {
                let listener = try Listener(on: loop, address: address, sharesPort: sharesPort)
                return AcceptLoop(
                    listener, endpoint: .shared(port), security: security, limits: limits, report: report
                ).start()
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }

    /// With SO_REUSEPORT a second server of the same user would silently share the port; this one refuses instead.
    private static func requireFree(_ address: SocketAddress, on loop: EventLoop) async throws {
        guard address.port != 0 else { return }
        try await loop.run {
            do throws(CallFailure) {
                try Listener(on: loop, address: address).close()
            } catch {
                throw ServerStartFailure.address(address, error)
            }
        }
    }
}
