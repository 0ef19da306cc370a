public import ProctorHTTP

/// What a client asks for, before anything of the connection is known.
public struct ClientRequest: Sendable, Equatable {
    /// A token, sent in the case it is given (RFC 9110 §9.1).
    public var method: String
    /// In canonical form already; `ClientURL.nowhere` where a text was given that is no URL.
    public var url: ClientURL { didSet { urlFault = nil } }
    /// Why the text that was given for the URL is none: the load fails without any question; nil: it is one.
    ///
    /// Another `url` takes it away.
    public private(set) var urlFault: ClientURLError?
    /// In order; Host and the framing fields are written by the loader, and what stands here under their names is not sent.
    public var fields: [HTTPField]
    /// The framing follows from the kind of body.
    public var body: RequestBody
    /// What its session's cache may do for it; goes along with redirects.
    public var cachePolicy = CachePolicy.byProtocol
    /// Whether its client's cookies go with it and what it sets is kept, as HTTPShouldHandleCookies has it; goes along with
    /// redirects.
    ///
    /// A Cookie field of the caller's own goes alone in any case, where a redirect may take it along.
    public var handlesCookies = true
    /// The document that it is loaded for; for ``CookiePolicy/mainDocument`` alone, and goes along with redirects.
    public var mainDocument: ClientURL?

    /// A request without content, where nothing else is said.
    public init(method: String = "GET", url: ClientURL, fields: [HTTPField] = [], body: RequestBody = .none) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }

    /// A request for what a person typed, as `ClientURL(typed:ownSchemes:)` reads it.
    ///
    /// What is no URL makes a request too, as URLRequest has it; its load fails at its beginning with `badURL`, or with
    /// `unsupportedURL` where the scheme is missing or none of those that are served.
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

/// What a stored response may do for a request, in place of the server; the cases are those of NSURLRequest.
public enum CachePolicy: Sendable, Hashable {
    /// A fresh one answers and a stale one is asked about (RFC 9111 §4.2, §4.3): `useProtocolCachePolicy`.
    case byProtocol
    /// No stored response is used, and the new one may be stored: `reloadIgnoringLocalCacheData`.
    case reload
    /// Any one answers, fresh or not; without one the server is asked: `returnCacheDataElseLoad`.
    case cacheElseLoad
    /// Any one answers; without one the load fails with `resourceUnavailable`: `returnCacheDataDontLoad`.
    case cacheOnly
}

/// What a request says where its maker says nothing; the same in every shape of this client.
enum DefaultFields {
    /// The codings that are undone; to say nothing would be to accept every one (RFC 9110 §12.5.3).
    static let codings = "gzip, deflate, br, zstd"
    static let language = "en"
    static let userAgent = "ProctorReference/1"

    /// In the order in which they are sent; without a `userAgent` there is no User-Agent.
    static func list(
        codings: String = Self.codings, language: String = Self.language, userAgent: String? = Self.userAgent
    ) -> [HTTPField] {
        var fields = [
            HTTPField("Accept", "*/*"), HTTPField("Accept-Encoding", codings), HTTPField("Accept-Language", language),
        ]
        if let userAgent { fields.append(HTTPField("User-Agent", userAgent)) }
        return fields
    }
}

extension ClientRequest {
    /// With those fields whose names it lacks.
    ///
    /// One that asks for a range accepts no coding: a part of what is coded can't be undone (Fetch, HTTP-network-or-cache
    /// fetch, has the same).
    func completed(with fields: [HTTPField]) -> ClientRequest {
        var request = self
        if request.fields.contains(named: "Range"), !request.fields.contains(named: "Accept-Encoding") {
            request.fields.append(HTTPField("Accept-Encoding", "identity"))
        }
        for field in fields where !self.fields.contains(named: field.name) { request.fields.append(field) }
        return request
    }
}
