package import ProctorBase
internal import ProctorEvents
package import ProctorExam
internal import ProctorGrading
package import ProctorJournal
internal import ProctorLoop
package import ProctorProgram
package import ProctorScenario
internal import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An intermediary under exam: it is started for each case between the server and a client that sends the bytes of the case.
///
/// Its loop lives as long as the process. Safe from any thread.
package final class IntermediaryClient: AdapterlessClient {
    private let recipe: Recipe
    /// Its name and version, for verdicts.
    private let title: String
    private let loop: EventLoop
    /// Made with the first case; nil: not yet.
    private let identity = Locked<PEMIdentity?>(nil)

    /// How long the program may take until it listens.
    private static let startTime = Duration.seconds(20)
    /// How long a case may take behind that.
    private static let deadline = Duration.seconds(90)
    /// Folders of administrators' programs, which PATH of other users need not have.
    private static let systemFolders = "/usr/local/sbin:/usr/sbin:/sbin"

    /// What binds a proxy alone is asked of those that are one.
    private var abilities: Set<Ability> {
        var abilities: Set<Ability> = [.rawBytes]
        if recipe.kind == .forward { abilities.formUnion([.proxy, .proxyTunnel]) }
        if recipe.asksPassword { abilities.insert(.basic) }
        if recipe.isCache { abilities.insert(.cache) }
        if let ability = recipe.upstream.flatMap(Ability.init(rawValue:)) { abilities.insert(ability) }
        return abilities
    }

    /// `version` is what the program says of itself.
    package init(_ recipe: Recipe, version: String?) throws(CallFailure) {
        self.recipe = recipe
        title = version.map { "\(recipe.name) (\($0))" } ?? recipe.name
        loop = try EventLoop(name: "proctor-via")
    }

    /// With the folders in which such programs are installed.
    package static func path(of environment: [String: String]) -> String {
        (environment["PATH"].map { $0 + ":" } ?? "/usr/bin:/bin:") + systemFolders
    }

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
        let folder: ClientFolder
        do throws(CallFailure) { folder = try ClientFolder(.storage) } catch {
            return (WatchedChild.Outcome(ending: .notStarted(error)), header, [])
        }
        defer { folder.remove() }
        let stop = ChildStop()
        var child = child
        let ports: Ports
        let secure: ByteConversation.SecureEnd?
        do throws(CallFailure) {
            ports = try Self.freePorts()
            secure = try secureEnd(ports, folder.path)
            let values = values(ports, upstream: upstream, folder: folder.path)
            for file in recipe.files {
                try NewFile.write(Array(Recipe.fill(file.text, values).utf8).span, to: "\(folder.path)/\(file.name)")
            }
            child.command = recipe.command.map { Recipe.fill($0, values) }
        } catch {
            return (WatchedChild.Outcome(ending: .notStarted(error)), header, [])
        }
        child.environment["PATH"] = Self.path(of: child.environment)
        child.deadline = Self.startTime + Self.deadline
        child.stop = stop
        let running = child
        async let ended = running.run { _ in true }
        let isForward = recipe.kind == .forward
        let (isListening, wasAlive) = await withTaskCancellationHandler {
            (try? await loop.run { [loop, title, secure] in
                let conversation = ByteConversation(
                    to: ports.listen, secure: secure, target: isForward ? "http://\(upstream)" : "", host: upstream,
                    journal: journal,
                    on: loop)
                guard await conversation.awaitListeners(within: Self.startTime, unless: { stop.hasEnded }) else {
                    return (false, !stop.hasEnded)
                }
                await conversation.perform(acts)
                conversation.noteBetween(title)
                return (true, !stop.hasEnded)
            }) ?? (false, false)
        } onCancel: {
            stop.request()
        }
        stop.request()
        var outcome = await ended
        if isListening, wasAlive {
            // It was told to end, so how it did so is no finding.
            outcome.ending = .exited(0)
            return (outcome, header, event(.result))
        }
        if !isListening, outcome.ending == .exited(0) || wasAlive {
            let place = "\(ports.listen)" + (recipe.hasTLS ? " and \(ports.secure)" : "")
            let said = outcome.lastErrorLine.map { ": \($0)" } ?? ""
            let how =
                wasAlive ? "it did not listen at \(place) within 20 s" : "it ended before it listened at \(place)"
            outcome.ending = .exited(0)
            return (outcome, header, event(.unimplemented, "\(how)\(said)"))
        }
        return (outcome, header, isListening ? event(.result) : [])
    }

    /// What the intermediary has not that the case needs.
    private func lack(for item: Case, _ assignment: Assignment) -> String? {
        if recipe.asksPassword, !item.needs.contains(.basic) {
            return "this intermediary asks for a password, which the case has not"
        }
        if let speech = recipe.upstream, assignment.protocolName != speech {
            return "it speaks \(speech) to the server; ask by proctor exam --protocol \(speech)"
        }
        if !recipe.hasTLS, assignment.steps.flatMap(\.bytes).contains(where: \.needsTLS) {
            return "this intermediary listens without TLS"
        }
        let has = ClientAbilities(declared: abilities, reportsCallbacks: false, reportedFacts: [])
        return has.firstMissing(of: item.needs, oneOf: item.applies).map { "an intermediary has no \($0.rawValue)" }
    }

    /// Writes the file of its identity; nil: it has no TLS.
    private func secureEnd(_ ports: Ports, _ folder: String) throws(CallFailure) -> ByteConversation.SecureEnd? {
        guard recipe.hasTLS else { return nil }
        let identity = try pemIdentity()
        try NewFile.write(Array(identity.text.utf8).span, to: "\(folder)/identity.pem")
        return ByteConversation.SecureEnd(address: ports.secure, root: identity.root)
    }

    private func values(_ ports: Ports, upstream: String, folder: String) -> [String: String] {
        func number(_ address: SocketAddress) -> String { address.port.map { "\($0)" } ?? "" }
        return [
            "{listen}": ports.listen.description, "{port}": number(ports.listen),
            "{tls-listen}": ports.secure.description, "{tls-port}": number(ports.secure),
            "{identity}": "\(folder)/identity.pem", "{upstream}": upstream,
            "{upstream-host}": upstream.split(separator: ":").first.map(String.init) ?? "",
            "{upstream-port}": upstream.split(separator: ":").last.map(String.init) ?? "", "{folder}": folder,
            "{recipe}": recipe.folder, "{user}": Self.user, "{spare}": number(ports.spare),
        ]
    }

    /// That of the intermediary, whose root this process made for it and no other client trusts.
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

    private static var user: String {
        geteuid() == 0
            ? "root" : unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "nobody"
    }

    private struct Ports {
        let listen, secure, spare: SocketAddress
    }

    /// Ports of 127.0.0.1 that are free: they were bound together and are closed again, so that the program can bind them.
    private static func freePorts() throws(CallFailure) -> Ports {
        func free() throws(CallFailure) -> ClosedPort { try ClosedPort(host: .ipv4(host: "127.0.0.1", port: 0)) }
        let (one, two, three) = (try free(), try free(), try free())
        return Ports(listen: one.address, secure: two.address, spare: three.address)
    }

    /// `HOST:PORT` of a URL of http.
    private static func authority(of base: String) -> String? {
        guard base.hasPrefix("http://") else { return nil }
        let rest = base.dropFirst("http://".count).prefix { $0 != "/" }
        return rest.isEmpty ? nil : String(rest)
    }
}
