import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorTestSupport

/// A client with one way to give it a credential.
enum RealClient: String, Sendable, CaseIterable {
    case curlBasic = "curl --basic"
    case curlDigest = "curl --digest"
    case curlAny = "curl --anyauth"
    case curlBearer = "curl --oauth2-bearer"
    case curlProxyBasic = "curl --proxy-basic"
    case curlProxyDigest = "curl --proxy-digest"
    case curlProxyAny = "curl --proxy-anyauth"
    case wget = "wget --user"
    case wgetUnasked = "wget --auth-no-challenge"
    case requestsBasic = "requests HTTPBasicAuth"
    case requestsDigest = "requests HTTPDigestAuth"
    case requestsProxy = "requests HTTPProxyAuth"
    case aiohttp = "aiohttp BasicAuth"
    case urllibBasic = "urllib HTTPBasicAuthHandler"
    case urllibDigest = "urllib HTTPDigestAuthHandler"

    /// Which features it has something to do with.
    var groups: Set<RealClientFeature.Group> {
        switch self {
        case .curlBasic, .wgetUnasked, .requestsBasic: [.basic]
        case .curlDigest: [.digest]
        case .requestsDigest: [.digest, .either]
        case .curlAny: [.basic, .digest, .either]
        case .curlBearer: [.bearer]
        case .curlProxyBasic: [.proxyBasic, .connectBasic]
        case .curlProxyDigest: [.proxyDigest, .connectDigest]
        case .curlProxyAny: [.proxyBasic, .proxyDigest, .connectBasic, .connectDigest]
        case .wget: [.basic, .digest, .either, .proxyBasic]
        case .requestsProxy: [.proxyBasic]
        case .aiohttp: [.basic, .proxyBasic]
        case .urllibBasic: [.basic, .either, .proxyBasic]
        case .urllibDigest: [.digest, .proxyDigest]
        }
    }

    /// The program, or Python's module, and the version that the page is written for.
    var writtenFor: (product: String, version: String) {
        switch self {
        case .wget, .wgetUnasked: ("wget", "1.21")
        case .requestsBasic, .requestsDigest, .requestsProxy: ("requests", "2.28")
        case .aiohttp: ("aiohttp", "3.8")
        case .urllibBasic, .urllibDigest: ("python3", "3.11")
        default: ("curl", "7.88")
        }
    }

    /// nil where it is not installed.
    func version() throws -> String? {
        switch writtenFor.product {
        case "requests", "aiohttp":
            let outcome = try ChildProcess.runNow([
                Tools.python, "-E", "-s", "-B", "-c", "import \(writtenFor.product) as m; print(m.__version__)",
            ])
            return outcome.status == 0 ? outcome.out.trimmingCharacters(in: .whitespacesAndNewlines) : nil
        case "python3": return try Tools.version(of: Tools.python)
        case "wget":
            return FileManager.default.isExecutableFile(atPath: Tools.wget) ? try Tools.version(of: Tools.wget) : nil
        default: return try Tools.version(of: Tools.curl)
        }
    }

    // MARK: Commands

    /// One process that does all loads of a feature; nothing of it asks for a name or a file of the user's.
    func words(_ feature: RealClientFeature, base: String, folder: String) throws -> [String] {
        let url = (feature.isTunnel ? "https://lab.test" : feature.isProxy ? "http://lab.test" : base) + feature.target
        let password = feature.given ?? feature.password
        switch writtenFor.product {
        case "curl": return curl(feature, url, proxy: base, password: password)
        case "wget": return wget(feature, url, proxy: base, password: password, folder: folder)
        default:
            let task = Task(
                client: rawValue, url: url, user: feature.user, password: password, count: feature.count,
                method: feature.body == nil ? "GET" : "POST", body: feature.body, proxy: feature.isProxy ? base : nil)
            return Tools.script("auth_client.py", [String(decoding: try JSONEncoder().encode(task), as: UTF8.self)])
        }
    }

    private struct Task: Encodable {
        let client, url, user, password: String
        let count: Int
        let method: String
        let body, proxy: String?
    }

