internal import ProctorHTTP

extension FactName {
    /// The fact as the subject of a sentence, in which requests and connections count from 1.
    package var words: String {
        switch self {
        case .requestCount: "the number of requests"
        case .tunnelCount: "the number of tunnels"
        case .pipelinedCount: "the number of pipelined requests"
        case .spent(.memory): "the memory of the client in bytes"
        case .spent(.processor): "the processor time of the client in milliseconds"
        case .connectionCount: "the number of connections"
        case .handshakeCount: "the number of complete handshakes"
        case .handshakeFailureCount: "the number of failed handshakes"
        case .wire(let index, let fact): fact.words(of: "request \(index + 1)")
        case .connection(let index, let fact): fact.words(of: "connection \(index + 1)")
        case .guarding(let name, let fact): fact.words(of: name.map { "the guard \($0)" } ?? "all guards")
        case .tls(let index, let fact): fact.words(of: "handshake \(index + 1)")
        case .socks(let index, let fact): fact.words(of: "conversation \(index + 1) of SOCKS")
        case .questionCount: "the number of questions to the server of DNS"
        case .questions: "the questions to the server of DNS"
        case .dns(let index, let fact): fact.words(of: "question \(index + 1) to the server of DNS")
        case .http2ConnectionCount: "the number of connections that speak HTTP/2"
        case .streamCount: "the number of streams"
        case .stream(let index, let fact): fact.words(of: "stream \(index + 1)")
        case .http2(let index, let fact): fact.words(of: "HTTP/2 connection \(index + 1)")
        case .http3ConnectionCount: "the number of connections that speak HTTP/3"
        case .http3(let index, let fact): fact.words(of: "HTTP/3 connection \(index + 1)")
        case .webSocketCount: "the number of WebSockets"
        case .webSocket(let index, let fact): fact.words(of: "WebSocket \(index + 1)")
        case .client(0, let fact): fact.words
        case .client(let step, let fact): "\(fact.words) in step \(step + 1)"
        }
    }
}

extension FactName.WireFact {
    fileprivate func words(of request: String) -> String {
        switch self {
        case .method: "the method of \(request)"
        case .target: "the target of \(request)"
        case .version: "the version of \(request)"
        case .body: "the content of \(request)"
        case .bodyLength: "the length of the content of \(request) in bytes"
        case .connection: "the number of the connection of \(request)"
        case .origin: "the origin of \(request)"
        case .violations: "the violations of \(request)"
        case .fieldNames: "the field names of \(request)"
        case .framing: "the framing of \(request)"
        case .chunks: "the lengths of the chunks of \(request)"
        case .gap: "the milliseconds from the request before to \(request)"
        case .header(let name): "the field \(name) of \(request)"
        case .trailer(let name): "the trailer field \(name) of \(request)"
        case .form(let name): "the value \(name) in the form of \(request)"
        case .query(let name): "the value \(name) in the query of \(request)"
        case .guardOutcome: "the guard's verdict on \(request)"
        case .guardFaults: "the faults of the credential of \(request)"
        case .credentials(let name, let isProxy):
            "\(name) in the \(isProxy ? "Proxy-Authorization" : "Authorization") of \(request)"
        case .cookieNames: "the names of the cookies of \(request)"
        case .cookie(let name): "the cookie \(name) of \(request)"
        case .targetForm: "the form of the target of \(request)"
        case .authority: "the authority in the target of \(request)"
        case .partCount: "the number of parts of \(request)"
        case .part(let index, let fact): "\(fact.words) of part \(index + 1) of \(request)"
        case .chunkLines: "the lines before the chunks of \(request)"
        case .withheld: "whether the content of \(request) was kept back"
        case .opaque: "the bytes behind the reply to \(request)"
        case .opaqueLength: "the number of bytes behind the reply to \(request)"
        case .reply(.status): "the status of the reply to \(request)"
        case .reply(.body): "the content of the reply to \(request)"
        case .reply(.bodyLength): "the length of the content of the reply to \(request) in bytes"
        case .replyHeader(let name): "the field \(name) of the reply to \(request)"
        case .stream: "the number of the stream of \(request)"
        case .reused: "whether the connection of \(request) carried one before"
        case .behind: "the number of requests without a whole reply before \(request) on its connection"
        case .coalesced: "whether the connection of \(request) carried one for another authority before"
        }
    }
}

