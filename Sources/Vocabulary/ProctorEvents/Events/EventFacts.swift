/// Facts of an event beyond its name and argument, in the order of the recorder.
public struct EventFacts: Sendable, Equatable, ExpressibleByArrayLiteral, RandomAccessCollection {
    private var items: [EventFact]

    /// Makes the facts of a literal; of a repeated key the first value counts.
    public init(arrayLiteral elements: EventFact...) { items = elements }

    /// Makes the facts of a list; of a repeated key the first value counts.
    public init(_ items: [EventFact]) { self.items = items }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of facts.
    public var endIndex: Int { items.count }
    /// The fact at a position.
    public subscript(position: Int) -> EventFact { items[position] }

    /// Adds a fact behind the others.
    public mutating func append(_ fact: EventFact) { items.append(fact) }

    /// The first value of the key; nil when there is none.
    public subscript(key: FactKey) -> FactValue? {
        // An index loop copies no value that is passed over.
        for index in items.indices where items[index].key == key { return items[index].value }
        return nil
    }

    /// nil when the fact is missing or no whole number.
    public func integer(_ key: FactKey) -> Int? {
        if case .integer(let value)? = self[key] { return value }
        return nil
    }

    /// nil when the fact is missing or neither true nor false.
    public func flag(_ key: FactKey) -> Bool? {
        if case .flag(let value)? = self[key] { return value }
        return nil
    }

    /// nil when the fact is missing or no text.
    public func text(_ key: FactKey) -> String? {
        if case .text(let value)? = self[key] { return value }
        return nil
    }
}

/// A key and its value.
public struct EventFact: Sendable, Equatable {
    /// What the value is about.
    public let key: FactKey
    /// The value, as the recorder wrote it.
    public let value: FactValue

    /// Makes a fact of a key and its value.
    public init(_ key: FactKey, _ value: FactValue) {
        (self.key, self.value) = (key, value)
    }
}

/// The value of a fact.
public enum FactValue: Sendable, Equatable {
    case integer(Int)
    case text(String)
    case flag(Bool)
}

/// The key of a fact; the raw value stands in trace files.
public enum FactKey: String, Sendable, CaseIterable {
    // Arithmetic of uploads and downloads, in bytes.
    /// New with this callback.
    case n
    /// The sum so far, as the callback reports it.
    case total
    /// The final sum, as the callback reports it; -1 (or 0 in old families) when unknown.
    case expected
    /// The byte at which a download or a body stream continues.
    case offset
    /// The size of a chunk of `data`, or of the body in a `result`.
    case bytes
    /// The CRC-32 (RFC 1952) of the bytes that `bytes` counts: of a chunk, a finished file, or a handler's data.
    case crc32

    // Requests and responses.
    case method, url, status, mime
    /// The name offered for a download.
    case suggestedName
    /// The expected length of the response, -1 when unknown.
    case expectedLength
    /// The header fields of the response as the client has them: lines `name: value`, a line feed between them.
    case fields
    /// The fields that the program asks for by name, as the client's look-up gives them: lines `NAME: value` with the
    /// name as it was asked for; a field that the look-up does not find is left out.
    case header
    /// The fields behind the content that the program asks for by name, as `header` has those before it.
    case trailer
    /// The charset of the response, in the client's spelling.
    case textEncodingName
    /// The client's own text for the status code; not the reason phrase of the reply.
    case statusText
    /// The response's Content-Encoding in lower case; `identity` when it has none.
    case coding
    /// The body as text, where it is UTF-8, in a `result`.
    case body
    /// The body as base64, where it is not.
    case bodyBase64
    /// The request of a class call of URLProtocol, as method and URL.
    case request
    /// The request that a rewriting callback proposes or returns: method and URL.
    case proposed
    /// The header fields of the proposed request, as in `fields`.
    case proposedFields

    // Events of an event stream.
    /// The data of an event.
    case data
    /// The last event ID of an event; empty where no `id` came.
    case lastEventId
    /// The origin of the stream's final URL, as `http://localhost:8088`.
    case origin

    // Challenges.
    /// `session` or `task`.
    case scope
    case realm, host, port, proposedUser
    /// The protocol of the protection space: `http` or `https`; in a `result` of a WebSocket, the one that the server chose.
    case `protocol`
    /// The challenge's previousFailureCount.
    case failures

    // Errors.
    /// Its name, in a `result`; not there when all went well.
    case error
    /// The domain of the error.
    case domain
    /// The code of the error.
    case code
    /// The description of the error, for a person.
    case message

    // What a completion handler or the return of a call has in its hands: whether each is not nil.
    case hasData, hasResponse, hasError

    // The harness.
    /// For an answer: the event it answers, as `redirect`.
    case to
    /// For a `schedule`: the label of the queue where callbacks must come; without it, they must come on its own thread.
    case place
    /// For a `schedule`: the mode of the run loop, `default` or `other`.
    case mode
    /// Which delegate was called: `task` or `session`.
    case who
    /// The method name or selector that was called.
    case sel
    /// For `resume`: the events whose methods the delegate lacks, with spaces between them.
    case without
    /// The number of transactions in `metrics`.
    case transactions
    /// Milliseconds: how long a thread was blocked, or how long something took.
    case ms
    /// The local port of the client's connection, which finds its requests on the wire.
    case localPort
    /// The connection on the wire, 0-based in its run.
    case connection
    /// The length of a request's content on the wire.
    case bodyLength
    /// For whom a request on the wire has credentials: `none`, `origin`, `proxy` or `both`.
    case credentials
    /// The last guard's verdict on a request on the wire: the field that it checks, and its outcome.
    case guarded
    /// In a `result` of a WebSocket: the messages that were received, a list in JSON of `text TEXT` and `binary 00ff`.
    case messages
    /// The parts of the server's Close frame: its code, 1005 where it has none, and its reason.
    case closeCode, closeReason
    /// Whether a message of a WebSocket is a text; else it is binary.
    case isText
    /// Whether the protocol class accepts the request, or what the delegate of a connection or download answers.
    case accepts
    /// The cache policy of a URLProtocol's response: `allowed`, `memory` or `notAllowed`.
    case storage
    /// The cookies of the client's store for the URL of a step, by name: lines `NAME=VALUE; Domain=…; Path=…`, with
    /// `; Secure`, `; HttpOnly` and `; Session` where they hold; a Domain without a dot in front is a host alone.
    case storedCookies
    /// The status of the response that the client's cache has for the URL of a step; `none` where it has none.
    case cachedStatus
    /// Its content, where it is UTF-8.
    case cachedBody
    /// Its storage policy: `allowed`, `memory` or `notAllowed`.
    case cachedStorage
    /// The notes that the application has put to it: lines `NAME: TEXT`.
    case cachedNotes
    /// The number of the part in a multipart response.
    case part
    /// The file of a finished download; in a `result` the name of an NSURLDownload's file.
    case file
    /// In a `result`: whether that file is there after the end.
    case fileExists
    /// In a `result`: how many files are in the folder of NSURLDownloads.
    case files
    /// In a `result`: whether the file of `fileReady`, which only the callback has, is there after the end.
    case temporaryFileExists
    /// In a `result`: whether the download left something to resume with.
    case resumeData
}
