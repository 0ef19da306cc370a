internal import Foundation
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What an object that is started has to do.
enum ProtocolPlan: Sendable {
    case fail(LoadError)
    /// Nothing is asked of the server: the cached response is the answer.
    case answerFromCache
    /// `isConditional`: a 304 says that the cached response still holds.
    case load(ClientRequest, isConditional: Bool)

    /// `request` is canonical; a cached response that is not to be heeded is left out by the caller.
    init(_ request: URLRequest, cachedResponse: CachedURLResponse?, ownSchemes: Set<String> = []) {
        switch request.cachePolicy {
        case .returnCacheDataElseLoad where cachedResponse != nil, .returnCacheDataDontLoad where cachedResponse != nil:
            self = .answerFromCache
        case .returnCacheDataDontLoad:
            self = .fail(
                LoadError(
                    .resourceUnavailable,
                    "\(request.url?.absoluteString ?? "") is to come from a cache, and no cached response was given"))
        default: self.init(loading: request, cachedResponse: cachedResponse, ownSchemes)
        }
    }

    private init(loading request: URLRequest, cachedResponse: CachedURLResponse?, _ ownSchemes: Set<String>) {
        do throws(LoadError) {
            var loaded = try ClientRequest(request, ownSchemes: ownSchemes)
            let conditions = Self.isReload(request) ? [] : Self.conditions(loaded, cachedResponse)
            loaded.fields += conditions
            self = .load(loaded, isConditional: !conditions.isEmpty)
        } catch {
            self = .fail(error)
        }
    }

    /// Whether the host of a URL is one that the transport finds; yes where the URL is none that it can read.
    static func canReach(_ url: URL, by names: HostTable, ownSchemes: Set<String> = []) -> Bool {
        guard let typed = try? ClientURL(typed: url.absoluteString, ownSchemes: ownSchemes) else { return true }
        return (try? Destination(typed.origin, nil, names: names).addresses) != nil
    }

    private static func isReload(_ request: URLRequest) -> Bool {
        switch request.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: true
        default: false
        }
    }

    /// The validators of the cached response (RFC 9111 §4.3.1), where the caller sets no conditions of its own.
    private static func conditions(_ request: ClientRequest, _ cached: CachedURLResponse?) -> [HTTPField] {
        guard let response = cached?.response as? HTTPURLResponse, response.statusCode == 200, request.method == "GET",
            !request.fields.contains(named: "Range"), !Preconditions.areAny(in: request.fields)
        else { return [] }
        return [("If-None-Match", "ETag"), ("If-Modified-Since", "Last-Modified")].compactMap { condition, validator in
            response.value(forHTTPHeaderField: validator).map { HTTPField(condition, $0) }
        }
    }
}
