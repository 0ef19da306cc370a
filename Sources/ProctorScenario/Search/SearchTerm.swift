import ProctorBase

/// A word of a search, and others that fixtures use for the same.
package struct SearchTerm: Sendable, Equatable {
    /// In lower case; several words where the table of synonyms has them together.
    package let word: String
    package let others: [String]

    /// The terms of a text, in its order of words, phrases before single words.
    package static func terms(of text: String) -> [SearchTerm] {
        var words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)[...]
        var terms: [SearchTerm] = []
        while let word = words.popFirst() {
            if let next = words.first, let others = synonyms["\(word) \(next)"] {
                words.removeFirst()
                terms.append(SearchTerm(word: "\(word) \(next)", others: others))
            } else {
                terms.append(SearchTerm(word: word, others: synonyms[word] ?? []))
            }
        }
        return terms
    }

    /// Words that people look for, and what scenarios say instead.
    package static let synonyms: [String: [String]] = {
        var table: [String: [String]] = [:]
        for (words, others) in groups {
            for word in words { table[word, default: []] += others }
        }
        return table
    }()

    private static let groups: [(words: [String], others: [String])] = [
        (
            ["timeout", "timeouts", "time out", "time-out", "timed"],
            ["time/", "time-out", "time runs out", "time of the load"]
        ),
        (["slow", "latency", "delay"], ["wait", "pace", "trickle", "time/"]),
        (["hang", "hangs", "stuck"], ["stall", "silence", "silent"]),
        (["retry", "retries", "backoff"], ["retry-after", "503", "asked again", "trying again"]),
        (
            ["rate limit", "rate-limit", "ratelimit", "rate limiting", "throttling", "throttle"],
            ["rate-limit", "429", "retry-after"]
        ),
        (["cors"], ["access-control", "origin:", "another origin"]),
        (["pagination", "paging", "paginate", "paginated"], ["example/pages", "link fields", "in pages"]),
        (["login", "logon", "signin", "sign in", "log in"], ["auth/", "password", "credential", "oauth", "cookie/"]),
        (["password", "credentials"], ["basic", "digest", "credential"]),
        (["token", "jwt", "api key"], ["bearer"]),
        (["upload", "uploads"], ["upload/", "multipart/form-data", "form"]),
        (["form", "forms"], ["x-www-form-urlencoded", "multipart/form-data"]),
        (["compression", "compressed", "gzip", "brotli", "zstd"], ["coding/", "content-encoding"]),
        (["ssl", "https"], ["tls"]),
        (["certificates", "certificate"], ["tls/cert"]),
        (["mtls", "client certificate"], ["tls/client"]),
        (["stream", "streaming", "sse"], ["server-sent", "event-stream", "chunked"]),
        (["websocket", "websockets"], ["upgrade", "101"]),
        (["disconnect", "disconnects", "connection lost"], ["reset", "closed", "fault/"]),
        (["etag", "conditional", "revalidation"], ["if-none-match", "304", "cache/"]),
        (["resume", "partial"], ["range/", "206", "goes on"]),
        (["unicode", "idn"], ["utf-8", "punycode", "a-label"]),
        (["keep-alive", "keepalive", "reuse"], ["persist", "same connection", "connection goes on"]),
        (["http2", "http/2"], ["h2/"]),
        (["not found"], ["404"]),
        (["server error", "outage"], ["500", "502", "503"]),
        (["infinite loop", "redirect loop", "too many"], ["loop", "endless", "for ever"]),
        (["truncated", "incomplete"], ["too-short", "breaks off", "break off", "ends before", "not complete"]),
    ]
}
