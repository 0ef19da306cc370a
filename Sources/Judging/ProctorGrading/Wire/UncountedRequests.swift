import ProctorHTTP

/// Requests of a journal that a case does not count, and the connections that carried no other request or only tried TLS.
///
/// Both by their numbers in the journal.
struct UncountedRequests {
    let requests: Set<Int>
    let connections: Set<Int>

    static let none = UncountedRequests(requests: [], connections: [])

    var isEmpty: Bool { requests.isEmpty && connections.isEmpty }
}

extension WireRecord {
    /// The requests that a client makes by itself, whatever its caller loads, and that no exchange answers.
    func requestsOfClientItself(besides contrary: Set<String>) -> UncountedRequests {
        uncounted(exchanges.filter { $0.isMissed && $0.head.isOfClientItself }, besides: contrary)
    }

    /// Handshakes of TLS that came to a port of plain HTTP, from a client that then went on in plain HTTP.
    ///
    /// No specification forbids to try. At `contrary` origins the URL itself asks for TLS.
    func trialsOfTLS(besides contrary: Set<String>) -> [Seen<Violation>] {
        violations.filter { seen in
            guard seen.note.kind == .tlsHandshake, let tried = seen.connection, connections[tried].requests.isEmpty,
                let origin = connections[tried].origin, !contrary.contains(origin)
            else { return false }
            return exchanges.contains {
                $0.sequence > seen.sequence && connections[$0.connection].origin == origin
            }
        }
    }

    /// Safe requests that came before with the same credentials, cookies and conditions, those behind the first
    /// `keptCount` of each; empty where more than ``repetitionLimit`` requests are alike beyond those.
    ///
    /// RFC 9110 §9.2.2 permits a client to repeat a safe request. One with a credential that a guard refused is no
    /// repetition of this kind (RFC 9110 §15.5.2), and neither is one that asks for another protocol.
    func repetitions(keeping keptCount: Int) -> [SeenExchange] {
        var counts: [[[UInt8]]: Int] = [:]
        let repeated = exchanges.filter { exchange in
            guard let key = exchange.repeatedKey else { return false }
            counts[key, default: 0] += 1
            return counts[key, default: 0] > keptCount
        }
        return counts.values.contains { $0 > keptCount + Self.repetitionLimit } ? [] : repeated
    }

    /// The most repetitions of one request that are tolerated.
    static let repetitionLimit = 8

    func uncounted(_ left: [SeenExchange], besides contrary: Set<String>) -> UncountedRequests {
        let lost = Set(left.map(\.number))
        let carriers = connections.filter { !$0.requests.isEmpty && $0.requests.allSatisfy(lost.contains) }
        let tries = trialsOfTLS(besides: contrary).compactMap { $0.connection.map { connections[$0].number } }
        return UncountedRequests(
            requests: Set(left.compactMap(\.journalNumber)), connections: Set(carriers.map(\.number) + tries))
    }
}

extension SeenExchange {
    /// What a repetition has in common with its first request; nil for a request that is not safe to repeat.
    fileprivate var repeatedKey: [[UInt8]]? {
        guard head.hasMethod("GET") || head.hasMethod("HEAD"), head.framing == .none, !head.namesProtocol,
            values("Upgrade").isEmpty, !verdicts.contains(where: \.isRefusal)
        else { return nil }
        return [Array(head.methodBytes), target, Array((origin ?? "").utf8)]
            + Self.tellingFields.map { name in Array(values(name).joined(separator: [0x0A])) }
    }

    /// The fields with another value of which a request asks for something else.
    ///
    /// Range is none of them: a client that loads a file in parts asks for the same resource.
    private static let tellingFields = [
        "Host", "Authorization", "Proxy-Authorization", "Cookie", "If-None-Match", "If-Modified-Since", "If-Match",
        "If-Unmodified-Since", "Last-Event-ID",
    ]
}
