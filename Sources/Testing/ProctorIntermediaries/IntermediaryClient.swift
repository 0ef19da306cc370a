package import ProctorBase
internal import ProctorEvents
package import ProctorExam
internal import ProctorGrading
package import ProctorJournal
internal import ProctorLoop
package import ProctorProgram
package import ProctorQUICLink
package import ProctorScenario
internal import ProctorTLS

/// An intermediary under exam, between the server and a client that sends the bytes of the case: it is started for each case, or
/// kept from one to the next.
///
/// Its loop lives as long as the process. Safe from any thread.
package final class IntermediaryClient: AdapterlessClient {
    private let recipe: Recipe
    /// Its name and version, for verdicts.
    private let title: String
    private let loop: EventLoop
    /// Made with the first case; nil: not yet.
    private let identity = Locked<PEMIdentity?>(nil)
    /// What speaks QUIC; nil: this program was built without it.
    private let quic: (any QUICTransport)?
    /// The ports of a program that is kept; nil: it is started for each case.
    private let keptPorts: PortBlock?
    /// nil: none runs, or it is asked a case.
    private let kept = Locked<RunningIntermediary?>(nil)

    /// How long the program may take until it listens.
    private static let startTime = Duration.seconds(20)
    /// How long a case may take behind that.
    private static let deadline = Duration.seconds(90)
    /// How long a program lives that is kept.
    private static let keptTime = Duration.seconds(86_400)
    /// Folders of administrators' programs, which PATH of other users need not have.
    private static let systemFolders = "/usr/local/sbin:/usr/sbin:/sbin"

    /// What binds a proxy alone is asked of those that are one.
    private var abilities: Set<Ability> {
        var abilities: Set<Ability> = [.rawBytes]
        if recipe.kind == .forward { abilities.formUnion([.proxy, .proxyTunnel]) }
        if recipe.asksPassword { abilities.insert(.basic) }
        if recipe.isCache { abilities.insert(.cache) }
        if let ability = recipe.upstream.flatMap(Ability.init(rawValue:)) {
            abilities.formUnion([ability, .priorKnowledge])
        }
        return abilities
    }

    /// `version` is what the program says of itself.
    package init(
        _ recipe: Recipe, version: String?, quic: (any QUICTransport)?, isKept: Bool = false
    ) throws(CallFailure) {
        (self.recipe, self.quic) = (recipe, quic)
        title = version.map { "\(recipe.name) (\($0))" } ?? recipe.name
        keptPorts = isKept ? try PortBlock() : nil
        loop = try EventLoop(name: "proctor-via")
    }

    /// With the folders in which such programs are installed.
    package static func path(of environment: [String: String]) -> String {
        (environment["PATH"].map { $0 + ":" } ?? "/usr/bin:/bin:") + systemFolders
    }

    package var runPort: UInt16? { keptPorts?.upstream }

    package func close() async { _ = await kept.withLock { $0.take() }?.endProgram() }

    package func perform(
        _ assignment: Assignment, of item: Case, child: WatchedChild, journal: Journal
    ) async -> AdapterlessPerformance {
        let done = await sit(assignment, of: item, child: child, journal: journal)
        return AdapterlessPerformance(done.outcome) { _ in (done.header, done.events) }
    }

    private func sit(
        _ assignment: Assignment, of item: Case, child: WatchedChild, journal: Journal
    ) async -> (outcome: WatchedChild.Outcome, header: TraceHeader, events: [TraceEvent]) {
        let header = TraceHeader(
            client: recipe.name, lanes: [.harness], facts: [], abilities: abilities, adapter: "intermediary")
        func event(_ name: EventName, _ argument: String? = nil) -> [TraceEvent] {
            [TraceEvent(sequence: 1, time: nil, lane: .harness, task: 0, name: name, argument: argument, facts: [])]
        }
        func unasked(_ reason: String) -> (WatchedChild.Outcome, TraceHeader, [TraceEvent]) {
            (WatchedChild.Outcome(ending: .exited(0)), header, event(.unimplemented, reason))
        }
        if let lack = lack(for: item, assignment) { return unasked("needs: \(lack)") }
        guard assignment.steps.count == 1, let acts = assignment.steps.first?.bytes, !acts.isEmpty else {
            return unasked("client: an intermediary is examined by one step that sends bytes")
        }
        guard let upstream = Self.authority(of: assignment.base) else {
            return unasked("client: the server has no address of HTTP without TLS")
        }
        if let runPort, !upstream.hasSuffix(":\(runPort)") {
            return unasked("client: the server is not at port \(runPort), to which the kept intermediary leads")
        }
        let program: RunningIntermediary
        do throws(CallFailure) { program = try running(upstream: upstream, child) } catch {
            return (WatchedChild.Outcome(ending: .notStarted(error)), header, [])
        }
        let isForward = recipe.kind == .forward
        let (isListening, wasAlive) = await withTaskCancellationHandler {
            (try? await loop.run { [loop, title] in
                let conversation = ByteConversation(
                    to: program.ports.listen, secure: program.secure, target: isForward ? "http://\(upstream)" : "",
                    host: upstream, journal: journal, on: loop)
                guard await conversation.awaitListeners(within: Self.startTime, unless: { program.hasEnded }) else {
                    return (false, !program.hasEnded)
                }
                await conversation.perform(acts)
                conversation.noteBetween(title)
                return (true, !program.hasEnded)
            }) ?? (false, false)
        } onCancel: {
            program.requestEnd()
        }
        if isListening, wasAlive {
            var outcome = WatchedChild.Outcome(ending: .exited(0))
            if keptPorts != nil, !Task.isCancelled {
                kept.withLock { $0 = program }
            } else {
                outcome = await program.endProgram()
                // It was told to end, so how it did so is no finding.
                outcome.ending = .exited(0)
            }
            return (outcome, header, event(.result))
        }
        var outcome = await program.endProgram()
        if isListening { return (outcome, header, event(.result)) }
        switch outcome.ending {
        case .notStarted, .errorOutputTooLong: break
        default:
            let place = "\(program.ports.listen)" + (recipe.hasTLS ? " and \(program.ports.secure)" : "")
            let said = outcome.lastErrorLine.map { "; its last words: \($0)" } ?? ""
            let how = wasAlive ? "did not listen at \(place) within 20 s" : "ended before it listened at \(place)"
            outcome.ending = .disconnected("the intermediary \(how)\(said)")
        }
        return (outcome, header, [])
    }

    /// The program that is kept and lives, or a new one.
    private func running(upstream: String, _ child: WatchedChild) throws(CallFailure) -> RunningIntermediary {
        if let program = kept.withLock({ $0.take() }), !program.hasEnded { return program }
        var child = child
        child.environment["PATH"] = Self.path(of: child.environment)
        child.deadline = keptPorts == nil ? Self.startTime + Self.deadline : Self.keptTime
        let ports = if let keptPorts { keptPorts } else { try PortBlock() }
        return try RunningIntermediary(
            recipe, at: ports, upstream: upstream, identity: recipe.hasTLS ? pemIdentity() : nil,
            quic: recipe.hasHTTP3 ? quic : nil, child: child)
    }

    /// What the intermediary has not that the case needs.
    private func lack(for item: Case, _ assignment: Assignment) -> String? {
        if recipe.asksPassword, !item.needs.contains(.basic) {
            return "this intermediary asks for a password, which the case has not"
        }
        if let speech = recipe.upstream, assignment.protocolName != speech {
            return "it speaks \(speech) to the server; ask by proctor exam --protocol \(speech)"
        }
        let acts = assignment.steps.flatMap(\.bytes)
        if !recipe.hasTLS, acts.contains(where: \.needsTLS) { return "this intermediary listens without TLS" }
        if acts.contains(.connect(.datagrams)) {
            if !recipe.hasHTTP3 { return "this intermediary listens without HTTP/3" }
            if quic == nil { return "this build of Proctor speaks no QUIC; build it with PROCTOR_QUIC" }
        }
        let has = ClientAbilities(declared: abilities, reportsCallbacks: false, reportedFacts: [])
        return has.firstMissing(of: item.needs, oneOf: item.applies).map { "an intermediary has no \($0.rawValue)" }
    }

    /// The identity of the intermediary, whose root this process made for it and no other client trusts.
    private func pemIdentity() throws(CallFailure) -> PEMIdentity {
        try identity.withLock { made throws(CallFailure) in
            if let made { return made }
            do throws(AuthorityError) {
                let new = try PEMIdentity.ofThisMachine()
                made = new
                return new
            } catch {
                throw CallFailure(call: "make a certificate", code: 0, text: "\(error)")
            }
        }
    }

    /// `HOST:PORT` of a URL of http.
    private static func authority(of base: String) -> String? {
        guard base.hasPrefix("http://") else { return nil }
        let rest = base.dropFirst("http://".count).prefix { $0 != "/" }
        return rest.isEmpty ? nil : String(rest)
    }
}
