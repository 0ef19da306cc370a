/// The name of a measurable fact.
package enum FactName: Sendable, Hashable {
    /// `wire.count`: how many requests arrived.
    case requestCount
    /// `tunnels`: how many tunnels were opened through proxies.
    case tunnelCount
    /// `client.memory`, `client.processor`: what the processes of the client took of the machine.
    case spent(Resource)
    /// `pipelined`: how many requests came before a reply to one before them on their connection had gone out.
    case pipelinedCount
    /// `wire[N].…`: of a request, in the order of arrival.
    case wire(index: Int, WireFact)
    /// `connections`: how many connections were accepted.
    case connectionCount
    /// `connection[N].…`: of a connection, in the order of acceptance.
    case connection(index: Int, ConnectionFact)
    /// `auth.…` of all guards together (nil), or `auth[NAME].…` of one guard.
    case guarding(guardName: String?, GuardFact)
    /// `tls.handshakes`: the number of completed handshakes, resumptions included.
    case handshakeCount
    /// `tls.failures`: the number of handshakes that began and failed.
    case handshakeFailureCount
    /// `tls[N].…`: of a connection on which a handshake began, in order.
    case tls(index: Int, TLSFact)
    /// `socks[N].…`: of a connection on which a client spoke SOCKS, in order.
    case socks(index: Int, SOCKSFact)
    /// `dns.count`: how many questions the run's server of DNS was asked.
    case questionCount
    /// `dns.questions`: the different questions, in the order in which they first came.
    case questions
    /// `dns[N].…`: of a question, in the order of arrival.
    case dns(index: Int, DNSFact)
    /// `h2.connections`: the number of connections on which the client spoke HTTP/2.
    case http2ConnectionCount
    /// `h2.streams`: how many streams the client opened, including those without a request.
    case streamCount
    /// `stream[N].…`: of a stream, in the order in which the client opened streams on all connections.
    case stream(index: Int, StreamFact)
    /// `h2[N].…`: of a connection on which the client spoke HTTP/2, in order.
    case http2(index: Int, HTTP2Fact)
    /// `h3.connections`: the number of connections on which the client spoke HTTP/3.
    case http3ConnectionCount
    /// `h3[N].…`: of a connection on which the client spoke HTTP/3, in order.
    case http3(index: Int, HTTP3Fact)
    /// `ws.count`: how many WebSockets were opened.
    case webSocketCount
    /// `ws[N].…`: of a WebSocket, in the order in which they were opened.
    case webSocket(index: Int, WebSocketFact)
    /// A fact that the client reports: `status`, `url`, `body` …, with its step (0 by default).
    case client(step: Int, ClientFact)

    package enum WireFact: Sendable, Hashable {
        case method, target, version, body, bodyLength, connection, origin, violations, fieldNames
        /// The framing of the content: `none`, `length` or `chunked`.
        case framing
        /// The byte counts of the chunks in order, without the last chunk.
        case chunks
        /// Milliseconds between the end of the previous request's head and this one's.
        case gap
        /// `headers.NAME`; compared without regard to case.
        case header(String)
        /// `trailers.NAME`; compared without regard to case.
        case trailer(String)
        /// `form.NAME`: the decoded values of application/x-www-form-urlencoded.
        case form(String)
        /// `query.NAME`: the decoded values in the query of the target.
        case query(String)
        /// `auth`: the result of the last guard (GuardVerdict.Outcome); absent when no guard judged the request.
        case guardOutcome
        /// `auth.faults`: the kinds of the credential's faults, in order.
        case guardFaults
        /// `credentials.NAME`, or `proxy-credentials.NAME`: a parameter of (Proxy-)Authorization without its quotes;
        /// NAME may also be `scheme` or `token68`.
        case credentials(String, isProxy: Bool)
        /// `cookies`: the names of the cookies in the Cookie field, in order; absent without the field.
        case cookieNames
        /// `cookies.NAME`: the value of a cookie in the Cookie field; a list when the name occurs several times.
        case cookie(String)
        /// `target-form`: `origin`, `absolute`, `authority` or `asterisk` as it arrived (RFC 9112 §3.2).
        case targetForm
        /// `authority`: the authority of a target in absolute-form or authority-form, as it arrived.
        case authority
        /// `parts`: the number of parts of multipart/form-data.
        case partCount
        /// `parts[N].…`: of one part of multipart/form-data.
        case part(index: Int, PartFact)
        /// `chunk-lines`: the chunk-size lines as they arrived, with that of the last chunk.
        case chunkLines
        /// `withheld`: `true` when the client did not send its content because it got no 100 (RFC 9110 §10.1.1).
        case withheld
        /// `opaque`: the bytes that arrived after the reply, when the connection was no longer HTTP.
        case opaque
        /// `opaque.length`: the number of bytes of `opaque`.
        case opaqueLength
        /// `reply.…`: of the final reply that was sent.
        case reply(ReplyFact)
        /// `reply.headers.NAME`; compared without regard to case.
        case replyHeader(String)
        /// `stream`: the id of the request's stream; absent over HTTP/1.1.
        case stream
        /// `reused`: `true` when its connection had carried another request before.
        case reused
        /// `behind`: how many requests before it on its connection had no whole reply when it came; absent over HTTP/2.
        case behind
        /// `coalesced`: `true` when its connection had carried a request for another authority before.
        case coalesced
    }

    package enum Resource: String, Sendable, Hashable, CaseIterable {
        /// The most bytes of memory that one process of the client had, as resident pages.
        case memory
        /// The milliseconds of processor time of all processes of the client, in the program and in the system.
        case processor
    }

    package enum ReplyFact: String, Sendable, Hashable, CaseIterable {
        case status, body
        case bodyLength = "body.length"
    }

    package enum PartFact: String, Sendable, Hashable, CaseIterable {
        case name, filename, filenameSpelling, type, body
    }

    package enum ConnectionFact: String, Sendable, Hashable, CaseIterable {
        case requests, closedBy, end
        /// The origin whose port or address it came to.
        case origin
        /// `h2` or `http/1.1`; absent when the client spoke neither.
        case speech = "protocol"
        /// The number of streams that the client opened.
        case streams
    }

    package enum GuardFact: String, Sendable, Hashable, CaseIterable {
        /// The number of credentials that were judged.
        case attempts
        /// The number of refused credentials, without those that were only stale.
        case failures
        /// The number of replies with a challenge.
        case challenges
        /// The scheme of the last credential, in lower case.
        case scheme
        /// The user of the last credential.
        case user
        /// The nonce counts of all Digest credentials, in order, in decimal.
        case nc
        /// The kinds of all faults of credentials, in order.
        case faults
    }

    package enum SOCKSFact: String, Sendable, Hashable, CaseIterable {
        /// `SOCKS4`, `SOCKS4a` or `SOCKS5`, as the greeting or the request says.
        case version
        /// The offered methods in order, and the selected one.
        case methods, method
        /// The user of RFC 1929 or of SOCKS 4, and whether it was `accepted` or `refused`.
        case user, login
        case command
        /// `name`, `ipv4` or `ipv6`.
        case addressType = "address-type"
        case host, port
        case violations
    }

    package enum DNSFact: String, Sendable, Hashable, CaseIterable {
        case name, type
        /// `udp` or `tcp`.
        case transport
        /// Milliseconds since the question before.
        case gap
        /// What was done about it, in order.
        case replies
        case violations
    }

    package enum TLSFact: String, Sendable, Hashable, CaseIterable {
        /// The negotiated values, by their IANA names.
        case version, cipher, group, alpn
        /// The server name that the client sent (RFC 6066 §3).
        case serverName = "server-name"
        /// `true` when the handshake was a resumption.
        case resumed
        /// The profile of the server's certificate.
        case certificate
        /// The finding about the client's certificate.
        case client
        /// The name of the client's last fatal alert.
        case alert
        /// How the handshake ended: `secured` or `failed`.
        case end
        /// The versions that the ClientHello offered, in its order.
        case offeredVersions = "offered.versions"
        case offeredCiphers = "offered.ciphers"
        case offeredGroups = "offered.groups"
        case offeredALPN = "offered.alpn"
        case offeredExtensions = "offered.extensions"

        /// Whether the fact is about the ClientHello's offers, which may have several values.
        package var isOffer: Bool { rawValue.hasPrefix("offered.") }
    }

    package enum WebSocketFact: String, Sendable, Hashable, CaseIterable {
        /// The number of the opening request.
        case request
        /// Those of the client: texts, and binary ones in hexadecimal digits.
        case messages
        case subprotocol = "protocol"
        case extensions
        /// The code of the client's Close.
        case close
        case closeReason = "close-reason"
        /// The payloads of the client's.
        case pings, pongs
        /// The opcodes of the client's frames.
        case frames
        /// How many of the client's frames have the masking key of an earlier one.
        case repeatedMasks = "repeated-masks"
        case violations
    }

    package enum ClientFact: Sendable, Hashable {
        case status, url, body, bodyLength, mime, suggestedName, expectedLength, error
        /// The charset of the response, as the client's API reports it.
        case textEncodingName
        /// The client's own phrase for the status code.
        case statusText
        /// `error.message`: the error's description for a person.
        case errorMessage
        /// `error.message.length`: its length in bytes.
        case errorMessageLength
        /// `header.NAME`: the result of the client's look-up of a field, with NAME in this spelling.
        case header(String)
        /// `stored.cookies`: the names of the stored cookies for the step's URL, sorted.
        case storedCookies
        /// `stored.cookies.NAME`: the value of a stored cookie.
        case storedCookie(String)
        /// `stored.PROPERTY.NAME`: a property of a stored cookie.
        case storedProperty(CookieProperty, name: String)
        /// `cached.…`: of the cached response to the step's request.
        case cached(CachedFact)
        /// `cached.notes.NAME`: a value that the application has stored with the response.
        case cachedNote(String)
        /// `willCache.storage`: the storage policy that the client proposes when it asks whether to store a response.
        case proposedStorage
        /// `metrics.protocol`: the protocol of the last request, as the client's metrics name it.
        case measuredProtocol
        /// `redirect[N].…`: of the response of the N-th redirect that the client reported, counted from 0.
        case redirect(index: Int, RedirectFact)
        /// The name of an NSURLDownload's file, without its folder.
        case file
        /// Whether the file of an NSURLDownload exists after the end.
        case fileExists
        /// The number of files in the folder of NSURLDownloads after the end.
        case files
        /// Whether a file that exists only during a callback still exists after the end.
        case temporaryFileExists
        /// Whether the download has resume data.
        case resumeData
        /// The messages that were received over a WebSocket, in order: `text TEXT` or `binary 00ff`.
        case messages
        /// `close.code`: of the server's Close frame; 1005 where it has none.
        case closeCode
        /// `close.reason`: of the server's Close frame.
        case closeReason
        /// `protocol`: the one that the server chose for a WebSocket.
        case chosenProtocol
        /// `events`: the data of all events that an event source handed over, in order.
        case events
        /// `events.count`: their number.
        case eventCount
        /// `events[N].…`: of one event, counted from 0.
        case event(index: Int, StreamedFact)
        /// `retries`: how often the event source told that it connects again.
        case retries
    }

    /// A fact of an event of an event stream (WHATWG HTML §9.2.6).
    package enum StreamedFact: String, Sendable, Hashable, CaseIterable {
        case type, data
        /// The last event ID.
        case id
        /// The origin of the stream's final URL.
        case origin
    }

    package enum CookieProperty: String, Sendable, Hashable, CaseIterable {
        case domain, path, secure
        case httpOnly = "http-only"
        /// Whether the cookie has no expiry time.
        case sessionOnly = "session-only"
    }

    package enum CachedFact: String, Sendable, Hashable, CaseIterable {
        case status, body, storage
    }

    package enum RedirectFact: Sendable, Hashable {
        case status, url
        /// `header.NAME`, as for the final response.
        case header(String)
    }
}
