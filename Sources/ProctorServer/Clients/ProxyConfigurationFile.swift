/// A proxy auto-config file: a JavaScript function that tells a client by which proxy a URL is reached.
enum ProxyConfigurationFile {
    /// As browsers and systems expect it.
    static let contentType = "application/x-ns-proxy-autoconfig"

    /// Every host goes by the proxy, so that one that nobody declares is refused there and never looked up; nil: nothing
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
