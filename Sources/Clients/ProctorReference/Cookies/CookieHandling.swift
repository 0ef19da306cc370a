internal import ProctorBase
public import ProctorHTTP

struct CookieHandling: Sendable {
    let store: ReferenceCookieStore
    var policy = CookiePolicy.always
    var fault: CookieFault?
    var mistake: StormMistake?

    /// The request with its Cookie field, made before each transmission; a Cookie field of the caller is kept instead.
    func completed(_ request: ClientRequest, isRedirected: Bool) -> ClientRequest {
        guard policy != .never, request.handlesCookies, !request.fields.contains(named: "Cookie") else {
            return request
        }
        var place = request.url.cookiePlace
        if let fault { place = fault.misplace(place, isSending: true) }
        let ownValue = store.field(for: place)
        guard let value = ownValue ?? (mistake == .sendsLastCookie ? StormMistake.cookie : nil) else { return request }
        var request = request
        for value in fault?.miswrite(value, isRedirected: isRedirected) ?? [value] {
            request.fields.append(HTTPField(name: "Cookie", bytes: value))
        }
        return request
    }

    /// Stores each Set-Cookie field of a final reply, whatever its status (RFC 6265 §3); an interim reply sets no
    /// cookies.
    func storeCookies(_ head: ReplyHead, of request: ClientRequest) {
        guard !head.isInterim, request.handlesCookies, accepts(from: request) else { return }
        var fields = head.fields.values(named: "Set-Cookie").map { Array($0) }
        guard !fields.isEmpty else { return }
        var place = request.url.cookiePlace
        if let fault {
            place = fault.misplace(place, isSending: false)
            fields = fault.misread(fields, status: head.status)
        }
        if mistake == .sendsLastCookie { StormMistake.keepCookie(fields) }
        for field in fields { store.setCookie(field, from: place) }
    }

    private func accepts(from request: ClientRequest) -> Bool {
        switch policy {
        case .always: true
        case .never: false
        case .mainDocument:
            request.mainDocument.map { Self.site(of: $0.origin.host) == Self.site(of: request.url.origin.host) } ?? true
        }
    }

    /// The last two labels of a host name; an address, or a name with one label, is its own site.
    static func site(of host: String) -> String {
        let labels = host.split(separator: ".")
        let isAddress = host.contains(":") || labels.last?.allSatisfy(\.isNumber) ?? true
        return isAddress ? host : labels.suffix(2).joined(separator: ".")
    }
}

extension CookieHandling {
    /// The configuration's own store may be nil.
    init(of configuration: ReferenceConfiguration, in store: ReferenceCookieStore) {
        let mistake = configuration.transportFault?.ofStorms
        self.init(
            store: mistake == .keepsOneJar ? StormMistake.jar : store, policy: configuration.cookiePolicy,
            fault: configuration.cookieFault, mistake: mistake)
    }
}

extension ClientURL {
    var cookiePlace: CookieURL {
        CookieURL(isSecure: origin.scheme == .https, host: origin.host, path: Array(reference.path))
    }
}

