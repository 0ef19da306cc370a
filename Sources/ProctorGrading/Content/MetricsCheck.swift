import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares the protocol that `metrics` name with that of the connection (URLSessionTaskTransactionMetrics reference).
///
/// By a proxy and with a cache it is that of any request of the run: within a tunnel another protocol may be spoken than with
/// the proxy, and a stored response has the one that it came by.
enum MetricsProtocolCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .metrics, let got = event.facts.text(.protocol) else { return nil }
            let isOfRun = load.hasCache || load.hasProxy
            guard let exchanges = isOfRun ? load.exchangesOfRun?.all : load.exchange(before: index).map({ [$0] }),
                !exchanges.isEmpty
            else { return nil }
            let wanted = exchanges.flatMap { $0.request.head.isMultiplexed ? ["h2"] : ["http/1.1", "http/1.0"] }
            guard !wanted.contains(got) else { return nil }
            return event.fault(
                "protocol", wanted: wanted[0], got: ContentFault.quoted(got),
                reason: isOfRun ? "no request went out by another" : "the last request went out by it", rule: 41)
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
///
/// Compares its bytes with the content of the reply.
enum WillCacheCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .willCache else { return nil }
            guard load.begunCount(before: index) != 0 else {
                return event.fault(
                    "willCache", wanted: "none", got: "one",
                    reason: "no request went out: the response came out of the cache", rule: 32)
            }
            guard let got = event.facts.integer(.bytes), let exchange = load.exchange(before: index), exchange.isWhole,
                exchange.status != 304, !exchange.isMixedReplace, !exchange.contents.isEmpty,
                !exchange.contents.contains(where: { $0.byteCount == got })
            else { return nil }
            return event.fault(
                "bytes", wanted: "\(exchange.contents[0].byteCount)", got: "\(got)",
                reason: "the response that is to be stored has that content", rule: 32)
        }
    }
}
