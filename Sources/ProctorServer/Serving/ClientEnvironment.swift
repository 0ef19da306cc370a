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

/// The proxy by which clients come to a run: the one that a case is about, or else the one that leads to its names.
struct ClientProxy: Equatable {
    /// Host and port.
    let authority: String
    /// Addresses of this machine are reached without it; a proxy that is the subject is asked for them too.
    let sparesLoopback: Bool

    /// Nil: nothing goes by a proxy.
    ///
    /// Without a case it is what all cases agree on, then the way to the names, then the only proxy there is.
    init?(of run: Run, for item: Case?) {
        let proxies = run.scenario.origins.indices.filter { run.scenario.origins[$0].role == .proxy }
        let named = Set((item.map { [$0] } ?? run.scenario.cases).map { $0.client.first?.session?.proxy })
        let names = run.context.namesProxy
        if named.count == 1, let index = named.first ?? nil, run.authorities.indices.contains(index) {
            (authority, sparesLoopback) = (run.authorities[index], false)
        } else if let names {
            (authority, sparesLoopback) = (names, true)
        } else if item == nil, let index = proxies.first, proxies.count == 1 {
            (authority, sparesLoopback) = (run.authorities[index], false)
        } else {
            return nil
        }
    }
}

/// A proxy auto-config file: a JavaScript function that tells a client by which proxy a URL is reached.
enum ProxyConfigurationFile {
    /// As browsers and systems expect it.
    static let contentType = "application/x-ns-proxy-autoconfig"

    /// Every host goes by the proxy, so that one that is not declared is refused there and never looked up; nil: nothing
    /// goes by a proxy.
    static func text(_ proxy: ClientProxy?) -> String {
        guard let proxy else {
            return """
                // This run has no names, and not one proxy.
                function FindProxyForURL(url, host) {
                    return "DIRECT";
                }

                """
        }
        let exception = """
                if (host === "localhost" || host === "::1" || host === "[::1]" || /^127(\\.\\d+){3}$/.test(host)) {
                    return "DIRECT";
                }

            """
        return """
            // Every host is a scenario's own, or refused.
            function FindProxyForURL(url, host) {
            \(proxy.sparesLoopback ? exception : "")    return "PROXY \(proxy.authority)";
            }

            """
    }
}