extension FactName.WebSocketFact {
    fileprivate func words(of webSocket: String) -> String {
        switch self {
        case .request: "the number of the request that opened \(webSocket)"
        case .messages: "the messages of the client on \(webSocket)"
        case .subprotocol: "the subprotocol of \(webSocket)"
        case .extensions: "the extensions of \(webSocket)"
        case .close: "the code with which the client closes \(webSocket)"
        case .closeReason: "the reason for which the client closes \(webSocket)"
        case .pings: "the payloads of the client's Pings on \(webSocket)"
        case .pongs: "the payloads of the client's Pongs on \(webSocket)"
        case .frames: "the opcodes of the client's frames on \(webSocket)"
        case .repeatedMasks: "the number of the client's frames on \(webSocket) with the mask of an earlier one"
        case .violations: "the violations on \(webSocket)"
        }
    }
}

extension FactName.PartFact {
    fileprivate var words: String {
        switch self {
        case .name: "the name"
        case .filename: "the file name"
        case .filenameSpelling: "the file name as it was written"
        case .type: "the media type"
        case .body: "the content"
        }
    }
}

extension FactName.ConnectionFact {
    fileprivate func words(of connection: String) -> String {
        switch self {
        case .requests: "the number of requests on \(connection)"
        case .origin: "the origin to which \(connection) came"
        case .closedBy: "the side that ended \(connection)"
        case .end: "how \(connection) ends"
        case .speech: "the protocol of \(connection)"
        case .streams: "the number of streams on \(connection)"
        }
    }
}

extension FactName.GuardFact {
    fileprivate func words(of guards: String) -> String {
        switch self {
        case .attempts: "the number of credentials that \(guards) judged"
        case .failures: "the number of credentials that \(guards) refused"
        case .challenges: "the number of challenges by \(guards)"
        case .scheme: "the scheme of the last credential for \(guards)"
        case .user: "the user of the last credential for \(guards)"
        case .nc: "the nonce counts for \(guards)"
        case .faults: "the faults that \(guards) found"
        }
    }
}

extension FactName.SOCKSFact {
    fileprivate func words(of conversation: String) -> String {
        switch self {
        case .version: "the version of \(conversation)"
        case .methods: "the methods that the client offers in \(conversation)"
        case .method: "the method that is selected in \(conversation)"
        case .user: "the user of \(conversation)"
        case .login: "what came of the user and password of \(conversation)"
        case .command: "the command of \(conversation)"
        case .addressType: "the type of the address of \(conversation)"
        case .host: "the host of \(conversation)"
        case .port: "the port of \(conversation)"
        case .violations: "the violations of \(conversation)"
        }
    }
}

extension FactName.DNSFact {
    fileprivate func words(of question: String) -> String {
        switch self {
        case .name: "the name of \(question)"
        case .type: "the type of \(question)"
        case .transport: "the transport of \(question)"
        case .gap: "the milliseconds from the question before to \(question)"
        case .replies: "what was done about \(question)"
        case .violations: "the violations of \(question)"
        }
    }
}

extension FactName.TLSFact {
    fileprivate func words(of handshake: String) -> String {
        switch self {
        case .version: "the TLS version of \(handshake)"
        case .cipher: "the cipher suite of \(handshake)"
        case .group: "the key exchange group of \(handshake)"
        case .alpn: "the protocol that \(handshake) agreed on"
        case .serverName: "the server name that the client sent in \(handshake)"
        case .resumed: "whether \(handshake) resumed a session"
        case .certificate: "the profile of the server's certificate in \(handshake)"
        case .client: "what was found of the client's certificate in \(handshake)"
        case .alert: "the client's fatal alert in \(handshake)"
        case .end: "how \(handshake) ended"
        case .offeredVersions: "the TLS versions that the client offered in \(handshake)"
        case .offeredCiphers: "the cipher suites that the client offered in \(handshake)"
        case .offeredGroups: "the groups that the client offered in \(handshake)"
        case .offeredALPN: "the protocols that the client offered in \(handshake)"
        case .offeredExtensions: "the extensions that the client offered in \(handshake)"
        }
    }
}

