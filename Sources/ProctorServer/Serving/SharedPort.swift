internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// The well-known port: the catalogue at `/`, and the standing mounts below it.
final class SharedPort: Sendable {
    let lobby: Lobby
    private let catalogue: Catalogue
    /// One stage for each scenario that was asked for.
    private let stages: [Locked<Stage?>]
    private let makeStage: @Sendable (CompiledScenario) -> Stage
    /// Where a scenario that needs a root stands; opens its ports at the first call.
    private let standingBase: @Sendable (Scenario) async -> Result<String, StandingFailure>

    struct StandingFailure: Error {
        let text: String
    }

    init(
        catalogue: Catalogue, lobby: Lobby, makeStage: @escaping @Sendable (CompiledScenario) -> Stage,
        standingBase: @escaping @Sendable (Scenario) async -> Result<String, StandingFailure>
    ) {
        self.catalogue = catalogue
        self.lobby = lobby
        self.makeStage = makeStage
        self.standingBase = standingBase
        stages = catalogue.scenarios.map { _ in Locked(nil) }
    }

    func route(_ head: RequestHead) -> Route {
        let target = head.form == .absolute ? OriginForm.of(absolute: head.target) : head.target
        guard let (position, end) = catalogue.table.find(target.span) else { return page(for: target) }
        let scenario = catalogue.scenarios[position]
        if end == target.count || target[end] != UInt8(ascii: "/") { return explanation(of: scenario, head) }
        if scenario.rootReason != nil { return misdirection(from: scenario) }
        return .stage(stage(at: position), origin: 0, target: Array(target[end...]))
    }

    /// The standing stage of a scenario; made at first use.
    func stage(at position: Int) -> Stage {
        stages[position].withLock { kept in
            if let kept { return kept }
            let new = makeStage(catalogue.compiled(at: position))
            kept = new
            return new
        }
    }

    // MARK: Pages

    private func page(for target: [UInt8]) -> Route {
        let path = target.prefix { $0 != UInt8(ascii: "?") }
        if path.elementsEqual("/".utf8) {
            let page = IndexPage(scenarios: catalogue.scenarios)
            return .page { page.reply }
        }
        let name = EscapedText.of(path)
        let nearest = catalogue.nearestID(to: String(name.drop { $0 == "/" }))
        return .page { NotFoundPage(path: name, nearest: nearest).reply }
    }

    private func explanation(of scenario: Scenario, _ head: RequestHead) -> Route {
        let standingBase = standingBase
        let host = head.fields.first(named: "Host").map { Array($0) } ?? []
        let authority = AddressBook.isAuthority(host) ? EscapedText.of(host) : nil
        return .page {
            if scenario.rootReason == nil {
                return ScenarioPage(scenario: scenario, base: "http://\(authority ?? "HOST")/\(scenario.id)").reply
            }
            switch await standingBase(scenario) {
            case .success(let base): return ScenarioPage(scenario: scenario, base: base).reply
            case .failure(let failure): return BuiltInReply(status: 503, body: failure.text + "\n")
            }
        }
    }

    /// 421: this scenario stands elsewhere (RFC 9110 §15.5.20).
    private func misdirection(from scenario: Scenario) -> Route {
        let standingBase = standingBase
        return .page {
            switch await standingBase(scenario) {
            case .success(let base): return MisdirectedPage(scenario: scenario, base: base).reply
            case .failure(let failure): return BuiltInReply(status: 503, body: failure.text + "\n")
            }
        }
    }
}
