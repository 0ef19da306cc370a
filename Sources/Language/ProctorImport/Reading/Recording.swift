import ProctorBase
package import ProctorHTTP

/// What a tool has recorded: requests as they were sent, and the replies that came.
package struct Recording: Sendable {
    /// Where it is from, as in "recorded by Chromium 120"; for the summary.
    package let origin: String
    package var exchanges: [RecordedExchange] = []
    /// Words of the recorder that stand for any value in requests.
    var placeholders = Placeholders()
    package var remarks = ImportRemarks()

    package init(by recorder: String) { origin = "recorded by \(PrintableText.sanitize(recorder, limit: 60))" }

    package init(from source: String) { origin = "from \(source)" }
}

/// One request and its reply.
package struct RecordedExchange: Sendable {
    package var place: String
    package var request: RecordedRequest
    package var reply: RecordedReply

    package init(at place: String, _ request: RecordedRequest, _ reply: RecordedReply) {
        (self.place, self.request, self.reply) = (place, request, reply)
    }

    /// The number of bytes of target, fields and contents.
    var byteCount: Int {
        let fields = (request.fields + reply.fields).reduce(0) { $0 + $1.name.utf8.count + $1.bytes.count }
        return request.target.utf8.count + fields + (request.content?.count ?? 0) + reply.content.count
    }
}

package struct RecordedRequest: Sendable {
    package var method: String
    /// `https://shop.example.com`, without a path; empty where the recording does not say it.
    package var origin: String
    /// In origin-form, with its query.
    package var target: String
    /// Segments of the target that stand for any value, as they stand there.
    package var openSegments: Set<String> = []
    package var fields: [HTTPField]
    /// Without chunks; nil where there is none, and where it was not recorded.
    package var content: [UInt8]?
    /// The values of the content as a form, where the source has values that were sent as JSON or as a form.
    package var formContent: [UInt8]?

    package init(
        method: String, origin: String, target: String, fields: [HTTPField] = [], content: [UInt8]? = nil
    ) {
        (self.method, self.origin, self.target, self.fields, self.content) = (method, origin, target, fields, content)
    }

    /// Splits an absolute URL; nil where it has no scheme or no host.
    package init?(method: String, url: String, fields: [HTTPField] = [], content: [UInt8]? = nil) {
        let parts = URIReference(splitting: Array(url.utf8))
        guard let scheme = parts.scheme, let host = parts.host, !host.isEmpty else { return nil }
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        guard ["http", "https"].contains(name) else { return nil }
        var authority = String(decoding: host, as: UTF8.self).lowercased()
        if let port = parts.portNumber, port != (name == "https" ? 443 : 80) { authority += ":\(port)" }
        var target = parts.path.isEmpty ? "/" : String(decoding: parts.path, as: UTF8.self)
        if let query = parts.query { target += "?" + String(decoding: query, as: UTF8.self) }
        self.init(method: method, origin: "\(name)://\(authority)", target: target, fields: fields, content: content)
    }
}

package struct RecordedReply: Sendable {
    package var status: Int
    /// nil where none is recorded, as over HTTP/2.
    package var reason: String?
    /// `HTTP/1.1`, `HTTP/2`.
    package var version: String
    package var fields: [HTTPField]
    package var trailers: [HTTPField] = []
    package var interim: [InterimReply] = []
    package var content: [UInt8]
    /// What the recorder has made of the content codings that the fields name.
    package var codings: Codings
    package var framing = Framing.unknown
    /// The content where it is too long for ``content``, which is empty then.
    package var stored: StoredContent?
    /// How the reply ended before its end; nil where it came whole.
    package var ending: Ending?
    /// Bytes behind the end of the reply that belong to no reply.
    package var surplus: [UInt8] = []
    /// nil where waits are not taken over, and where the source has no times.
    package var times: Times?

    /// What a server did in place of the rest of a reply.
    package enum Ending: String, Sendable {
        case close, reset, stall
    }

    /// Nanoseconds.
    package struct Times: Sendable, Equatable {
        /// From the request to the head of the reply.
        package var beforeHead: UInt64 = 0
        /// From the head to the end of the content.
        package var ofContent: UInt64 = 0

        package init() {}
    }

    package struct InterimReply: Sendable {
        package var status: Int
        package var fields: [HTTPField]
    }

    package enum Codings: Sendable {
        /// The content is as it came.
        case kept
        case undone
        /// The source does not say which; decoding tells.
        case either
    }

    /// How the end of the content was told.
    package enum Framing: Sendable {
        case unknown, length, chunked, untilClose
    }

    package init(
        status: Int, reason: String? = nil, version: String = "HTTP/1.1", fields: [HTTPField] = [],
        content: [UInt8] = [], codings: Codings = .kept
    ) {
        (self.status, self.reason, self.version, self.fields, self.content) = (status, reason, version, fields, content)
        self.codings = codings
    }
}

/// Content in a file of its own, which is another's; as it came, with its codings.
package struct StoredContent: Sendable, Hashable {
    package let path: String
    package let byteCount: Int

    package init(path: String, byteCount: Int) {
        (self.path, self.byteCount) = (path, byteCount)
    }
}

/// What came of a request, beside what a journal holds of it.
package struct RecordedOutcome: Sendable {
    /// The content where a journal does not hold all of it.
    package var stored: StoredContent?
    /// The content that a journal does not hold whole, as it was read; in place of `stored`.
    package var content: [UInt8]?
    /// Why a long content is neither, as the rest of a sentence.
    package var loss: String?
    /// Why there was no whole reply, half a sentence; nil where there was one.
    package var failure: String?
    package var ending: RecordedReply.Ending?
    package var framing = RecordedReply.Framing.unknown
    /// nil where it was empty, and over HTTP/2, which has none.
    package var reason: String?
    package var trailers: [HTTPField] = []
    package var surplus: [UInt8] = []
    package var times = RecordedReply.Times()

    package init() {}
}
