internal import ProctorBase
internal import ProctorReplies
internal import ProctorScenario

/// The exchanges that a program meets: its first one, and those that redirects lead to.
struct CurlRoute: Sendable {
    private(set) var exchanges: [Exchange] = []

    /// `location` is the absolute URL of the program.
    init(from location: String, following: Bool, of scenario: Scenario, at place: PlaceOfScenario) {
        let context = place.context
        var waiting = [location]
        while let next = waiting.popLast(), exchanges.count < 16 {
            let (origin, target) = Self.parts(of: next, at: place)
            for exchange in scenario.exchanges
            where (origin == nil || exchange.origin == origin) && exchange.request.takes(target: Array(target.utf8))
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

    /// Whether another origin than the first needs credentials, by a guard or by a reply of its own.
    var asksElsewhere: Bool {
        exchanges.contains { exchange in
            let asks = exchange.replies.contains { [401, 407].contains($0.structured?.status) }
            return exchange.origin != exchanges.first?.origin && (asks || !exchange.guards.isEmpty)
        }
    }

    var guards: Set<Int> { Set(exchanges.flatMap(\.guards)) }

    /// The origin and the target for its exchanges; the origin is nil for an unknown host, which a proxy replaces.
    private static func parts(of url: String, at place: PlaceOfScenario) -> (origin: Int?, target: String) {
        if url.hasPrefix(place.base) { return (0, String(url.dropFirst(place.base.count))) }
        guard let scheme = url.firstRange(ofText: "://") else { return (nil, url) }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        guard let origin = place.authorities.firstIndex(of: host) else { return (nil, url) }
        let target = String(rest.dropFirst(authority.count))
        return (origin, target.hasPrefix("/") ? target : "/" + target)
    }
}

extension Reply {
    fileprivate var redirects: [Template] {
        guard let reply = structured, (300...399).contains(reply.status) else { return [] }
        return reply.headers.filter { $0.name.isFieldName("location") }.map(\.value)
    }
}

extension [UInt8] {
    /// Ignores letter case; `name` is in lower case.
    func isFieldName(_ name: StaticString) -> Bool { map(\.asciiLowercased).elementsEqual("\(name)".utf8) }
}
