#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request and its response, and what caches may do with it.
public struct CacheStoragePolicyRow: Sendable {
    /// Stable, in words.
    public let id: String
    /// `http` or `https`.
    public var scheme = "http"
    /// Of the request.
    public var method = "GET"
    /// Of the response.
    public var status = 200
    /// `Cache-Control` of the request; nil: none.
    public var requestControl: String?
    /// `Cache-Control` of the response; nil: none.
    public var responseControl: String?
    /// Any of these is right.
    public let accepted: [URLCache.StoragePolicy]
    /// How much it counts.
    public let requirement: TableRequirement
    /// RFC and section, or the sample.
    public let source: String
    /// Why, for the person whose implementation differs.
    public let reason: String

    init(
        _ id: String, scheme: String = "http", method: String = "GET", status: Int = 200,
        request requestControl: String? = nil, response responseControl: String? = nil,
        _ accepted: URLCache.StoragePolicy..., requirement: TableRequirement, source: String, because reason: String
    ) {
        self.id = id
        self.scheme = scheme
        self.method = method
        self.status = status
        self.requestControl = requestControl
        self.responseControl = responseControl
        self.accepted = accepted
        self.requirement = requirement
        self.source = source
        self.reason = reason
    }
}
