import ProctorBase

/// A word of a search, with the synonyms that fixtures use.
package struct SearchTerm: Sendable, Equatable {
    /// The word in lower case; several words when the table of synonyms lists them together.
    package let word: String
    package let others: [String]

    /// The terms of a text, in its order of words, phrases before single words.
    ///
    /// Words that say nothing, as `my`, are left out where others stand beside them.
    package static func terms(of text: String) -> [SearchTerm] {
        let marks: Set<Character> = ["?", "!", ",", ";"]
        var words = text.lowercased().split { $0.isWhitespace || marks.contains($0) }.map(String.init)[...]
        var terms: [SearchTerm] = []
        while !words.isEmpty {
            let count = [3, 2].first { $0 <= words.count && synonyms[phrase(words.prefix($0))] != nil } ?? 1
            let word = phrase(words.prefix(count))
            words.removeFirst(count)
            terms.append(SearchTerm(word: word, others: synonyms[word] ?? []))
        }
        let telling = terms.filter { !empty.contains($0.word) }
        return telling.isEmpty ? terms : telling
    }

    private static func phrase(_ words: ArraySlice<String>) -> String { words.joined(separator: " ") }

    /// Words that say nothing beside others.
    package static let empty: Set<String> = [
        "a", "an", "the", "my", "i", "is", "are", "it", "its", "be", "of", "to", "in", "on", "for", "and", "or", "with",
        "when",
        "how", "do", "does", "why", "what", "not", "no", "never", "client",
    ]

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
            ["time/", "time-out", "time runs out", "time of the load", "stall", "slow", "hang"]
        ),
        (["slow", "latency", "delay"], ["wait", "pace", "trickle", "time/"]),
        (["hang", "hangs", "stuck", "freezes", "waits forever"], ["stall", "silence", "silent", "hang", "slow"]),
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
        (
            ["self signed", "self-signed", "untrusted", "not trusted", "unknown authority"],
            ["tls/cert/self-signed", "self-signed", "untrusted", "unknown authority"]
        ),
        (["cookie not sent", "cookies not sent", "cookie missing", "missing cookie", "cookie lost"], ["cookie"]),
        (["proxy auth", "proxy authentication", "proxy password", "proxy login"], ["proxy-auth", "407", "proxy"]),
        (["flaky", "intermittent", "sometimes", "unreliable"], ["turns", "random", "of three", "503"]),
        (["mtls", "client certificate"], ["tls/client"]),
        (["stream", "streaming", "sse"], ["server-sent", "event-stream", "chunked"]),
        (["websocket", "websockets", "web socket"], ["ws/", "upgrade", "101"]),
        (["disconnect", "disconnects", "connection lost"], ["reset", "closed", "fault/"]),
        (["etag", "conditional", "revalidation"], ["if-none-match", "304", "cache/"]),
        (["resume", "partial"], ["range/", "206", "goes on"]),
        (["unicode", "idn"], ["utf-8", "punycode", "a-label"]),
        (["keep-alive", "keepalive", "reuse"], ["persist", "same connection", "connection goes on"]),
        (["http2", "http/2"], ["h2/", "http/2", "http2"]),
        (["http3", "http/3", "quic", "qpack"], ["h3/", "http/3", "http3"]),
        (["not found"], ["404"]),
        (["pipelining", "pipelined"], ["pipeline/"]),
        (
            ["bomb", "zip bomb", "gzip bomb", "decompression bomb"],
            ["coding/gzip-of-ten-megabytes", "h2/flood", "endless", "for ever"]
        ),
        (["netrc", ".netrc"], ["userinfo", "credential", "password"]),
        (["no_proxy", "no proxy", "noproxy"], ["proxy/pac/", "direct", "proxy"]),
        (["key update", "keyupdate", "renegotiation"], ["tls/handshake/", "after-the-handshake"]),
        (["server error", "outage"], ["500", "502", "503"]),
        (["infinite loop", "redirect loop", "too many"], ["loop", "endless", "for ever"]),
        (["truncated", "incomplete"], ["too-short", "breaks off", "break off", "ends before", "not complete"]),
    ]
}
