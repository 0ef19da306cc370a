/// What is known of an event beyond its name and argument; a few at most, in the order of the recorder.
public struct EventFacts: Sendable, Equatable, ExpressibleByArrayLiteral, RandomAccessCollection {
    private var items: [EventFact]

    /// A key that is given twice counts by its first value.
    public init(arrayLiteral elements: EventFact...) { items = elements }

    /// A key that is given twice counts by its first value.
    public init(_ items: [EventFact]) { self.items = items }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// How many there are.
    public var endIndex: Int { items.count }
    /// The fact at a position.
    public subscript(position: Int) -> EventFact { items[position] }

    /// Behind the others.
    public mutating func append(_ fact: EventFact) { items.append(fact) }

    /// nil when nothing is known under the key.
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
    /// As the recorder wrote it.
    public let value: FactValue

    /// A pair as it is.
    public init(_ key: FactKey, _ value: FactValue) {
        self.key = key
        self.value = value
    }
}

/// The value of a fact.
public enum FactValue: Sendable, Equatable {
    case integer(Int)
    case text(String)
    case flag(Bool)
}

/// What can be known of an event; the raw value stands in trace files.
public enum FactKey: String, Sendable, CaseIterable {
    // Arithmetic of uploads and downloads, in bytes.
    /// New with this callback.
    case n
    /// So far, as the callback says.
    case total
    /// In the end, as the callback says; -1 (or 0 in old families) when unknown.
    case expected
    /// Where a download or a body stream goes on.
    case offset
    /// The size of a chunk of `data`, or of the body in a `result`.
    case bytes
    /// The CRC-32 (RFC 1952) of the bytes that `bytes` counts: of a chunk, of a finished file, of what a handler was given.
    case crc32

    // Requests and responses.
    case method, url, status, mime
    /// The name offered for a download.
    case suggestedName
    /// The expected length of the response, -1 when unknown.
    case expectedLength
    /// The header fields of the response as the client has them: lines `name: value`, a line feed between them.
    case fields
    /// The response's Content-Encoding in lower case; `identity` when it has none.
    case coding
    /// The body as text, where it is UTF-8, in a `result`.
    case body
    /// The body as base64, where it is not.
    case bodyBase64
    /// The request of a class call of URLProtocol, as method and URL.
    case request
    /// What a rewriting callback proposes or gives back: method and URL.
    case proposed
    /// The header fields of that request that the callback shows, as in `fields`.
    case proposedFields

    // Challenges.
    /// `session` or `task`.
    case scope
    case realm, host, port, proposedUser
    /// The protocol of the protection space: `http` or `https`.
    case `protocol`
    /// previousFailureCount.
    case failures

    // Errors.
    /// Its name, in a `result`; not there when all went well.
    case error
    /// Its domain.
    case domain
    /// Its code.
    case code
    /// Its description, for a person.
    case message

    // The harness.
    /// For an answer: the event it answers, as `redirect`.
    case to
    /// Which delegate was called: `task` or `session`.
    case who
    /// The method name or selector that was called.
    case sel
    /// Transactions of `metrics`.
    case transactions
    /// Milliseconds: how long a thread was blocked, how long something took.
    case ms
    /// The local port of the client's connection, for correlation with the wire.
    case localPort
    /// The connection on the wire, 0-based in its run.
    case connection
    /// The length of a request's content on the wire.
    case bodyLength
    /// For whom a request on the wire carries credentials: `none`, `origin`, `proxy` or `both`.
    case credentials
    /// What the last guard that was asked said of a request on the wire: the field it looks at and its outcome.
    case guarded
    /// Whether the class said yes.
    case accepts
    /// What a URLProtocol lets caches do with its response: `allowed`, `memory` or `notAllowed`.
    case storage
    /// In multipart: which part.
    case part
    /// The file of a finished download.
    case file
}