    private func curl(
        _ feature: RealClientFeature, _ url: String, proxy: String, password: String
    ) -> [String] {
        var words = [Tools.curl, "-q", "-sS", "--path-as-is", "-m", "\(ClientTimes.step)"]
        words.append(String(rawValue.dropFirst("curl ".count)))
        if self == .curlBearer {
            words.append(password)
        } else {
            words += [feature.isProxy ? "--proxy-user" : "--user", "\(feature.user):\(password)"]
        }
        words += feature.isProxy ? ["-x", proxy] : ["--noproxy", "*"]
        if let body = feature.body { words += ["--data-binary", body] }
        return words + (0..<feature.count).flatMap { _ in ["-o", "/dev/null", url] }
    }

    private func wget(
        _ feature: RealClientFeature, _ url: String, proxy: String, password: String, folder: String
    ) -> [String] {
        var words = [
            Tools.wget, "--no-config", "--no-hsts", "-nv", "--tries=1", "-T", "\(ClientTimes.step)",
            "-O", "\(folder)/file",
        ]
        if self == .wgetUnasked { words.append("--auth-no-challenge") }
        if feature.isProxy {
            words += ["-e", "use_proxy=yes", "-e", "http_proxy=\(proxy)"]
            words += ["--proxy-user=\(feature.user)", "--proxy-password=\(password)"]
        } else {
            words += ["--no-proxy", "--user=\(feature.user)", "--password=\(password)"]
        }
        if let body = feature.body { words.append("--post-data=\(body)") }
        return words + Array(repeating: url, count: feature.count)
    }
}

/// A guard's challenge, and the program of the client.
struct RealClientFeature: Sendable {
    let name: String
    let group: Group
    /// Items below `schemes:`.
    let schemes: [String]
    /// The value of `tolerates:`.
    ///
    /// Most libraries quote what must not be quoted; one row tells of that, so that the others can tell of the rest.
    let tolerates: String
    /// Keys of the guard beside its schemes and users, and those of the exchange's reply.
    let more: String
    let user: String
    let password: String
    /// What the client gives in its place, where it is wrong.
    let given: String?
    let target: String
    /// Sent by POST; nil: a GET.
    let body: String?
    /// Loads, one after the other.
    let count: Int

    /// Which clients have to do with it.
    enum Group: String, Sendable {
        case basic, digest, either, bearer, proxyBasic, proxyDigest, connectBasic, connectDigest
    }

    init(
        _ name: String, _ group: Group, schemes: String..., more: String = "", user: String = "user",
        password: String = "pass", given: String? = nil, target: String = "/page", body: String? = nil, count: Int = 1,
        tolerates: String = quotesAlone
    ) {
        self.name = name
        self.group = group
        self.schemes = schemes
        self.tolerates = tolerates
        self.more = more
        self.user = user
        self.password = password
        self.given = given
        self.target = target
        self.body = body
        self.count = count
    }

    var isProxy: Bool { [.proxyBasic, .proxyDigest].contains(group) || isTunnel }
    var isTunnel: Bool { [.connectBasic, .connectDigest].contains(group) }

    var scenario: String {
        """
        summary: \(name)
        tolerates: \(tolerates)
        origins: { main: { role: \(isProxy ? "proxy" : "server") } }
        guards:
          lab:
            proxy: \(isProxy)
            \(group == .bearer ? "tokens: [\(password)]" : "users: { \(Self.quoted(user)): \(Self.quoted(password)) }")
            schemes:
        \(schemes.map { "      - \($0)" }.joined(separator: "\n"))
        \(more)
        auth: lab
        exchanges:
        \(exchanges)
        """
    }

    private var exchanges: String {
        if isTunnel { return "  - { request: \"CONNECT {host}:{port}\", reply: { status: 502, body: \"no tunnel\" } }" }
        if isProxy { return "  - { request: \"* http://lab.test/*\", reply: { status: 200, body: \"welcome\" } }" }
        return "  - { request: \"* /*\", reply: { status: 200, body: \"welcome\" } }"
    }

