import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    static let cookies: [String: DataReader] = [
        // A Set-Cookie field by RFC 6265 and by its revision.
        "set-cookie": .whole { input, _ in
            CookieLines.both { CookieLines.lines(of: input, edition: $0) }
        },
        "set-cookie-grammar": .whole { input, block in
            SetCookie.violations(of: input).map { GrammarText.place($0, block) }
        },
        "cookie-grammar": .whole { input, block in
            CookieField.violations(of: input).map { GrammarText.place($0, block) }
        },
        // The pairs of a Cookie field, with their places.
        "cookie": .whole { input, _ in
            CookieField(parsing: input).pairs.map {
                "\(ByteText.inLine($0.name))|\(ByteText.inLine($0.value))@\($0.offset)"
            }
        },
        // What stores of both editions send: `per-domain N`, `total N`, `at URL`, `now N`.
        "cookies": .whole { input, block in
            let story = try CookieStory(input, block)
            let limits = CookieLimits(
                perDomain: block.number(ofWord: "per-domain") ?? CookieLimits().perDomain,
                total: block.number(ofWord: "total") ?? CookieLimits().total)
            let lines = CookieEdition.allCases.map { edition in
                var store = CookieStore(edition: edition, limits: limits)
                return CookieLines.told(&store, story, from: block.number(ofWord: "now") ?? CookieStory.start)
            }
            return zip(lines[0], lines[1]).map { $0 == $1 ? $0.0 : "\($0.0) | revised \($1.1)" }
        },
        // What a judge says of requests; with `notes` also of Set-Cookie fields, with `expected` what was expected.
        "cookie-judge": .whole { input, block in
            var judge = CookieJudge()
            return try CookieLines.judged(&judge, CookieStory(input, block), block)
        },
    ]
}

private enum CookieLines {
    static func both(_ lines: (CookieEdition) -> [String]) -> [String] {
        let first = lines(.rfc6265)
        let revised = lines(.rfc6265bis)
        return first == revised ? first : first.map { "first \($0)" } + revised.map { "revised \($0)" }
    }

    static func lines(of field: [UInt8], edition: CookieEdition) -> [String] {
        let refusal = SetCookie.refusal(of: field, edition: edition)
        guard let cookie = SetCookie(parsing: field, edition: edition) else {
            return ["ignored \(refusal.map(\.rawValue) ?? "without a reason")"]
        }
        if let refusal { return ["read, though refused by \(refusal.rawValue)"] }
        var lines = ["\(ByteText.inLine(cookie.name))|\(ByteText.inLine(cookie.value))"]
        if let expires = cookie.expires { lines.append("expires \(expires)") }
        if let maxAge = cookie.maxAge { lines.append("max-age \(maxAge)") }
        if let domain = cookie.domain { lines.append("domain \(ByteText.optional(domain))") }
        if cookie.hasPath { lines.append("path \(cookie.path.map(ByteText.inLine) ?? "default")") }
        if cookie.isSecure { lines.append("secure") }
        if cookie.isHTTPOnly { lines.append("httponly") }
        if let sameSite = cookie.sameSite { lines.append("samesite \(sameSite.rawValue)") }
        if !cookie.attributes.isEmpty { lines.append("attributes \(cookie.attributes.count)") }
        return lines
    }

    /// What a store sends, with the request and without.
    static func told(_ store: inout CookieStore, _ story: CookieStory, from start: Int) -> [(String, String)] {
        var now = start
        var lines: [(String, String)] = []
        for step in story.steps {
            switch step {
            case .sets(let url, let fields):
                for field in fields { store.setCookie(field, from: url, at: now) }
            case .sends(let name, let url, _):
                let field = ByteText.optional(store.field(for: url, at: now))
                lines.append(("\(name) > \(field)", field))
            case .wait(let seconds): now += seconds
            case .endSession: store.endSession()
            case .names:
                let names = store.cookies.map { ByteText.inLine($0.name) }.joined(separator: " ")
                lines.append(("names \(names)", names))
            case .kept:
                for cookie in store.cookies {
                    let words = [
                        ByteText.inLine(cookie.pair), cookie.domain + (cookie.isHostOnly ? " alone" : ""),
                        ByteText.inLine(cookie.path), "since \(cookie.creation - start)",
                        cookie.expiry.map { "until \($0 - start)" }, cookie.isHTTPOnly ? "httponly" : nil,
                        cookie.sameSite?.rawValue,
                    ].compactMap(\.self)
                    lines.append((words.joined(separator: " "), words.joined(separator: " ")))
                }
            case .undecided, .beside: break
            }
        }
        return lines
    }

    static func judged(_ judge: inout CookieJudge, _ story: CookieStory, _ block: Block) throws -> [String] {
        var now = block.number(ofWord: "now") ?? CookieStory.start
        var lines: [String] = []
        var undecided: Set<Int> = []
        var beside: Set<Int> = []
        for step in story.steps {
            switch step {
            case .sets(let url, let fields):
                let notes = judge.set(fields, by: url, at: now, beside: beside)
                guard notes.map(\.field) == fields else { return ["the notes are of other fields"] }
                if block.has("notes") { lines += notes.map(note) }
                beside = []
            case .sends(_, let url, let fields):
                let verdict = judge.judge(fields, to: url, at: now, undecided: undecided)
                guard verdict.sent == fields, verdict.undecidedCount == undecided.count else {
                    return ["another request"]
                }
                lines += told(verdict, block)
                undecided = []
            case .wait(let seconds): now += seconds
            case .undecided(let numbers): undecided = numbers
            case .beside(let numbers): beside = numbers
            case .endSession, .names, .kept: throw RowError(block.line, "a judge can't be told so")
            }
        }
        return lines
    }

    private static func told(_ verdict: CookieVerdict, _ block: Block) -> [String] {
        let editions = verdict.conformsTo.map(\.rawValue).joined(separator: " ")
        var lines = [editions.isEmpty ? "conforms to nothing" : "conforms to \(editions)"]
        lines += verdict.differences.map { "\($0.kind.rawValue) (\($0.section)): \($0.sentence)" }
        if block.has("expected") {
            lines.append("expected \(ByteText.optional(verdict.expected))")
            if let other = verdict.otherwise {
                lines.append("by \(other.edition.rawValue) expected \(ByteText.optional(other.expected))")
                lines += other.differences.map { "by \(other.edition.rawValue) \($0.kind.rawValue) (\($0.section))" }
            }
        }
        return lines
    }

    private static func note(_ note: SetCookieNote) -> String {
        let outcome = note.outcome.rawValue + (note.revisedOutcome.map { ", revised \($0.rawValue)" } ?? "")
        return outcome + (note.remarks.isEmpty ? "" : ": " + note.remarks.joined(separator: " & "))
    }
}
