import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestWire
import Testing

/// A scenario with cookies, and what a journal says of them.
enum CookieJournalTests {
    /// `GET /` sets, everything else answers.
    static func yaml(_ reply: String, more: String = "") -> String {
        """
        summary: sets cookies
        exchanges:
          - request: "* /"
            reply: \(reply)
          - { request: "* /*", reply: { status: 200, body: ok } }
        \(more)
        """
    }
}

extension Journal {
    /// The verdicts on requests' cookies, in order.
    var cookieVerdicts: [CookieVerdict] {
        snapshot().entries.compactMap { entry in
            guard case .cookiesJudged(let verdict) = entry.event else { return nil }
            return verdict
        }
    }

    /// The notes on Set-Cookie fields, in order.
    var cookieNotes: [SetCookieNote] {
        snapshot().entries.flatMap { entry -> [SetCookieNote] in
            guard case .cookiesSet(let notes) = entry.event else { return [] }
            return notes
        }
    }
}

/// Sends requests on one connection, each when the reply to the one before is there.
func onWire(_ base: String, _ requests: String...) async throws {
    try await talk(to: base) { wire in
        for request in requests {
            try wire.send(request)
            _ = try wire.readReply()
        }
    }
}
