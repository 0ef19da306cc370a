import ProctorBase
import ProctorHTTP

@testable import ProctorReference

/// One load with stored credentials and fixed nonces, as words.
struct AuthenticationScript {
    private(set) var loader: Loader
    var memory: AuthenticationMemory

    init(
        _ text: String = "http://a.test/dir/page", method: String = "GET", body: RequestBody = .none,
        fields: [HTTPField] = [], policy: LoaderPolicy = LoaderPolicy(), memory: AuthenticationMemory = Self.memory()
    ) throws {
        loader = Loader(
            ClientRequest(method: method, url: try ClientURL(text), fields: fields, body: body), policy: policy)
        self.memory = memory
    }

    static func memory(_ store: ReferenceCredentialStore = ReferenceCredentialStore()) -> AuthenticationMemory {
        AuthenticationMemory(stores: [store], makeClientNonce: { "mine" })
    }

    mutating func take(_ event: LoadEvent) -> [String] {
        loader.handle(event, knowing: &memory).map(Self.text)
    }

    /// Sends, receives the challenge and gives the credential, up to the request with the credential.
    mutating func answer(_ challenge: LoadEvent, with credential: LoadCredential) -> [String] {
        take(challenge) + take(.challengeAnswered(.use(credential))) + take(.drained)
    }

    // MARK: Replies

    static func reply(_ status: Int, _ lines: String...) -> LoadEvent {
        let text = (["HTTP/1.1 \(status) X", "Content-Length: 0"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return LoaderScript.head(text).map(LoadEvent.head) ?? .cancel
    }

    static func unauthorized(_ challenges: String...) -> LoadEvent {
        let lines = challenges.map { "WWW-Authenticate: \($0)" }
        let text = (["HTTP/1.1 401 X", "Content-Length: 0"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
        return LoaderScript.head(text).map(LoadEvent.head) ?? .cancel
    }

    static func digest(_ nonce: String, realm: String = "it", _ more: String = "qop=\"auth\"") -> String {
        "Digest realm=\"\(realm)\", nonce=\"\(nonce)\"" + (more.isEmpty ? "" : ", \(more)")
    }

    static let basic = "Basic realm=\"it\""
    static let user = LoadCredential(user: "user", password: "pass")
    static let keeping = LoadCredential(user: "user", password: "pass", persistence: .session)

    // MARK: Words

    static func text(_ action: LoadAction) -> String {
        guard case .send(let request, _) = action else {
            if case .tell(.challenge(let challenge)) = action { return text(challenge) }
            return LoaderScript.text(action)
        }
        let credentials = ["Authorization", "Proxy-Authorization"].flatMap { name in
            request.fields.all(named: name).map { (name == "Authorization" ? "" : "proxy ") + credential($0.value) }
        }
        return (["send \(request.method) \(request.url.path)"] + credentials).joined(separator: " + ")
    }

    private static func text(_ challenge: LoadChallenge) -> String {
        var text = "\(challenge.space.kind)(\(challenge.space.realm)) \(challenge.previousFailureCount)"
        if let proposed = challenge.proposedCredential { text += " \(proposed.user):\(proposed.password)" }
        return text
    }

    /// The parts of a Digest credential that change from request to request.
    private static func credential(_ value: String) -> String {
        let credentials = Credentials(Array(value.utf8))
        guard credentials.isScheme("Digest") else { return value }
        let parts = ["nonce", "nc", "qop", "uri"].compactMap { name in credentials[name].map { "\(name)=\($0)" } }
        return "Digest " + parts.joined(separator: " ")
    }
}

/// Gives 1, 2, 3, …; any thread may call it.
final class Counting: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