    private static let quotesAlone =
        "{ except: [\(Departure.allCases.filter { $0 != .digestQuoting }.map(\.rawValue).joined(separator: ", "))] }"

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    static let all: [RealClientFeature] = [
        RealClientFeature("Basic", .basic, schemes: "basic"),
        RealClientFeature("Basic, empty user", .basic, schemes: "basic", user: ""),
        RealClientFeature("Basic, colon in the password", .basic, schemes: "basic", password: "pa:ss"),
        RealClientFeature(
            "Basic, UTF-8", .basic, schemes: "basic: { charset: UTF-8 }", user: "Jäsøn Doe", password: "Secret, or not?"
        ),
        RealClientFeature("Basic, wrong password", .basic, schemes: "basic", given: "wrong"),
        RealClientFeature("Basic, POST", .basic, schemes: "basic", body: "a=1&b=2"),
        RealClientFeature("Basic, two loads", .basic, schemes: "basic", count: 2),

        RealClientFeature("Digest, quotes exact", .digest, schemes: "digest", tolerates: "none"),
        RealClientFeature("Digest MD5", .digest, schemes: "digest: { opaque: kept-by-the-client }"),
        RealClientFeature(
            "Digest, target with escapes and a query", .digest, schemes: "digest", target: "/a%20b/c?d=e%2Ff&g=1"),
        RealClientFeature("Digest, two loads", .digest, schemes: "digest", count: 2),
        RealClientFeature("Digest, POST", .digest, schemes: "digest", body: "a=1&b=2"),
        RealClientFeature("Digest, wrong password", .digest, schemes: "digest", given: "wrong"),
        RealClientFeature("Digest, no algorithm", .digest, schemes: "digest: { algorithm: null }"),
        RealClientFeature("Digest, no qop (RFC 2069)", .digest, schemes: "digest: { qop: none }"),
        RealClientFeature("Digest MD5-sess", .digest, schemes: "digest: { algorithm: MD5-sess }"),
        RealClientFeature("Digest MD5-sess, two loads", .digest, schemes: "digest: { algorithm: MD5-sess }", count: 2),
        RealClientFeature("Digest SHA-256", .digest, schemes: "digest: { algorithm: SHA-256 }"),
        RealClientFeature("Digest SHA-256-sess", .digest, schemes: "digest: { algorithm: SHA-256-sess }"),
        RealClientFeature("Digest SHA-512-256", .digest, schemes: "digest: { algorithm: SHA-512-256 }"),
        RealClientFeature("Digest, auth-int alone", .digest, schemes: "digest: { qop: auth-int }", body: "a=1&b=2"),
        RealClientFeature(
            "Digest, auth or auth-int", .digest, schemes: "digest: { qop: [auth, auth-int] }", body: "a=1&b=2"),
        RealClientFeature("Digest, userhash", .digest, schemes: "digest: { algorithm: SHA-256, userhash: true }"),
        RealClientFeature(
            "Digest, UTF-8", .digest, schemes: "digest: { charset: UTF-8 }", user: "Jäsøn Doe",
            password: "Secret, or not?"),
        RealClientFeature("Digest, quotes in the user", .digest, schemes: "digest", user: #"a "b" \c"#),
        RealClientFeature("Digest, quotes in the realm", .digest, schemes: "digest", more: #"    realm: 'a "b" \c'"#),
        RealClientFeature(
            "Digest, nonce for one request, two loads", .digest, schemes: "digest: { uses: 1 }", count: 2),
        RealClientFeature("Digest, nextnonce, two loads", .digest, schemes: "digest: { info: nextnonce }", count: 2),
        RealClientFeature("Digest, wrong rspauth", .digest, schemes: "digest: { info: wrong-rspauth }"),
        RealClientFeature("Digest, SHA-256 before MD5", .digest, schemes: "digest: { algorithm: SHA-256 }", "digest"),

        RealClientFeature("Basic before Digest", .either, schemes: "basic", "digest"),
        RealClientFeature("Digest before Basic", .either, schemes: "digest", "basic"),
        RealClientFeature(
            "Basic and Digest in one line", .either, schemes: "basic", "digest", more: "    layout: one-line"),
        RealClientFeature("an unknown scheme before Basic", .either, schemes: "verbatim: 'Unheard a=\"b\"'", "basic"),

        RealClientFeature("Bearer", .bearer, schemes: "bearer", password: "mF_9.B5f-4.1JqM"),
        RealClientFeature(
            "Bearer, unknown token", .bearer, schemes: "bearer", password: "mF_9.B5f-4.1JqM", given: "other"),

        RealClientFeature("proxy, Basic", .proxyBasic, schemes: "basic"),
        RealClientFeature("proxy, Digest", .proxyDigest, schemes: "digest"),
        RealClientFeature("proxy, Digest, two loads", .proxyDigest, schemes: "digest", count: 2),
        RealClientFeature("CONNECT, Basic", .connectBasic, schemes: "basic"),
        RealClientFeature("CONNECT, Digest", .connectDigest, schemes: "digest"),
    ]
}
