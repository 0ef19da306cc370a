public import ProctorHTTP

extension ReferenceProtocol {
    /// What a class of protocols does where there is a choice.
    public struct Options: Sendable {
        /// Takes `https` URLs also where ``security`` has no anchors, so that their loads fail: nobody else tries them.
        public var takesHTTPS = false
        /// Whom `https` trusts, and who it is for servers that ask; no client is asked about either (R20).
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
        /// Whom every request is handed to, as host and port of `http`, or asked for a tunnel; nil: to its own server.
        public var proxy: Origin?
        /// Whether addresses of loopback, and `localhost`, are asked themselves though there is a proxy.
        public var sparesLoopback = false
        /// Where names stand, which nobody looks up.
        public var names = HostTable()
        /// From the start to the end, a wait for an answer included; nil: for ever.
        public var resourceLimit: Duration?
        /// What is done wrong on the way; nil: nothing.
        package var transportFault: TransportFault?
        /// Stands between the state machine and everybody else; for protocols that are broken on purpose.
        package var makeActionFilter: (@Sendable () -> any ActionFilter)?
        /// Stands between the load and the client; for protocols that are broken on purpose.
        package var makeCallFilter: (@Sendable () -> any CallFilter<ProtocolCall>)?
        /// What is done wrong with cookies; for protocols that are broken on purpose.
        package var cookieFault: CookieFault?
        /// Whether it asks its client what it has to answer itself; for protocols that are broken on purpose.
        package var forwardsTrust = false
        /// Whether it goes on loading and calling when it is stopped; for protocols that are broken on purpose.
        package var ignoresStop = false

        /// What becomes of an object that told of a redirect.
        public enum AfterRedirect: Sendable {
            /// It waits to be stopped or told of a refusal; when the request's time is over it fails as timed out.
            case waitForStop
            /// It fails at once with `userCancelled`, as Apple's sample does.
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
