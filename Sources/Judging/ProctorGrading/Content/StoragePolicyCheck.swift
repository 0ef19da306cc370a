import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Checks the storage policy that a URLProtocol gives its response: whether request and reply permit it.
///
/// A policy that RFC 9111 forbids is a failure; one that differs from the sample CustomHTTPProtocol is an observation.
enum StoragePolicyCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.lane == .protocolClient, event.name == .response, let policy = event.facts.text(.storage),
                let status = event.facts.integer(.status) ?? event.statusOfArgument,
                let exchange = load.exchange(before: index, status: status), exchange.reply?.fields != nil
            else { return nil }
            return fault(of: event, policy, status: status, exchange)
        }
    }

    private static func fault(
        of event: TraceEvent, _ policy: String, status: Int, _ exchange: SeenExchange
    ) -> ContentFault? {
        let requestFields = [HTTPField](exchange.head.fields)
        let isStored = policy != "notAllowed"
        let prohibition = CacheStorage.prohibition(
            method: exchange.method, requestFields: requestFields, status: status, replyFields: exchange.replyFields)
        if let prohibition {
            return isStored
                ? event.fault("storage", wanted: "notAllowed", got: policy, reason: prohibition) : nil
        }
        guard isStored else { return nil }
        if exchange.method != "GET" {
            return event.fault(
                "storage", wanted: "notAllowed", got: policy,
                reason: "few caches store the reply to \(exchange.method) (RFC 9110 §9.3)", weight: .observation)
        }
        guard exchange.url?.origin.scheme == .https, policy == "allowed" else { return nil }
        return event.fault(
            "storage", wanted: "memory", got: policy,
            reason: "what comes over TLS is not kept on a disk (CustomHTTPProtocol, CacheStoragePolicy.m)",
            weight: .observation)
    }
}
