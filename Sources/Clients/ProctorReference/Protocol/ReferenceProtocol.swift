internal import ProctorBase
internal import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A URLProtocol for HTTP and HTTP over TLS with its own sockets, designed like Apple's sample CustomHTTPProtocol.
///
/// It is asynchronous. Every call to the client is made on the thread of `startLoading`, by its run loop, in the mode
/// of that moment or in the default mode; when no run loop runs, on one thread that all such objects share. No call
/// follows `stopLoading` (R48–R51). Requests do not use URLSession, so `canInit` never gets them again.
///
/// Override ``options`` to change the defaults.
open class ReferenceProtocol: URLProtocol {
    private var ownOptions: Options
    /// Locked, since Foundation on Linux restarts a stopped object while ``redirectRefused()`` may run.
    private let current = Locked<ProtocolRelay?>(nil)

    /// The current or last load; any thread reads it, the client's thread writes it.
    var relay: ProtocolRelay? { current.withLock { $0 } }

    /// The settings for all objects of this class; read once for each object.
    open class var options: Options { Options() }

    #if canImport(Darwin)
        /// Makes an object that loads only after `startLoading`; any thread may call it.
        public required override init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            ownOptions = Self.options
            super.init(request: request, cachedResponse: cachedResponse, client: client)
        }
    #else
        /// Makes an object that loads only after `startLoading`; any thread may call it.
        public required init(
            request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
        ) {
            ownOptions = Self.options
            super.init(request: request, cachedResponse: cachedResponse, client: client)
        }
    #endif

    /// Makes an object with its own options, for a loading system that makes its objects itself.
    package convenience init(
        request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?, options: Options
    ) {
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        ownOptions = options
    }

    // Foundation on Linux releases an object that ended by itself without stopping it.
    deinit { relay?.stop() }

    // MARK: The class

    /// Accepts `http`, and with anchors `https`, for a host that is an address, `localhost` or a name in ``Options``.
    ///
    /// Options can extend this; an own scheme counts as `http`. A text that is no URL is accepted, since no other
    /// protocol can load it, and its load reports the fault.
    open override class func canInit(with request: URLRequest) -> Bool {
        let options = options
        let isReached =
            options.configuration.hasProxy
            || request.url.map { ProtocolPlan.canReach($0, by: options.names, ownSchemes: options.ownSchemes) } ?? false
        let scheme = request.url?.scheme?.lowercased()
        return switch scheme.map({ options.ownSchemes.contains($0) ? "http" : $0 }) {
        case "http": options.takesHostNames || isReached
        case "https": options.takesHTTPS || !options.security.anchors.isEmpty && isReached
        case nil: request.url != nil
        default: false
        }
    }

    /// The key of a cache: the URL by RFC 9110 §4.2.3, with the usual fields of a client; a pure function (R52).
    ///
    /// A text that is no URL is unchanged; its load reports the fault.
    open override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        CanonicalRequest.canonicalize(request, options: options)
    }

    /// Whether both have the same canonical form, apart from their bodies; a pure function (R52).
    open override class func requestIsCacheEquivalent(_ request: URLRequest, to other: URLRequest) -> Bool {
        let (own, theirs) = (canonicalRequest(for: request), canonicalRequest(for: other))
        return own.url?.absoluteString == theirs.url?.absoluteString && own.httpMethod == theirs.httpMethod
            && own.allHTTPHeaderFields == theirs.allHTTPHeaderFields
    }

    // MARK: The object

    /// Starts the load and returns at once; a second call while a load runs has no effect.
    open override func startLoading() {
        guard relay?.isAtWork != true else { return }
        let relay = ProtocolRelay(self, options: ownOptions)
        current.withLock { $0 = relay }
        if ownOptions.fault == .keepsItself { relay.keepForEver(self) }
        // The loading system may not have asked for the canonical form, for example Foundation on Linux.
        relay.start(CanonicalRequest.canonicalize(request, options: ownOptions), cachedResponse: cachedResponse)
    }

    /// Cancels the load; no call to the client follows, not even the last one (R50).
    ///
    /// On a thread other than the client's, it waits at most a second for a call that is being made.
    open override func stopLoading() {
        switch ownOptions.fault {
        case .cleansUpInDeinit: relay?.fallSilent()
        case .ignoresStop: relay?.keepOn(self)
        default: relay?.stop()
        }
    }

    /// Refuses the redirect that the client was told of: the redirect's own response and content follow (R5).
    ///
    /// URLProtocol has no such method, since Foundation's loading systems stop the object and follow the redirect
    /// themselves. Any thread may call it; without such a redirect it has no effect.
    public func redirectRefused() { relay?.refuseRedirect() }
}

extension ReferenceProtocol {
    /// The settings of a protocol class: those of a session and its own.
    @dynamicMemberLookup
    public struct Options: Sendable {
        /// The session settings, whose members are members of these options too.
        ///
        /// All objects share a `cookieStore`; without one the loading system handles cookies: Foundation puts a Cookie
        /// field into the request, which is sent unchanged. No client is asked about `security` (R20). `requestTimeout`
        /// limits each request. Caches, credential stores, fields and limits of files have no effect here.
        public var configuration = ReferenceConfiguration()
        /// Whether `https` URLs are accepted even without anchors, so that their loads fail.
        public var takesHTTPS = false
        /// Whether `http` URLs with host names that are not in `names` are accepted; their loads fail with
        /// `cannotFindHost`.
        public var takesHostNames = false
        /// What the object does after it has reported a redirect.
        public var afterRedirect = AfterRedirect.waitForStop
        /// The Accept-Language of requests that have none (RFC 9110 §12.5.4).
        public var acceptLanguage = DefaultFields.language
        /// The User-Agent of requests that have none (RFC 9110 §10.1.5); nil: no field is added.
        public var userAgent: String? = DefaultFields.userAgent
        /// Whether a cached response is revalidated (RFC 9111 §4.3) or delivered in place of a load.
        ///
        /// Foundation on Linux ignores `cachedResponseIsValid`, so the load would end there without a response.
        public var heedsCachedResponses: Bool
        /// Schemes in lower case that mean `http`: their URLs are loaded over HTTP.
        ///
        /// Response and redirects keep the scheme unless Location has another one.
        public var ownSchemes: Set<String> = []
        /// A deliberate fault.
        package var fault: Fault?

        /// A deliberate fault of a protocol, by the label of its breakage; `faults.tsv` says what each does.
        package enum Fault: String, Sendable, CaseIterable {
            case keepsNoBody = "sends-the-stream-once"
            case keepsItself = "R61"
            /// Makes no calls after a stop, but closes its connection only when the object is released.
            case cleansUpInDeinit = "cleans-up-in-deinit"
            case storesEverything = "allows-to-store-everything"
            case forwardsTrust = "R20b"
            case ignoresStop = "R50"
        }

        /// What an object does after it has reported a redirect.
        public enum AfterRedirect: Sendable {
            /// The object waits for a stop or a refusal, and fails with `timedOut` when the request's time is over.
            case waitForStop
            /// The object fails at once with `userCancelled`, as Apple's sample does.
            case failCancelled
        }

        /// Makes options with the defaults of the platform.
        public init() {
            #if canImport(FoundationNetworking)
                heedsCachedResponses = false
            #else
                heedsCachedResponses = true
            #endif
        }

        /// A member of the configuration.
        public subscript<Value>(dynamicMember path: WritableKeyPath<ReferenceConfiguration, Value>) -> Value {
            get { configuration[keyPath: path] }
            set { configuration[keyPath: path] = newValue }
        }
    }
}