/// A deliberate fault with cookies (RFC 6265 §5), by the label of its breakage; `faults.tsv` says what each does.
package enum CookieFault: String, Sendable, CaseIterable {
    case forgottenByRedirects = "cookies-end-at-a-redirect"
    case sentToSiblings = "cookies-of-a-whole-site"
    case sentToEveryHost = "cookies-to-every-host"
    case neverExpires = "cookies-live-for-ever"
    case sentInTheClear = "secure-cookies-in-the-clear"
    case sentToEveryPath = "cookies-to-every-path"
    case orderReversed = "cookies-last-first"
    case foldedByCommas = "set-cookie-joined-by-commas"
    case oneFieldEach = "one-field-for-each-cookie"
    case takenFromSuccessAlone = "cookies-of-success-alone"

    func misread(_ fields: [[UInt8]], status: Int) -> [[UInt8]] {
        switch self {
        case .foldedByCommas: fields.isEmpty ? [] : [Array(fields.joined(separator: ", ".utf8))]
        case .takenFromSuccessAlone: (200..<300).contains(status) ? fields : []
        case .neverExpires: fields.map { Self.without(["expires", "max-age"], $0) }
        case .sentToEveryPath: fields.map { Self.without(["path"], $0) }
        default: fields
        }
    }

    /// The host and path that the faulty client assumes; `isSending` distinguishes requests from replies.
    func misplace(_ place: CookieURL, isSending: Bool) -> CookieURL {
        var place = place
        switch self {
        case .sentToSiblings: place.host = CookieHandling.site(of: place.host)
        case .sentToEveryHost: place.host = "any.example"
        case .sentInTheClear: place.isSecure = place.isSecure || isSending
        case .sentToEveryPath: place.path = [UInt8(ascii: "/")]
        default: break
        }
        return place
    }

    func miswrite(_ field: [UInt8], isRedirected: Bool) -> [[UInt8]] {
        switch self {
        case .forgottenByRedirects: isRedirected ? [] : [field]
        case .orderReversed: [Array(Self.pairs(of: field).reversed().joined(separator: "; ".utf8))]
        case .oneFieldEach: Self.pairs(of: field)
        default: [field]
        }
    }

    private static func pairs(of field: [UInt8]) -> [[UInt8]] {
        field.split(separator: UInt8(ascii: ";")).map { Array($0.drop { $0 == UInt8(ascii: " ") }) }
    }

    private static func without(_ names: Set<String>, _ field: [UInt8]) -> [UInt8] {
        let parts = field.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let kept = parts.enumerated().filter { index, part in
            let name = part.prefix { $0 != UInt8(ascii: "=") }.filter { $0 != UInt8(ascii: " ") }
            return index == 0 || !names.contains(String(decoding: name.map(\.asciiLowercased), as: UTF8.self))
        }
        return Array(kept.map(\.element).joined(separator: [UInt8(ascii: ";")]))
    }
}

/// Which cookies a client accepts, as in NSHTTPCookieAcceptPolicy.
public enum CookiePolicy: Sendable, Hashable, CaseIterable {
    /// Every cookie that its origin may set.
    case always
    /// No cookies are accepted and none are sent; Foundation has another setting for sending.
    case never
    /// Cookies from the site of ``ClientRequest/mainDocument``: Foundation's `onlyFromMainDocumentDomain`.
    ///
    /// A request without a main document is its own document, so every cookie is accepted. Two hosts are one site when
    /// their names are equal or have the same last two labels; no list of public suffixes is used.
    case mainDocument
}

/// The cookies of one user agent, in memory; any thread may use it.
public final class ReferenceCookieStore: Sendable {
    private let clock: @Sendable () -> Int
    private let store: Locked<CookieStore>

    /// Makes an empty store; `clock` returns Unix seconds, nil stands for the system's time.
    public init(
        edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits(), clock: (@Sendable () -> Int)? = nil
    ) {
        self.clock = clock ?? { SystemTime.now }
        store = Locked(CookieStore(edition: edition, limits: limits))
    }

    /// All cookies in the order in which they were first set; some of them may have expired.
    public var cookies: [Cookie] { store.withLock { $0.cookies } }

    /// The value of the Cookie field of a request to that place; nil means no field.
    package func field(for place: CookieURL) -> [UInt8]? {
        let now = clock()
        return store.withLock { $0.field(for: place, at: now) }
    }

    /// Stores one Set-Cookie field of a reply from that place.
    @discardableResult
    package func setCookie(_ field: [UInt8], from place: CookieURL) -> SetCookieNote.Outcome {
        let now = clock()
        return store.withLock { $0.setCookie(field, from: place, at: now) }
    }

    /// Stores a Set-Cookie field that came from that place at `time`, in Unix seconds.
    package func restore(_ field: [UInt8], from place: CookieURL, at time: Int) {
        store.withLock { _ = $0.setCookie(field, from: place, at: time) }
    }

    /// The cookies that a request to the URL would have, in order.
    package func cookies(for url: ClientURL) -> [Cookie] {
        let now = clock()
        return store.withLock { $0.fitting(url.cookiePlace, at: now) }
    }

    /// Sets a cookie as a reply from the URL would; `text` is the value of a Set-Cookie field.
    public func set(_ text: String, for url: ClientURL) { setCookie(Array(text.utf8), from: url.cookiePlace) }

    /// Removes the cookies of that name that a request to the URL would have; nil: all of them.
    package func remove(named name: String?, for url: ClientURL) {
        store.withLock { $0.remove(named: name.map { Array($0.utf8) }, fitting: url.cookiePlace) }
    }

    /// Removes the session cookies (RFC 6265 §5.3); the owner decides when a session ends.
    public func endSession() { store.withLock { $0.endSession() } }

    /// Removes all cookies.
    package func removeAll() { store.withLock { $0 = CookieStore(edition: $0.edition, limits: $0.limits) } }
}
