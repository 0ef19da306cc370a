internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTLS

/// The well-known port: the catalogue at `/`, the control API, and the standing mounts.
final class SharedPort: Sendable {
    let lobby: Lobby
    let control: ControlAPI
    let shelf: Shelf
    private let desk: TLSDesk
    /// Where a scenario that needs a root stands; opens its ports at the first call.
    let standing: @Sendable (Scenario) async -> Result<Run, StandingFailure>

    struct StandingFailure: Error {
        let text: String
    }

    init(
        shelf: Shelf, lobby: Lobby, control: ControlAPI, desk: TLSDesk,
        standing: @escaping @Sendable (Scenario) async -> Result<Run, StandingFailure>
    ) {
        self.shelf = shelf
        self.desk = desk
        self.lobby = lobby
        self.control = control
        self.standing = standing
    }

    /// `scheme` is that of the connection, and `place` where it came to.
    func route(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> Route {
        if let route = routeByName(head, scheme, at: place) { return route }
        let target = head.form == .absolute ? AbsoluteTarget.originForm(of: head.target) : head.target
        switch shelf.find(target) {
        case .mounted(let stage, let end):
            return .stage(stage, origin: 0, target: Array(target[end...]))
        case .scenario(let scenario):
            return explanation(of: scenario, head, scheme)
        case .elsewhere(let scenario):
            return misdirection(from: scenario)
        case .refused(let scenario, let refusal):
            let text = "scenario \(scenario.id) can't be served: \(refusal)\n"
            return .page { BuiltInReply(status: 500, body: text) }
        case .nothing:
            return page(for: target, head, scheme, shelf.catalogue)
        }
    }

    // MARK: Pages

    private func page(for target: [UInt8], _ head: RequestHead, _ scheme: Scheme, _ catalogue: Catalogue) -> Route {
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

    private func explanation(of scenario: Scenario, _ head: RequestHead, _ scheme: Scheme) -> Route {
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
        guard scheme == .https, let authority = desk.room?.authority else { return nil }
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

    /// What the client calls us, when that can stand in a URL.
    private func authority(of head: RequestHead) -> String {
        let host = head.fields.first(named: "Host").map { Array($0) } ?? []
        return AddressBook.isAuthority(host) ? EscapedText.of(host) : "localhost"
    }
}

extension RequestHead {
    var readsPages: Bool { hasMethod("GET") || hasMethod("HEAD") }

    /// Browsers name it in Accept; curl and libraries do not.
    var wantsHTML: Bool {
        fields.values(named: "Accept").contains { String(decoding: $0, as: UTF8.self).contains("text/html") }
    }
}
