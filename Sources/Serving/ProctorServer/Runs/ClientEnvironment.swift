internal import ProctorBase
internal import ProctorLoop
internal import ProctorProgram
package import ProctorScenario

/// The environment variables by which common clients find a run's proxy and trust its authority.
package struct ClientEnvironment: Sendable {
    /// In the order of display.
    package let variables: [(name: String, value: String)]

    /// The variables about proxies; empty where no proxy is used.
    package let proxies: [(name: String, value: String)]

    /// For a case of the run's scenario, or for any use.
    package init(of run: Run, for item: Case? = nil) {
        proxies = Self.proxies(of: run, for: item)
        var variables = [("PROCTOR_RUN", run.id), ("PROCTOR_BASE", run.base)]
        variables += run.origins.map { (Self.variable(ofOrigin: $0.name), $0.url) }
        variables += proxies
        if let resolver = run.resolver {
            variables.append(("PROCTOR_RESOLVER", resolver))
            variables += run.names.map { ("PROCTOR_RESOLVE_\(Self.word($0.name))_\($0.port)", Self.resolveEntry($0)) }
        }
        if let path = run.trust {
            variables.append(("PROCTOR_CA", path))
            variables += Self.bundles.map { ($0, path) }
        }
        self.variables = variables
    }

    /// `PROCTOR_ORIGIN_NAME`: other characters than letters and digits become `_`.
    package static func variable(ofOrigin name: String) -> String {
        "PROCTOR_ORIGIN_\(word(name))"
    }

    private static func word(_ name: String) -> String {
        name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }

    /// `home.example.org:40001:127.64.0.1,127.64.0.2`, as `--resolve` of curl takes it; the port is the real one.
    private static func resolveEntry(_ host: Assignment.NamedHost) -> String {
        let places = (host.addresses ?? [host.address]).compactMap { SocketAddress(table: $0) }
        let hosts = places.compactMap { place in
            place.host.map { $0.contains(":") ? "[\($0)]" : $0 }
        }
        return "\(host.name):\(places.first?.port ?? 0):\(hosts.joined(separator: ","))"
    }

    /// Without `HTTP_PROXY`: a CGI program reads it as a request field, so careful clients ignore it.
    private static func proxies(of run: Run, for item: Case?) -> [(String, String)] {
        guard let proxy = ClientProxy(of: run, for: item) else { return [] }
        let url = "\(proxy.scheme)://\(proxy.userInfo)\(proxy.authority)"
        let ofHTTPS = item?.client.first?.session?.httpsProxy.flatMap { index in
            run.authorities.indices.contains(index) ? "http://\(run.authorities[index])" : nil
        }
        let ofCase = item?.client.first?.session?.noProxy?.map {
            String(decoding: $0.rendered(in: run.context), as: UTF8.self)
        }
        let exceptions =
            ofCase?.joined(separator: ",") ?? (proxy.sparesLoopback ? "localhost,127.0.0.1,127.0.0.0/8,::1" : "")
        return [
            ("http_proxy", url), ("https_proxy", ofHTTPS ?? url), ("HTTPS_PROXY", ofHTTPS ?? url),
            ("no_proxy", exceptions),
            ("NO_PROXY", exceptions),
        ]
    }

    /// The variables of OpenSSL, curl, requests, Node, Git and the AWS tools for a file of authorities.
    private static let bundles = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "GIT_SSL_CAINFO",
        "AWS_CA_BUNDLE",
    ]
}

/// The proxy for clients of a run: the subject of a case, or else the proxy to the origins' names.
struct ClientProxy: Equatable {
    let authority: String
    /// What clients are told to speak to it, as the scheme of its URL.
    let scheme: String
    /// User and password for a proxy of SOCKS, as they stand before the authority of its URL: `user:pass@`, or empty.
    var userInfo = ""
    /// Whether addresses of this machine bypass it; not so for a proxy that is the subject.
    let sparesLoopback: Bool
}

extension ClientProxy {
    /// Nil: no proxy is used; without a case: the proxy of all cases, else the proxy to the names, else the only
    /// proxy.
    init?(of run: Run, for item: Case?) {
        let proxies = run.scenario.origins.indices.filter { run.scenario.origins[$0].role == .proxy }
        let named = Set((item.map { [$0] } ?? run.scenario.cases).map { $0.client.first?.session?.proxy })
        let one = named.count == 1 ? named.first ?? nil : nil
        if let index = one, run.authorities.indices.contains(index) {
            self.init(run, index, item?.client.first?.session)
        } else if let names = run.context.namesProxy {
            self.init(authority: names, scheme: "http", sparesLoopback: true)
        } else if item == nil, let index = proxies.first, proxies.count == 1 {
            self.init(run, index)
        } else {
            return nil
        }
    }

    private init(_ run: Run, _ index: Int, _ session: SessionProgram? = nil) {
        let origin = run.scenario.origins[index]
        guard origin.socks != nil else {
            self.init(authority: run.authorities[index], scheme: origin.scheme.rawValue, sparesLoopback: false)
            return
        }
        let password = session?.proxyPassword.map { ":\(PercentEncoding.encode($0))" } ?? ""
        self.init(
            authority: run.authorities[index], scheme: (session?.proxyProtocol ?? .socks5h).rawValue,
            userInfo: session?.proxyUser.map { "\(PercentEncoding.encode($0))\(password)@" } ?? "",
            sparesLoopback: false)
    }

    /// The media type that browsers and systems expect of a proxy auto-config file.
    static let configurationContentType = "application/x-ns-proxy-autoconfig"

    /// A proxy auto-config file: a JavaScript function that returns the proxy for a URL.
    ///
    /// Every host uses the proxy, which refuses an undeclared host, so no client looks it up; nil: no proxy.
    static func configuration(_ proxy: ClientProxy?) -> String {
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
        let kinds = ["https": "HTTPS", "http": "PROXY", "socks4": "SOCKS4", "socks4a": "SOCKS4"]
        let kind = kinds[proxy.scheme] ?? "SOCKS5"
        return """
            // Every host is a scenario's own, or refused.
            function FindProxyForURL(url, host) {
            \(proxy.sparesLoopback ? exception : "")    return "\(kind) \(proxy.authority)";
            }

            """
    }
}
