internal import ProctorBase
public import ProctorHTTP

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// HTTP, and HTTP over TLS, for a loading system of Foundation, over sockets of its own: what Apple's sample CustomHTTPProtocol shows.
///
/// Asynchronous throughout. Every call of the client is made on the thread of `startLoading`, by its run loop, in the
/// mode it ran in then or in the default mode; where no run loop runs, on one thread that all such objects share.
/// Nothing is called after `stopLoading` (R48–R51). Requests go out through no URLSession, so none comes back to
/// `canInit`.
///
/// Override ``options`` to have it otherwise.
open class ReferenceProtocol: URLProtocol {
    private var ownOptions: Options
    /// Foundation on Linux starts an object again that it stopped, and ``redirectRefused()`` may come meanwhile.
    private let current = Locked<ProtocolRelay?>(nil)

    /// Of the load under way or the last one; from any thread, written on the client's alone.
    var relay: ProtocolRelay? { current.withLock { $0 } }

    /// What all objects of this class do alike; asked once for each.
    open class var options: Options { Options() }

    /// As a loading system makes it, on any thread; nothing happens before `startLoading`.
    public required init(
        request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
        ownOptions = Self.options
        super.init(request: request, cachedResponse: cachedResponse, client: client)
    }

    /// With options of its own, for a loading system that makes its objects itself.
    package convenience init(
        request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?, options: Options
    ) {
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        ownOptions = options
    }

    // Foundation on Linux lets an object go that ended by itself, and never stops it.
    deinit { relay?.stop() }

    // MARK: The class

    /// Yes to `http`, and with anchors to `https`, where the host is an address, `localhost` or a name that
    /// ``Options`` has; they can have it take more.
    ///
    /// A scheme of its own is `http`.
    /// A URL that can't be read is taken: no other protocol could load it, and its load says what is wrong with it.
    open override class func canInit(with request: URLRequest) -> Bool {
        let options = options
        let isReached =
            options.proxy != nil
            || request.url.map { ProtocolPlan.canReach($0, by: options.names, ownSchemes: options.ownSchemes) } ?? false
        let scheme = request.url?.scheme?.lowercased()
        return switch scheme.map({ options.ownSchemes.contains($0) ? "http" : $0 }) {
        case "http": options.takesHostNames || isReached
        case "https": options.takesHTTPS || !options.security.anchors.isEmpty && isReached
        case nil: request.url != nil
        default: false
        }
    }

    /// The key of a cache: RFC 9110 §4.2.3 and the fields that a client is expected to send; a pure function (R52).
    ///
    /// A URL that can't be read stays as it is; `startLoading` tells what is wrong with it.
    open override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        CanonicalRequest.of(request, options: options)
    }

    // MARK: The object

    /// Begins to load and returns at once; a second call counts once the load has ended or was stopped.
    open override func startLoading() {
        guard relay?.isAtWork != true else { return }
        let relay = ProtocolRelay(self, options: ownOptions)
        current.withLock { $0 = relay }
        // A loading system may have left it out, as Foundation's does on Linux.
        relay.start(CanonicalRequest.of(request, options: ownOptions), cachedResponse: cachedResponse)
    }

    /// Gives the load up; the client hears nothing of it and nothing more of anything (R50).
    ///
    /// From another thread than that of the client's calls it waits for one that is being made, a second at most.
    open override func stopLoading() {
        if ownOptions.ignoresStop { relay?.keepOn(self) } else { relay?.stop() }
    }

    /// For a client that refuses the redirect it was told of: the redirect's own response and content follow (R5).
    ///
    /// URLProtocol has no call for it, because Foundation's loading systems stop the object and go on by themselves. A
    /// client that knows this class calls it, from any thread; without an open redirect it does nothing.
    public func redirectRefused() { relay?.refuseRedirect() }
}

extension ReferenceProtocol {
    /// What a class of protocols does where there is a choice.
    public struct Options: Sendable {
        /// Takes `https` URLs also where ``security`` has no anchors, so that their loads fail.
        public var takesHTTPS = false
        /// Trusted anchors and the client's identity for `https`; no client is asked about either (R20).
        public var security = ReferenceSecurity()
        /// Takes `http` URLs with a host name too, whose loads fail with a clear error: this client looks up no names.
        public var takesHostNames = false
        /// What comes after a redirect was told and the object was not stopped for it.
        public var afterRedirect = AfterRedirect.waitForStop
        /// Sent where the request names no language (RFC 9110 §12.5.4).
        public var acceptLanguage = DefaultFields.language
        /// Sent where the request names no client (RFC 9110 §10.1.5); nil: nothing is sent then.
        public var userAgent: String? = DefaultFields.userAgent
        /// Whether a cached response is asked about again (RFC 9111 §4.3) or told in place of a load.
        ///
        /// Foundation on Linux takes no notice of `cachedResponseIsValid`, so there the load would end with nothing.
        public var heedsCachedResponses: Bool
        /// Where cookies are kept, which objects and sessions may share; nil: the loading system has to see to them.
        ///
        /// Foundation puts a Cookie field into the request before an object is made, and that one is sent as it is.
        public var cookieStore: ReferenceCookieStore?
        /// Which cookies are taken.
        public var cookiePolicy = CookiePolicy.always
        /// Schemes, in lower case, by which `http` is called: their URLs are loaded over HTTP all the same.
        ///
        /// Response and redirects keep the scheme where Location does not name another one.
        public var ownSchemes: Set<String> = []
        /// The proxy that every request is handed to, or asked for a tunnel, as host and port of `http`; nil: no proxy.
        public var proxy: Origin?
        /// Whether addresses of loopback, and `localhost`, are asked themselves though there is a proxy.
        public var sparesLoopback = false
        /// Addresses of names, which are not looked up elsewhere.
        public var names = HostTable()
        /// From the start to the end, a wait for an answer included; nil: for ever.
        public var resourceLimit: Duration?
        /// What is done wrong on the way; nil: nothing.
        package var transportFault: TransportFault?
        /// Stands between the state machine and its surroundings; for protocols that are broken on purpose.
        package var makeActionFilter: (@Sendable () -> any ActionFilter)?
        /// Stands between the load and the client; for protocols that are broken on purpose.
        package var makeCallFilter: (@Sendable () -> any CallFilter)?
        /// What is done wrong with cookies; for protocols that are broken on purpose.
        package var cookieFault: CookieFault?
        /// Whether it asks its client what it has to answer itself; for protocols that are broken on purpose.
        package var forwardsTrust = false
        /// Whether it goes on loading and calling when it is stopped; for protocols that are broken on purpose.
        package var ignoresStop = false

        /// What becomes of an object that told of a redirect.
        public enum AfterRedirect: Sendable {
            /// The object waits for a stop or a refusal; when the request's time is over it fails as timed out.
            case waitForStop
            /// The object fails at once with `userCancelled`, as Apple's sample does.
            case failCancelled
        }

        /// The defaults of the platform.
        public init() {
            #if canImport(FoundationNetworking)
                heedsCachedResponses = false
            #else
                heedsCachedResponses = true
            #endif
        }
    }
}
