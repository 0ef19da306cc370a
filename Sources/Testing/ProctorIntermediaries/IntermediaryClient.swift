package import ProctorBase
package import ProctorEvents
package import ProctorExam
internal import ProctorGrading
package import ProctorJournal
internal import ProctorLoop
package import ProctorProgram
package import ProctorScenario

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
    private let loop: EventLoop

    /// How long the program may take until it listens.
    private static let startTime = Duration.seconds(20)
    /// How long a case may take behind that.
    private static let deadline = Duration.seconds(90)
    /// Folders of administrators' programs, which PATH of other users need not have.
    private static let systemFolders = "/usr/local/sbin:/usr/sbin:/sbin"

    /// What binds a proxy alone is asked of those that are one.
    private var abilities: Set<Ability> {
        var abilities: Set<Ability> = [.rawBytes]
        if recipe.kind == .forward { abilities.insert(.proxy) }
        if recipe.isCache { abilities.insert(.cache) }
        return abilities
    }

    package init(_ recipe: Recipe) throws(CallFailure) {
        self.recipe = recipe
        loop = try EventLoop(name: "proctor-via")
    }

    /// With the folders in which such programs are installed.
    package static func path(of environment: [String: String]) -> String {
        (environment["PATH"].map { $0 + ":" } ?? "/usr/bin:/bin:") + systemFolders
    }

    package func perform(
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
        let has = ClientAbilities(declared: abilities, reportsCallbacks: false, reportedFacts: [])
        if let missing = has.firstMissing(of: item.needs, oneOf: item.applies) {
            return unasked("needs: an intermediary has no \(missing.rawValue)")
        }
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
        let address: SocketAddress
        do throws(CallFailure) {
            let ports = try Self.freePorts()
            address = ports.listen
            let values = values(listen: ports.listen, spare: ports.spare, upstream: upstream, folder: folder.path)
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
            (try? await loop.run { [loop] in
                let conversation = ByteConversation(
                    to: address, target: isForward ? "http://\(upstream)" : "", host: upstream, journal: journal,
                    on: loop)
                guard await conversation.awaitListener(within: Self.startTime, unless: { stop.hasEnded }) else {
                    return (false, !stop.hasEnded)
                }
                await conversation.perform(acts)
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
            let said = outcome.lastErrorLine.map { ": \($0)" } ?? ""
            let how =
                wasAlive ? "it did not listen at \(address) within 20 s" : "it ended before it listened at \(address)"
            outcome.ending = .exited(0)
            return (outcome, header, event(.unimplemented, "\(how)\(said)"))
        }
        return (outcome, header, isListening ? event(.result) : [])
    }

    private func values(
        listen: SocketAddress, spare: SocketAddress, upstream: String, folder: String
    ) -> [String: String] {
        [
            "{listen}": listen.description, "{port}": listen.port.map { "\($0)" } ?? "", "{upstream}": upstream,
            "{upstream-host}": upstream.split(separator: ":").first.map(String.init) ?? "",
            "{upstream-port}": upstream.split(separator: ":").last.map(String.init) ?? "", "{folder}": folder,
            "{recipe}": recipe.folder, "{user}": Self.user, "{spare}": spare.port.map { "\($0)" } ?? "",
        ]
    }

    private static var user: String {
        geteuid() == 0
            ? "root" : unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "nobody"
    }

    /// Two ports of 127.0.0.1 that are free: they were bound and are closed again, so that the program can bind them.
    private static func freePorts() throws(CallFailure) -> (listen: SocketAddress, spare: SocketAddress) {
        let (one, other) = (
            try ClosedPort(host: .ipv4(host: "127.0.0.1", port: 0)),
            try ClosedPort(host: .ipv4(host: "127.0.0.1", port: 0))
        )
        return (one.address, other.address)
    }

    /// `HOST:PORT` of a URL of http.
    private static func authority(of base: String) -> String? {
        guard base.hasPrefix("http://") else { return nil }
        let rest = base.dropFirst("http://".count).prefix { $0 != "/" }
        return rest.isEmpty ? nil : String(rest)
    }
}
