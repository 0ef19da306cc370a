import ProctorEvents
import ProctorHTTP
import ProctorScenario

/// Compares the request that a redirect proposes with the reply (RFC 9110 §15.4), and an announced canonical request
/// with the one that is sent (R7).
enum ProposedRequestCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        let announcements = Announcements(load)
        return load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            if event.name == .canonicalize {
                return [announced(event, at: index, load, announcements)].compactMap(\.self)
                    + unsent(event, at: index, load, announcements)
            }
            guard event.name == .redirect else { return [] }
            let contrary = contraryFaults(event)
            guard contrary.isEmpty, let status = event.argument.flatMap({ Int($0) }),
                let (method, url) = proposal(event), let exchange = load.exchange(before: index, status: status)
            else { return contrary }
            return unsent(event, at: index, load, announcements)
                + [
                    methodFault(method, event, status, exchange: exchange),
                    urlFault(url, event, status, exchange: exchange, load: load),
                    fieldFault(event.facts.text(.proposedFields), event, url, exchange: exchange),
                ].compactMap(\.self)
        }
    }

    /// `GET http://h/b`; a URLProtocol's recorder may also report it as `method` and `url`.
    private static func proposal(_ event: TraceEvent) -> (method: String, url: String)? {
        if let text = event.facts.text(.proposed) {
            let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
            return parts.count == 2 ? (parts[0], parts[1]) : nil
        }
        guard event.lane == .protocolClient, let method = event.facts.text(.method), let url = event.facts.text(.url)
        else { return nil }
        return (method, url)
    }

    /// When a URLProtocol's recorder reports the next request twice, both reports must be equal.
    private static func contraryFaults(_ event: TraceEvent) -> [ContentFault] {
        guard event.lane == .protocolClient, event.facts[.proposed] != nil, let (method, url) = proposal(event) else {
            return []
        }
        return [(FactKey.method, "method", method), (.url, "url", url)].compactMap { key, field, wanted in
            guard let got = event.facts.text(key), got != wanted else { return nil }
            return event.fault(
                field, wanted: ContentFault.quoted(wanted), got: ContentFault.quoted(got),
                reason: "proposed is the same request")
        }
    }

    // MARK: Fields that are sent

    /// Reports a field that was in the proposed request, and that the next request lacks although the delegate accepted
    /// it.
    ///
    /// Fields of the request before may be dropped, as Content-Type is with the content; and a loader itself sets the
    /// fields of connections and credentials (NSURLRequest reference).
    private static func unsent(
        _ event: TraceEvent, at index: Int, _ load: ContentLoad, _ announcements: Announcements
    ) -> [ContentFault] {
        guard load.isOfFoundation, let text = event.facts.text(.proposedFields), announcements.isAccepted(index),
            let next = load.exchange(after: index), !announcements.isFollowed(index, load)
        else { return [] }
        let word = event.name == .redirect ? "proposed" : "announced"
        let sent = [HTTPField](next.head.fields)
        let before = load.latestExchange(before: index).map { [HTTPField]($0.head.fields) } ?? []
        let made = FieldLines.parsed(text).first { field in
            !own.contains { field.isNamed($0) } && !sent.contains(named: field.name)
                && !before.contains(named: field.name) && !load.sets(field.name)
        }
        guard let made else { return [] }
        return [
            event.fault(
                "\(word) field \(ContentFault.quoted(made.name))", wanted: "none",
                got: ContentFault.quoted(FieldLines.trimmed(made.value)),
                reason: "the request that was accepted went out without it", rule: 7)
        ]
    }

    /// Fields that loaders set themselves (NSURLRequest reference), or do not send to another server.
    private static let own = [
        "Authorization", "Connection", "Host", "Proxy-Authenticate", "Proxy-Authorization", "WWW-Authenticate",
        "Content-Length", "Cookie", "Transfer-Encoding", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade", "Expect",
    ]

    // MARK: Announced requests

    /// Compares the last announced request before a request, when the delegate accepted it without a change.
    private static func announced(
        _ event: TraceEvent, at index: Int, _ load: ContentLoad, _ announcements: Announcements
    ) -> ContentFault? {
        guard announcements.isAccepted(index), let (method, text) = proposal(event),
            let next = load.exchange(after: index), let url = next.url,
            !announcements.isFollowed(index, load)
        else { return nil }
        if method != next.method {
            return event.fault(
                "announced method", wanted: ContentFault.quoted(next.method), got: ContentFault.quoted(method),
                reason: "that is the request which was sent next", rule: 7)
        }
        guard ContentURL.isSame(text, as: url, ownScheme: load.ownScheme) == false else { return nil }
        return event.fault(
            "announced URL", wanted: ContentURL.shown(url), got: ContentFault.quoted(text),
            reason: "that is the request which was sent next", rule: 7)
    }

    /// What follows each announcement and redirect of a load, collected in one pass from the end.
    private struct Announcements {
        /// For each of them, whether the next answer to an event of its kind accepts it.
        private var accepted: [Int: Bool] = [:]
        /// For each of them, the index of the next one.
        private var followers: [Int: Int] = [:]

        init(_ load: ContentLoad) {
            var isAccepted: [String: Bool] = [:]
            var follower: Int?
            for index in load.events.indices.reversed() {
                let event = load.events[index]
                if event.name == .answer, let question = event.facts.text(.to) {
                    isAccepted[question] = event.argument == "accept" || event.argument == "follow"
                }
                guard event.name == .canonicalize || event.name == .redirect else { continue }
                accepted[index] = isAccepted[event.name.rawValue]
                followers[index] = follower
                follower = index
            }
        }

        /// Whether the delegate accepted it; true also when the delegate was not asked.
        func isAccepted(_ index: Int) -> Bool { accepted[index] ?? true }

        /// Whether another announcement or a redirect comes before the next exchange.
        func isFollowed(_ index: Int, _ load: ContentLoad) -> Bool {
            followers[index].map { load.begunCount(before: $0) == load.begunCount(before: index) } ?? false
        }
    }

    // MARK: Method

    private static func methodFault(
        _ method: String, _ event: TraceEvent, _ status: Int, exchange: SeenExchange
    ) -> ContentFault? {
        // An extended CONNECT opens the WebSocket of a GET.
        let before = exchange.head.namesProtocol ? "GET" : exchange.method
        let (right, section): ([String], String)
        switch status {
        case 301: (right, section) = (before == "POST" ? ["GET", "POST"] : [before], "RFC 9110 §15.4.2")
        case 302: (right, section) = (before == "POST" ? ["GET", "POST"] : [before], "RFC 9110 §15.4.3")
        // The client sends a retrieval request, which may be HEAD.
        case 303: (right, section) = (before == "HEAD" ? ["HEAD", "GET"] : ["GET", "HEAD"], "RFC 9110 §15.4.4")
        case 307, 308: (right, section) = ([before], "RFC 9110 §15.4.\(status == 307 ? 8 : 9)")
        default: return nil
        }
        guard !right.contains(method) else { return nil }
        let isLeftOpen = status < 303 && method == "GET"
        return event.fault(
            "proposed method", wanted: right.joined(separator: " or "), got: ContentFault.quoted(method),
            reason: "\(before) was answered with \(status) (\(section))", weight: isLeftOpen ? .observation : .failure)
    }

    // MARK: URL

    private static func urlFault(
        _ text: String, _ event: TraceEvent, _ status: Int, exchange: SeenExchange, load: ContentLoad
    ) -> ContentFault? {
        guard let url = exchange.url, let location = exchange.single("Location"), isPlain(location),
            case .follow(let next) = RedirectDecision(
                status: status, replyFields: exchange.replyFields, method: exchange.method, url: url, fields: []),
            ContentURL.isSame(text, as: next.url, ownScheme: load.ownScheme) == false
        else { return nil }
        return event.fault(
            "proposed URL", wanted: ContentURL.shown(next.url), got: ContentFault.quoted(text),
            reason: "Location was \(WireText.quoted(location)) (RFC 9110 §10.2.2)")
    }

    /// Whether all clients read the Location in the same way: a URI reference without anything that RFC 3986 leaves
    /// open.
    private static func isPlain(_ location: [UInt8]) -> Bool {
        do throws(URIViolation) {
            let reference = try URIReference(parsing: location)
            guard reference.userinfo == nil, reference.host?.contains(UInt8(ascii: "%")) != true else { return false }
            return reference.scheme == nil || reference.authority != nil
        } catch { return false }
    }

    // MARK: Fields

    /// Reports secrets for one origin in a request to another as an observation: §15.4 only asks clients to consider
    /// removing them.
    private static func fieldFault(
        _ text: String?, _ event: TraceEvent, _ url: String, exchange: SeenExchange
    ) -> ContentFault? {
        guard let text, let from = exchange.url, let to = try? ClientURL(url), to.origin != from.origin else {
            return nil
        }
        let sent = [HTTPField](exchange.head.fields)
        let leaked = FieldLines.parsed(text).first { field in
            secrets.contains { field.isNamed($0) }
                && sent.contains { $0.isNamed(field.name) && $0.bytes == field.bytes }
        }
        return leaked.map { field in
            event.fault(
                "proposed field \(ContentFault.quoted(field.name))", wanted: "none", got: "that of the request before",
                reason: "\(from.origin) and \(to.origin) are two origins (RFC 9110 §15.4)", weight: .observation)
        }
    }

    private static let secrets = ["Authorization", "Proxy-Authorization", "Cookie"]
}
