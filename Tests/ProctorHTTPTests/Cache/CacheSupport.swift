import ProctorHTTP
import Testing

/// A reply that came at second 10,000 to a request of the same second, unless told otherwise.
func reply(
    _ fields: [(String, String)], status: Int = 200, to requestFields: [(String, String)] = [],
    requestedAt: Int = 10_000, receivedAt: Int = 10_000, sourceLocation: SourceLocation = #_sourceLocation
) throws -> CachedReply {
    try #require(
        CachedReply(
            status: status, fields: fields.map { HTTPField($0.0, $0.1) },
            requestFields: requestFields.map { HTTPField($0.0, $0.1) }, requestedAt: requestedAt,
            receivedAt: receivedAt), sourceLocation: sourceLocation)
}

/// That second as a field writes it.
func date(_ seconds: Int) -> String { text(HTTPDate.imfFixdate(unixSeconds: seconds)) }
