public import ProctorHTTP

/// What a client asks for, before anything of the connection is known.
public struct ClientRequest: Sendable, Equatable {
    /// A token, sent in the case it is given (RFC 9110 §9.1).
    public var method: String
    /// In canonical form already; `ClientURL.nowhere` where a text was given that is no URL.
    public var url: ClientURL { didSet { urlFault = nil } }
    /// Why the text that was given for the URL is none: the load fails, and nobody is asked; nil: it is one.
    ///
    /// Another `url` takes it away.
    public private(set) var urlFault: ClientURLError?
    /// In order; Host and the framing fields are written by the loader, and what stands here under their names is not sent.
    public var fields: [HTTPField]
    /// Its framing follows from what it is.
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
