internal import ProctorScenario

/// The exchanges that a program comes by, as far as its scenario tells: its own, and those that redirects lead to.
struct CurlRoute: Sendable {
    /// In the order in which they come; each once.
    private(set) var exchanges: [Exchange] = []

    /// `location` is the absolute URL of the program.
    init(from location: String, following: Bool, of scenario: Scenario, at place: PlaceOfScenario) {
        let context = place.context
        var waiting = [location]
        while let next = waiting.popLast(), exchanges.count < 16 {
            let (origin, target) = Self.parts(of: next, at: place)
            for exchange in scenario.exchanges
            where (origin == nil || exchange.origin == origin) && exchange.request.target.matches(Array(target.utf8))
                && !exchanges.contains(where: { $0.index == exchange.index })
            {
                exchanges.append(exchange)
                guard following else { continue }
                for field in exchange.replies.flatMap(\.redirects) {
                    waiting.append(String(decoding: field.rendered(in: context), as: UTF8.self))
                }
            }
        }
    }

    /// Origins other than the first at which somebody is asked for credentials.
    var asksElsewhere: Bool {
        exchanges.contains { $0.origin != exchanges.first?.origin && ($0.asks || !$0.guards.isEmpty) }
    }

    /// Of all exchanges, by index.
    var guards: Set<Int> { Set(exchanges.flatMap(\.guards)) }

    /// An origin (nil: any, for a proxy stands for hosts that nobody has) and the target as the exchange has it.
    private static func parts(of url: String, at place: PlaceOfScenario) -> (origin: Int?, target: String) {
        if url.hasPrefix(place.base) { return (0, String(url.dropFirst(place.base.count))) }
        guard let scheme = url.firstRange(of: "://") else { return (nil, url) }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard let origin = place.authorities.firstIndex(of: host) else { return (nil, url) }
        let target = String(rest.dropFirst(authority.count))
        return (origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension Exchange {
    /// Whether a reply of its own asks, without any guard.
    var asks: Bool { replies.contains { $0.structured.map { $0.status == 401 || $0.status == 407 } ?? false } }
}

extension Reply {
    fileprivate var redirects: [Template] {
        guard let reply = structured, (300...399).contains(reply.status) else { return [] }
        return reply.headers.filter { String(decoding: $0.name, as: UTF8.self).lowercased() == "location" }.map(\.value)
    }
}
