import ProctorBase
import ProctorEvents
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// A failure that a script can observe, with its place, so that a script can report whether it occurs again.
struct ShownDeparture: Equatable {
    let place: Place
    /// The failure in one sentence.
    let reason: String

    enum Place: Equatable {
        /// A line of the head of a request, by the request's number.
        case line(Int, [UInt8])
        /// A field that is missing in the request with that number.
        case without(Int, field: String)
        case content(Int, [UInt8])
        /// The requests that arrived: method and target of each.
        case requests([[UInt8]])
        case result(Int, ClientResult)
        /// The client does not end.
        case hang
        /// The server name in the ClientHello of the handshake with that number.
        case serverName(Int, String?)
    }
}

/// The client's report about the end of a step.
struct ClientResult: Equatable {
    /// The status; nil: no response, or none is told.
    let status: Int?
    /// Whether the client tells a status where it has one; a command does not.
    let tellsStatus: Bool
    /// The URL of the response; nil: the client does not report it.
    let url: String?
    /// nil: not known.
    let byteCount: Int?
    let isError: Bool
    /// The client's own error message.
    let message: String?
}

/// Finds the places of all failures, first the one that explains the others.
struct DepartureFinder {
    private let subject: IssueSubject
    private let run: PlayedRun
    let results: [ClientResult]

    init(_ subject: IssueSubject, _ run: PlayedRun) {
        (self.subject, self.run) = (subject, run)
        let facts = subject.evidence.reportedFacts
        results = subject.evidence.events.filter { $0.name == .result }.sorted { $0.task < $1.task }.map { event in
            ClientResult(
                status: event.facts.integer(.status), tellsStatus: facts?.contains(.status) ?? true,
                url: event.facts.text(.url),
                byteCount: event.facts.integer(.bytes) ?? (facts?.contains(.bytes) ?? true ? 0 : nil),
                isError: event.facts[.error] != nil,
                message: event.facts.text(.message))
        }
    }

    var departures: [ShownDeparture] {
        let findings = Array(zip(subject.verdict.findings, subject.record.findings))
        let root = subject.verdict.findings.root
        let failures = findings.filter { $0.0.weight == .failure && $0.0 != root }
        let first = findings.filter { $0.0 == root }.prefix(1)
        var departures: [ShownDeparture] = []
        for (finding, record) in first + failures {
            var reason = reason(of: finding)
            if let section = record.spec.first?.section, !reason.contains(text: section) { reason += " (\(section))" }
            for place in places(of: finding) where isSeen(place) && !departures.contains(where: { $0.place == place }) {
                departures.append(ShownDeparture(place: place, reason: reason))
            }
        }
        return departures
    }

    /// Whether a script can observe the place; it does not read HTTP/2.
    private func isSeen(_ place: ShownDeparture.Place) -> Bool {
        switch place {
        case .result, .serverName, .hang: true
        case .line, .without, .content, .requests: !run.isMultiplexed
        }
    }

    private func reason(of finding: Finding) -> String {
        switch finding.subject {
        case .credential(let verdict):
            guard let request = finding.sequence.flatMap(number), let fault = verdict.faults.first else { break }
            return "the credential of request \(request + 1) is wrong: \(fault.sentence) (\(fault.section))"
        case .expression, .edge:
            guard case .result(let step, let result)? = places(of: finding).first,
                let wanted = finding.wanted.flatMap({ ResultWords.wanted($0, insteadOf: result) })
            else { break }
            return "\(ResultWords.came(result, step: step, of: results.count)); wanted \(wanted)"
        default: break
        }
        return finding.plain ?? finding.sentence
    }

    private func places(of finding: Finding) -> [ShownDeparture.Place] {
        let request = finding.sequence.flatMap(number)
        switch finding.subject {
        case .fact(let name): return places(of: name)
        case .credential(let verdict): return request.map { lines($0, verdict.field) } ?? []
        case .cookies: return request.map { lines($0, "Cookie") } ?? []
        case .miss, .caught: return request.map { [line($0)] } ?? []
        case .violation(let violation): return request.map { [line($0, at: violation.offset)] } ?? []
        case .expression where finding.lane == nil: return [requests]
        case .bound, .unasked: return [requests]
        case .ending(.hung): return [.hang]
        case .result(let step): return result(step)
        case .content, .expression, .edge: return result(finding.lane?.number ?? 0)
        case .frameViolation, .opaque, .gathered, .rule, .grammar, .ending, .unreportedRule, .slices, .state, .reply,
            .webhook, .description, .tolerated:
            return []
        }
    }

    private func places(of name: FactName) -> [ShownDeparture.Place] {
        var request = 0
        if case .wire(let index, _) = name {
            // A fact about a request that did not arrive is shown by the requests that did.
            guard run.requests.indices.contains(index) else { return [requests] }
            request = index
        }
        switch name.row.place {
        case .nowhere: return []
        case .requestLine: return [line(request)]
        case .lines(let fields): return fields.flatMap { lines(request, $0) }
        case .content: return [.content(request, run.requests[request].content)]
        case .requests: return [requests]
        case .refusedCredentials:
            let refused = (subject.evidence.journal ?? []).compactMap { entry -> [ShownDeparture.Place]? in
                guard case .guarded(let verdict) = entry.event,
                    verdict.outcome == .refused || verdict.outcome == .gaveUp,
                    let request = number(entry)
                else { return nil }
                return lines(request, verdict.field)
            }
            return refused.isEmpty ? [requests] : refused.flatMap(\.self)
        case .result:
            if case .client(let step, _) = name { return result(step) }
            return []
        case .serverName:
            guard case .tls(let index, _) = name else { return [] }
            let names = (subject.evidence.journal ?? []).compactMap { entry -> String?? in
                if case .clientHello(let hello) = entry.event { .some(hello.serverName) } else { nil }
            }
            return names.indices.contains(index) ? [.serverName(index, names[index])] : []
        }
    }

    private var requests: ShownDeparture.Place { .requests(run.requests.map(\.name)) }

    private func line(_ request: Int, at offset: Int = 0) -> ShownDeparture.Place {
        guard run.requests.indices.contains(request) else { return requests }
        let lines = run.requests[request].lines
        // A slice of the head keeps the indices of the head.
        let ownLine = lines.first { $0.endIndex >= offset } ?? lines.first ?? []
        return .line(request, Array(ownLine))
    }

    private func lines(_ request: Int, _ field: String) -> [ShownDeparture.Place] {
        guard run.requests.indices.contains(request) else { return [requests] }
        let lines = run.requests[request].lines(ofField: field)
        return lines.isEmpty ? [.without(request, field: field)] : lines.map { .line(request, Array($0)) }
    }

    private func result(_ step: Int) -> [ShownDeparture.Place] {
        results.indices.contains(step) ? [.result(step, results[step])] : []
    }

    /// The number of the request that an entry of the journal is about.
    private func number(_ sequence: UInt64) -> Int? {
        (subject.evidence.journal ?? []).first { $0.sequence == sequence }.flatMap(number)
    }

    private func number(_ entry: JournalEntry) -> Int? {
        guard let request = entry.request else { return nil }
        // Heads have ascending numbers, but a request whose head could not be read has a number without a head.
        var numbers: [Int] = []
        for entry in subject.evidence.journal ?? [] {
            if case .requestHead = entry.event, let number = entry.request { numbers.append(number) }
        }
        return numbers.firstIndex(of: request)
    }
}
