import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares the protocol that `metrics` name with that of the connection (URLSessionTaskTransactionMetrics reference).
///
/// Not of a load by a proxy, where the connection to the proxy may have another one than the request within its tunnel.
enum MetricsProtocolCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .metrics, let got = event.facts.text(.protocol),
                let exchange = load.exchange(before: index), !load.hasCache, !load.hasProxy
            else { return nil }
            let wanted = exchange.request.head.isMultiplexed ? ["h2"] : ["http/1.1", "http/1.0"]
            guard !wanted.contains(got) else { return nil }
            return event.fault(
                "protocol", wanted: wanted[0], got: ContentFault.quoted(got),
                reason: "the last request went out by it", rule: 41)
        }
    }
}

/// Reports tasks without `metrics` where another task of the same client has them: they come for each task that ran,
/// cancelled and cached ones included (URLSessionTaskDelegate reference).
enum MetricsForEachCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        guard evidence.isComplete, !evidence.isScripted else { return [] }
        let entered = evidence.events.filter { $0.phase == .enter }
        let resumed = Set(entered.filter { $0.lane == .harness && $0.name == .resume }.map(\.task))
        let measured = Set(entered.filter { $0.lane == .task && $0.name == .metrics }.map(\.task))
        guard !measured.isEmpty else { return [] }
        return entered.filter { event in
            event.lane == .task && event.name == .complete && resumed.contains(event.task)
                && !measured.contains(event.task)
                && (event.family == .sessionData || event.family == .sessionDownload)
        }.map { event in
            event.fault(
                "metrics", wanted: "one before the end", got: "missing", reason: "the client has them for other tasks",
                rule: 41)
        }
    }
}

/// Reports `willCache` of a load without a request: it is asked of what came from a server (URLSessionDataDelegate
/// reference, R32).
enum WillCacheCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .willCache, load.begunCount(before: index) == 0 else {
                return nil
            }
            return event.fault(
                "willCache", wanted: "none", got: "one",
                reason: "no request went out: the response came out of the cache", rule: 32)
        }
    }
}
