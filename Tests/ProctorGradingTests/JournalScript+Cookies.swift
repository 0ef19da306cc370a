import ProctorHTTP
import ProctorTrace

extension JournalScript {
    /// A request with its Cookie field, and what the model makes of it.
    mutating func judged(
        _ line: String, on connection: Int = 0, cookie: String? = nil, _ verdict: CookieVerdict? = nil
    ) throws {
        let number = try request(line, on: connection, fields: ["Host: x"] + (cookie.map { ["Cookie: \($0)"] } ?? []))
        if let verdict { add(.cookiesJudged(verdict), on: connection, request: number) }
        add(.replySent(status: 200, byteCount: 90), on: connection, request: number)
    }
}

extension CookieVerdict {
    /// By both editions, or by some.
    static func right(_ sent: String?, by editions: [CookieEdition] = CookieEdition.allCases) -> CookieVerdict {
        CookieVerdict(
            sent: sent.map { [Array($0.utf8)] } ?? [], expected: sent.map { Array($0.utf8) }, conformsTo: editions,
            differences: [])
    }

    static func wrong(_ sent: String?, expected: String?, _ differences: CookieDifference...) -> CookieVerdict {
        CookieVerdict(
            sent: sent.map { [Array($0.utf8)] } ?? [], expected: expected.map { Array($0.utf8) },
            conformsTo: differences.allSatisfy { $0.kind == .wrongOrder } ? CookieEdition.allCases : [],
            differences: differences)
    }
}

extension CookieDifference {
    static let lost = CookieDifference(
        .missing, Array("a".utf8), "the cookie \"a=1\" is missing: there is no Cookie field", section: "RFC 6265 §5.4")
    static let strange = CookieDifference(
        .unknown, Array("z".utf8), "nobody set the cookie \"z=9\"", section: "RFC 6265 §5.4")
    static let turned = CookieDifference(
        .wrongOrder, [], "\"b=2\" comes before \"a=1\"", section: "RFC 6265 §5.4")
}
