public import ProctorScenario

/// The environment variables by which common clients find a run's proxy and trust its authority.
public struct ClientEnvironment: Sendable {
    /// In the order in which a person reads them.
    public let variables: [(name: String, value: String)]

    /// The part that is about proxies; empty where nothing goes by one.
    public let proxies: [(name: String, value: String)]

    /// Of a run as it is now, for a case of its scenario, or for whatever comes.
    public init(of run: Run, for item: Case? = nil) {
        proxies = Self.proxies(of: run, for: item)
        var variables = [("PROCTOR_RUN", run.id), ("PROCTOR_BASE", run.base)]
        variables += run.origins.map { (Self.variable(ofOrigin: $0.name), $0.url) }
        variables += proxies
        if let path = run.trust {
            variables.append(("PROCTOR_CA", path))
            variables += Self.bundles.map { ($0, path) }
        }
        self.variables = variables
    }

    /// `PROCTOR_ORIGIN_NAME`: what is no letter and no digit becomes `_`.
    public static func variable(ofOrigin name: String) -> String {
        let word = name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        return "PROCTOR_ORIGIN_\(word)"
    }

    /// `HTTP_PROXY` in capitals is left out: a CGI program takes it for a request field, so careful clients don't read it.
    private static func proxies(of run: Run, for item: Case?) -> [(String, String)] {
        guard let proxy = ClientProxy(of: run, for: item) else { return [] }
        let url = "http://\(proxy.authority)"
        let exceptions = proxy.sparesLoopback ? "localhost,127.0.0.1,127.0.0.0/8,::1" : ""
        return [
            ("http_proxy", url), ("https_proxy", url), ("HTTPS_PROXY", url), ("no_proxy", exceptions),
            ("NO_PROXY", exceptions),
        ]
    }

    /// Where OpenSSL, curl, requests, Node, Git and the AWS tools look for a file of authorities.
    private static let bundles = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
        "AWS_CA_BUNDLE",
    ]
}
