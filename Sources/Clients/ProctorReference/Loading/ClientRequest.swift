internal import ProctorBase
public import ProctorHTTP

/// A request as the client asks for it, independent of any connection.
public struct ClientRequest: Sendable, Equatable {
    /// The method, a token that is sent in its given case (RFC 9110 §9.1).
    public var method: String
    /// The URL in canonical form; `ClientURL.nowhere` where the given text was no URL.
    public var url: ClientURL { didSet { urlFault = nil } }
    /// Why the given text is no URL: the load fails without any question; nil: the text is a URL.
    ///
    /// Setting `url` removes the fault.
    public private(set) var urlFault: ClientURLError?
    /// The header fields in order; the loader writes Host and the framing fields itself and ignores them here.
    public var fields: [HTTPField]
    /// The content; its kind decides the framing.
    public var body: RequestBody
    /// The fields behind content of unknown length, in order (RFC 9110 §6.5); a body of known length has none.
    package var trailers: [HTTPField] = []
    /// What the session's cache may do; redirects keep it.
    public var cachePolicy = CachePolicy.byProtocol
    /// Whether cookies are sent and stored, as HTTPShouldHandleCookies; redirects keep it.
    ///
    /// A Cookie field of the caller is sent instead of stored cookies, also after redirects that keep it.
    public var handlesCookies = true
    /// The main document for ``CookiePolicy/mainDocument``; redirects keep it.
    public var mainDocument: ClientURL?

    /// Makes a request; without further arguments a GET without content.
    public init(method: String = "GET", url: ClientURL, fields: [HTTPField] = [], body: RequestBody = .none) {
        (self.method, self.url, self.fields, self.body) = (method, url, fields, body)
    }

    /// Makes a request for a text that a person typed, which `ClientURL(typed:ownSchemes:)` reads.
    ///
    /// A text that is no URL also makes a request, as in URLRequest; its load fails first with `badURL`, or with
    /// `unsupportedURL` where the scheme is missing or unknown.
    public init(
        method: String = "GET", typed text: String, ownSchemes: Set<String> = [], fields: [HTTPField] = [],
        body: RequestBody = .none
    ) {
        do throws(ClientURLError) {
            let url = try ClientURL(typed: text, ownSchemes: ownSchemes)
            self.init(method: method, url: url, fields: fields, body: body)
        } catch {
            self.init(method: method, url: .nowhere, fields: fields, body: body)
            urlFault = error
        }
    }
}

/// How a stored response may replace the server's; the cases are those of NSURLRequest.
public enum CachePolicy: Sendable, Hashable {
    /// A fresh stored response answers, a stale one is revalidated (RFC 9111 §4.2, §4.3): `useProtocolCachePolicy`.
    case byProtocol
    /// No stored response is used, and the new one may be stored: `reloadIgnoringLocalCacheData`.
    case reload
    /// Like ``reload``, and the caches on the way are told to ask the origin too (RFC 9111 §5.2.1.4):
    /// `reloadIgnoringLocalAndRemoteCacheData`.
    case reloadAll
    /// A stored response, fresh or stale, answers if the server confirms it: `reloadRevalidatingCacheData`.
    case revalidate
    /// Any stored response answers, fresh or stale; else the server: `returnCacheDataElseLoad`.
    case cacheElseLoad
    /// Any stored response answers; without one the load fails with `resourceUnavailable`: `returnCacheDataDontLoad`.
    case cacheOnly
}

/// The default fields of a request, the same in every shape of this client.
enum DefaultFields {
    /// The codings that this client decodes; without the field every coding would be acceptable (RFC 9110 §12.5.3).
    static let codings = "gzip, deflate, br, zstd"
    static let language = "en"
    static let userAgent = "ProctorReference/1"

    /// The fields in the order in which they are sent.
    static let list = [
        HTTPField("Accept", "*/*"), HTTPField("Accept-Encoding", codings), HTTPField("Accept-Language", language),
        HTTPField("User-Agent", userAgent),
    ]
}

extension ClientRequest {
    /// The request with the fields that it lacks; a range request accepts no coding, since a part can't be decoded.
    func completed(with fields: [HTTPField]) -> ClientRequest {
        var request = self
        if request.fields.contains(named: "Range"), !request.fields.contains(named: "Accept-Encoding") {
            request.fields.append(HTTPField("Accept-Encoding", "identity"))
        }
        let own = request.fields
        for field in fields where !own.contains(named: field.name) { request.fields.append(field) }
        return request
    }
}

/// The content of a request, and whether it can be sent again.
public enum RequestBody: Sendable, Equatable {
    /// No content; methods that usually have content are sent with `Content-Length: 0` (RFC 9110 §8.6).
    case none
    /// Bytes that can be sent any number of times.
    case bytes([UInt8])
    /// The path of a file, which is opened for each transmission.
    case file(path: String)
    /// A stream for one transmission; for a second one the delegate is asked for another stream (R22).
    case stream(BodyStream)
    /// The delegate is asked for a stream before every transmission (R21).
    case streamOnDemand

    /// Whether the content can't be read again after it was sent.
    package var isConsumedBySending: Bool {
        switch self {
        case .none, .bytes, .file: false
        case .stream, .streamOnDemand: true
        }
    }

    /// The length in bytes; nil for a file or a stream of unknown length.
    public var byteCount: Int? {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .stream(let stream): stream.byteCount
        case .file, .streamOnDemand: nil
        }
    }
}

/// Content that is read in parts, and only once.
///
/// Any thread may make one; the loader reads it on its loop's thread.
public final class BodyStream: Sendable, Equatable {
    /// The length in bytes; nil: unknown, and the content is sent in chunks (RFC 9112 §7.1).
    public let byteCount: Int?
    private let source: @Sendable () async throws -> [UInt8]?
    private let isOpened = Locked(false)

    /// Makes a stream; `next` returns pieces that are not empty, then nil; an error from it ends the load.
    ///
    /// `next` runs on the loading thread and must not block it: use `await`, and end when the task is cancelled. A
    /// negative `byteCount` counts as unknown.
    public init(byteCount: Int? = nil, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.byteCount = byteCount.flatMap { $0 < 0 ? nil : $0 }
        source = next
    }

    /// Makes a stream of `bytes`, in parts of at most `pieceByteCount`; `isLengthKnown` says whether the loader knows
    /// the length.
    public convenience init(_ bytes: [UInt8], pieceByteCount: Int = 16_384, isLengthKnown: Bool = false) {
        let rest = Locked(bytes[...])
        self.init(byteCount: isLengthKnown ? bytes.count : nil) {
            rest.withLock { rest in
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(max(1, pieceByteCount)) }
                return Array(rest.prefix(max(1, pieceByteCount)))
            }
        }
    }

    /// Marks the stream as used; false when it was used before, and then it must not be sent (R22).
    func open() -> Bool {
        isOpened.withLock { isOpened in
            defer { isOpened = true }
            return !isOpened
        }
    }

    func next() async throws -> [UInt8]? { try await source() }

    /// Compares identity: two streams are equal when they are the same object.
    public static func == (left: BodyStream, right: BodyStream) -> Bool { left === right }
}
