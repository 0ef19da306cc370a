import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares the protocol in `metrics` with that of the connection (URLSessionTaskTransactionMetrics reference).
///
/// With a proxy or a cache, the protocol of any request of the run is right: a tunnel may carry another protocol than
/// the connection to the proxy, and a stored response has the protocol with which it was received.
enum MetricsProtocolCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .metrics, let got = event.facts.text(.protocol) else { return nil }
            let isOfRun = load.hasCache || load.hasProxy
            guard let exchanges = isOfRun ? load.exchangesOfRun?.all : load.latestExchange(before: index).map({ [$0] }),
                !exchanges.isEmpty
            else { return nil }
            let wanted = exchanges.flatMap {
                $0.head.version == .http3 ? ["h3"] : $0.head.isMultiplexed ? ["h2"] : ["http/1.1", "http/1.0"]
            }
            guard !wanted.contains(got) else { return nil }
            return event.fault(
                "protocol", wanted: wanted[0], got: ContentFault.quoted(got),
                reason: isOfRun ? "no request went out by another" : "the last request went out by it", rule: 41)
        }
    }
}

/// Reports tasks without `metrics` when another task of the same client has them.
///
/// Each task that ran has metrics, cancelled and cached ones included (URLSessionTaskDelegate reference).
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

/// Reports `willCache` of a load without a request, since only responses from a server are stored
/// (URLSessionDataDelegate reference, R32).
///
/// Also compares its bytes with the content of the reply.
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
            guard let got = event.facts.integer(.bytes), let exchange = load.latestExchange(before: index),
                exchange.isWhole,
                exchange.status != 304, !exchange.isMixedReplace, !exchange.contents.isEmpty,
                !exchange.contents.contains(where: { $0.byteCount == got })
            else { return nil }
            return event.fault(
                "bytes", wanted: "\(exchange.contents[0].byteCount)", got: "\(got)",
                reason: "the response that is to be stored has that content", rule: 32)
        }
    }
}
