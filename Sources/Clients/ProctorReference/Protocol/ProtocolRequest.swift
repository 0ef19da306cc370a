internal import Foundation
internal import ProctorDialling
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The canonical form of a request (R52): its URL by `ClientURL(typed:ownSchemes:)`, its fields by the rows below.
///
/// Docs/inside/canonical.md gives the reason for each change to a URL. The form is the key of a cache, so equal URLs
/// need equal forms and different URLs different ones.
enum CanonicalRequest {
    /// Keeps the fields of the request and adds missing ones.
    static func canonicalize(_ request: URLRequest, options: ReferenceProtocol.Options) -> URLRequest {
        var request = request
        if let text = request.url?.absoluteString, let canonical = canonical(text, ownSchemes: options.ownSchemes),
            canonical != text, let url = URL(string: canonical)
        {
            request.url = url
        }
        for row in fields where request.value(forHTTPHeaderField: row.name) == nil {
            if let value = row.value(request, options) { request.setValue(value, forHTTPHeaderField: row.name) }
        }
        return request
    }

    /// A field that is added to a request without a field of that name.
    struct FieldRow: Sendable {
        let name: String
        let reason: String
        /// nil: the field is not added.
        let value: @Sendable (URLRequest, ReferenceProtocol.Options) -> String?
    }

    /// The rows, sorted by name.
    static let fields: [FieldRow] = [
        FieldRow(name: "Accept", reason: "some servers answer 406 to a request that accepts nothing") { _, _ in "*/*" },
        FieldRow(name: "Accept-Encoding", reason: "without it every coding would be accepted (RFC 9110 §12.5.3)") {
            // The codings of Apple's sample; the client decodes others too.
            _, _ in "gzip, deflate"
        },
        FieldRow(name: "Accept-Language", reason: "the language of the user, which only the application knows") {
            $1.acceptLanguage
        },
        FieldRow(name: "Content-Type", reason: "what a POST with a body and without a type has always been") {
            request, _ in
            let hasBody = request.httpBody != nil || request.httpBodyStream != nil
            return request.httpMethod == "POST" && hasBody ? "application/x-www-form-urlencoded" : nil
        },
        FieldRow(name: "User-Agent", reason: "a client should say who it is (RFC 9110 §10.1.5)") { $1.userAgent },
    ]

    static func canonical(_ text: String, ownSchemes: Set<String> = []) -> String? {
        do throws(ClientURLError) {
            return try ClientURL(typed: text, ownSchemes: ownSchemes).text
        } catch {
            return nil
        }
    }
}

enum ProtocolPlan: Sendable {
    case fail(LoadError)
    /// The cached response is delivered; no request is sent.
    case answerFromCache
    /// `isConditional`: a 304 confirms the cached response; `copy` belongs to a streamed body.
    case load(ClientRequest, isConditional: Bool, copy: BodyCopy?)

    /// `request` is canonical; the caller leaves out a cached response that must be ignored.
    init(
        _ request: URLRequest, cachedResponse: CachedURLResponse?, ownSchemes: Set<String> = [],
        keepsBody: Bool = true
    ) {
        switch request.cachePolicy {
        case .returnCacheDataElseLoad where cachedResponse != nil, .returnCacheDataDontLoad where cachedResponse != nil:
            self = .answerFromCache
        case .returnCacheDataDontLoad:
            self = .fail(
                LoadError(
                    .resourceUnavailable,
                    "\(request.url?.absoluteString ?? "") is to come from a cache, and no cached response was given"))
        default: self.init(loading: request, cachedResponse: cachedResponse, ownSchemes, keepsBody: keepsBody)
        }
    }

    private init(
        loading request: URLRequest, cachedResponse: CachedURLResponse?, _ ownSchemes: Set<String>, keepsBody: Bool
    ) {
        do throws(LoadError) {
            var loaded = try ClientRequest(request, ownSchemes: ownSchemes)
            let copy = try BodyCopy.copy(of: request, keepsContent: keepsBody)
            if let copy { loaded.body = .stream(copy.bodyStream()) }
            let conditions = Self.isReload(request) ? [] : Self.conditions(loaded, cachedResponse)
            loaded.fields += conditions
            if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData { loaded.cachePolicy = .reloadAll }
            self = .load(loaded, isConditional: !conditions.isEmpty, copy: copy)
        } catch {
            self = .fail(error)
        }
    }

    /// Whether the transport has the address of the URL's host; true for a text that is no URL.
    static func canReach(_ url: URL, by names: HostTable, ownSchemes: Set<String> = []) -> Bool {
        guard let typed = try? ClientURL(typed: url.absoluteString, ownSchemes: ownSchemes) else { return true }
        return (try? Destination(typed.origin, nil, names: names).place) != nil
    }

    private static func isReload(_ request: URLRequest) -> Bool {
        switch request.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: true
        default: false
        }
    }

    /// The validators of the cached response (RFC 9111 §4.3.1), unless the caller sets conditions.
    private static func conditions(_ request: ClientRequest, _ cached: CachedURLResponse?) -> [HTTPField] {
        guard let response = cached?.response as? HTTPURLResponse, response.statusCode == 200, request.method == "GET",
            !request.fields.contains(named: "Range"), !Preconditions.areAny(in: request.fields)
        else { return [] }
        return [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")].compactMap { condition, validator in
            response.value(forHTTPHeaderField: validator).map { HTTPField(condition, $0) }
        }
    }
}
