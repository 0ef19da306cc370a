/// Facts of an event beyond its name and argument, in the order of the recorder.
public struct EventFacts: Sendable, Equatable, ExpressibleByArrayLiteral, RandomAccessCollection {
    private var items: [EventFact]

    /// Of a repeated key the first value counts.
    public init(arrayLiteral elements: EventFact...) { items = elements }

    /// Of a repeated key the first value counts.
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

    // Challenges.
    /// `session` or `task`.
    case scope
    case realm, host, port, proposedUser
    /// The protocol of the protection space: `http` or `https`.
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

    // The harness.
    /// For an answer: the event it answers, as `redirect`.
    case to
    /// Which delegate was called: `task` or `session`.
    case who
    /// The method name or selector that was called.
    case sel
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
    /// Whether the protocol class accepts the request.
    case accepts
    /// The cache policy of a URLProtocol's response: `allowed`, `memory` or `notAllowed`.
    case storage
    /// The number of the part in a multipart response.
    case part
    /// The file of a finished download.
    case file
}
