import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorScenario

/// The keys of the session and of the assignment, which are said once for all steps.
extension ActRow {
    static let ofAssignment: [ActRow] = [
        ofProtocol,
        ActRow(
            "assignment.storage", .secondLaunch,
            says: { item, _ in item.client.contains(where: \.isLaunch) ? "a folder" : nil }, .control(.launch)),
    ]

    static let ofSession: [ActRow] =
        [
            ActRow(
                "session.delegates", says: ofSession { $0.delegates == .session ? nil : $0.delegates.rawValue },
                .run(lackOfDelegates)),
            ActRow(
                "session.without", .callbacks,
                says: ofSession { $0.without.isEmpty ? nil : $0.without.map(\.rawValue).joined(separator: ", ") },
                .run { acts in
                    let without = acts.acts(.resume).first?.facts.text(.without)
                    guard acts.grading.evidence.reportsLoads, !acts.acts(.resume).isEmpty, without == nil else {
                        return nil
                    }
                    return "nothing shows that the delegate lacks the methods"
                }),
            ActRow(
                "session.queue", says: ofSession { $0.queue == .serial ? nil : $0.queue.rawValue }, .run(lackOfQueue)),
            ActRow("session.end", .sessionEnd, says: ofSession { $0.end?.rawValue }, .run(lackOfEnd)),
            ActRow(
                "session.endAt", .sessionEnd, says: ofSession { $0.endAt?.word },
                .run { acts in
                    guard let moment = acts.session?.endAt else { return nil }
                    let end = acts.grading.trace.events.first { $0.lane == .harness && $0.name == .invalidate }
                    if let end, let result = acts.acts(.result).first, result.sequence < end.sequence {
                        return "the session ended behind the load"
                    }
                    return acts.lackOfAct(end, at: moment, "the session was ended")
                }),
            ActRow("session.cache", .cache, says: ofSession { $0.cache.map { "\($0) bytes" } }, .control(.cache)),
            ActRow(
                "session.requestTimeout", .timeLimitSilence, says: ofSession { $0.requestTimeout.map { "\($0) ms" } },
                .control(.limit)),
        ] + ofWays

    private static let ofWays: [ActRow] = [
        ActRow("session.proxy", .proxy, says: ofSession { $0.proxy.map { _ in "a proxy" } }, .run(lackOfProxy)),
        ActRow(
            "session.protocols", .urlProtocol,
            says: ofSession { $0.protocols.isEmpty ? nil : $0.protocols.map(\.name).joined(separator: ", ") },
            .run { acts in
                // A session with a configuration of its own asks no class that is registered with the process.
                let names = acts.session?.protocols.filter { $0.place == .session }.map(\.name) ?? []
                let isAsked = acts.grading.trace.events.contains { event in
                    event.lane == .proto && event.argument.map(names.contains) ?? false
                }
                return isAsked || names.isEmpty ? nil : "nothing shows that a class was asked"
            }),
        ActRow("session.identity", .identity, says: ofSession { $0.identity }, .control(.identity)),
    ]

    static func ofSession(_ says: @escaping @Sendable (SessionProgram) -> String?) -> @Sendable (Case, Int) -> String? {
        { item, _ in item.client.first?.session.flatMap(says) }
    }

    /// Why no connection came to the proxy, half a sentence; nil where one did, or where none came anywhere.
    @Sendable private static func lackOfProxy(_ acts: SeenActs) -> String? {
        guard let record = acts.grading.record, let proxy = acts.session?.proxy,
            let authorities = acts.grading.context?.authorities
        else { return nil }
        let proxies = [proxy, acts.session?.httpsProxy].compactMap(\.self).filter(authorities.indices.contains)
        let wanted = proxies.compactMap { index in
            Int(String(decoding: authorities[index].reversed().prefix { $0 != 0x3A }.reversed(), as: UTF8.self))
        }
        let ports = record.connections.compactMap { $0.local?.port }
        let isSeen = wanted.isEmpty || ports.isEmpty || ports.contains { wanted.contains(Int($0)) }
        return isSeen ? nil : "no connection came to the proxy"
    }

    // MARK: Delegates

    /// The delegates tell who was called; a session without one tells of no end of its own.
    @Sendable private static func lackOfDelegates(_ acts: SeenActs) -> String? {
        guard acts.grading.evidence.reportsLoads, !acts.grading.trace.isOfProtocol else { return nil }
        let events = acts.grading.trace.events
        let called = Set(events.lazy.filter(\.isCallback).compactMap { $0.facts.text(.who) })
        let ofTask = called.contains("task") || events.contains { $0.name == .resume && $0.facts.text(.who) == "task" }
        switch acts.session?.delegates {
        case .task: return ofTask ? nil : "no task had a delegate of its own"
        case .both: return ofTask ? nil : "no task had a delegate of its own"
        case Optional.none, .session: return nil
        case SessionProgram.Delegates.none?:
            let isTold =
                called.contains("session") || events.contains { $0.lane == .session && $0.name == .sessionInvalid }
            return isTold ? "the session's delegate was called" : nil
        }
    }

    @Sendable private static func lackOfQueue(_ acts: SeenActs) -> String? {
        guard acts.session?.queue == .main, acts.grading.evidence.reportsLoads else { return nil }
        let elsewhere = acts.grading.trace.events.first { $0.isCallback && $0.queue != nil && $0.queue != "main" }
        return elsewhere.map {
            "\($0.name.rawValue) came on the queue \(EventText.printable($0.queue ?? "", limit: 60))"
        }
    }

    @Sendable private static func lackOfEnd(_ acts: SeenActs) -> String? {
        guard acts.grading.evidence.reportsLoads, let end = acts.session?.end else { return nil }
        let word = end == .finish ? "finish" : "cancel"
        let ends = acts.grading.trace.events.filter { $0.lane == .harness && $0.name == .invalidate }
        if ends.isEmpty { return "nothing shows that the session was ended" }
        return ends.contains { $0.argument == word } ? nil : "the session was ended otherwise"
    }
}

extension ActRow {
    private static let ofProtocol = ActRow(
        "assignment.protocol", .h2, says: { item, _ in item.speaksHTTP2 ? "h2" : nil },
        .run { acts in
            let isSpoken = acts.grading.record.map {
                // A client that offers it and is not to send anything there has done what was said, too. A proxy may speak
                // HTTP/1.1, and open no tunnel.
                $0.exchanges.allSatisfy(\.isConnect) || $0.exchanges.contains { $0.head.stream != nil }
                    || $0.connections.contains { $0.tls.hello?.applicationProtocols.contains("h2") ?? false }
            }
            return isSpoken ?? true ? nil : "no request came over HTTP/2"
        })
}