extension FactName.ClientFact {
    fileprivate var words: String {
        switch self {
        case .status: "the status that the client reports"
        case .url: "the URL of the response"
        case .body: "the content that the client reports"
        case .bodyLength: "the length in bytes of the content that the client reports"
        case .mime: "the media type that the client reports"
        case .suggestedName: "the file name that the client suggests"
        case .expectedLength: "the length in bytes that the client expects"
        case .error: "the client's error"
        case .textEncodingName: "the charset that the client reports"
        case .statusText: "the client's text for the status"
        case .errorMessage: "the text of the client's error"
        case .errorMessageLength: "the length of the text of the client's error in bytes"
        case .header(let name): "the field \(name) as the client looks it up"
        case .storedCookies: "the names of the stored cookies"
        case .storedCookie(let name): "the stored cookie \(name)"
        case .storedProperty(let property, let name): "\(property.rawValue) of the stored cookie \(name)"
        case .cached(let fact): "\(fact.words) of the cached response"
        case .cachedNote(let name): "the note \(name) of the cached response"
        case .proposedStorage: "the storage that the client proposes for the response"
        case .measuredProtocol: "the protocol that the client's metrics name"
        case .redirect(let index, .status): "the status of redirect \(index + 1)"
        case .redirect(let index, .url): "the URL of redirect \(index + 1)"
        case .redirect(let index, .header(let name)): "the field \(name) of redirect \(index + 1)"
        case .file: "the name of the downloaded file"
        case .fileExists: "whether the downloaded file is there after the end"
        case .files: "the files in the download folder after the end"
        case .temporaryFileExists: "whether the temporary file is there after the end"
        case .messages: "the messages that the client received"
        case .closeCode: "the code of the Close frame that the client received"
        case .closeReason: "the reason in the Close frame that the client received"
        case .chosenProtocol: "the protocol of the WebSocket"
        case .resumeData: "whether there is something to resume the download with"
        case .events: "the data of the events"
        case .eventCount: "the number of the events"
        case .event(let index, .type): "the type of event \(index + 1)"
        case .event(let index, .data): "the data of event \(index + 1)"
        case .event(let index, .id): "the last event ID of event \(index + 1)"
        case .event(let index, .origin): "the origin of event \(index + 1)"
        case .retries: "how often the event source connects again, as it tells"
        }
    }
}

extension FactName.CachedFact {
    fileprivate var words: String {
        switch self {
        case .status: "the status"
        case .body: "the content"
        case .storage: "the storage"
        }
    }
}

extension Fact {
    /// The claim as a sentence without its full stop: `the number of requests is 2`.
    package var inWords: String { "\(name.words) \(expected.words)" }
}

extension Fact.Expectation {
    /// The predicate of the sentence: `is 2`.
    private static func value(_ template: Template) -> String {
        template.literalBytes == [] ? "empty" : template.shown
    }

    fileprivate var words: String {
        switch self {
        case .absent: return "is absent"
        case .text(let text): return "is \(Self.value(text))"
        case .list(let values) where values.isEmpty: return "is an empty list"
        case .list(let values): return "is, in this order: \(values.map(Self.value).joined(separator: ", "))"
        case .same(let other): return "is the same as \(other.words)"
        case .not(nil): return "has a value"
        case .not(let text?): return "is not \(Self.value(text))"
        case .range(nil, nil): return "is a number"
        case .range(let minimum?, nil): return "is \(Self.number(minimum)) or more"
        case .range(nil, let maximum?): return "is \(Self.number(maximum)) or less"
        case .range(let minimum?, let maximum?): return "is from \(Self.number(minimum)) to \(Self.number(maximum))"
        }
    }

    private static func number(_ number: Double) -> String {
        // A whole number is written without a fraction.
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension Case.CookieDemand {
    /// The demand as a sentence without its full stop.
    package var inWords: String {
        let standard =
            switch edition {
            case .rfc6265: "RFC 6265"
            case .rfc6265bis: "the revision of RFC 6265"
            case nil: "RFC 6265 or its revision, one of them throughout"
            }
        let rest =
            switch order {
            case .required: ", in its order"
            case .recommended: "; another order is a remark"
            case .any: ", in any order"
            }
        return "the cookies of every request are those of \(standard)\(rest)"
    }
}
