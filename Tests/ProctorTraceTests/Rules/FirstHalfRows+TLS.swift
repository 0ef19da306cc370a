@testable import ProctorTrace

extension RuleTable {
    /// Challenges of TLS among the rules of HTTP's.
    static let tlsRows: [RuleRow] = [
        // A session asks for several connections at once; a task asks one thing at a time.
        .accepted(
            10,
            "challenge(serverTrust){scope=session} challenge(serverTrust){scope=session} answer(trust) answer(trust) "
                + "response(200) complete(ok)"),
        .refused(
            10,
            "challenge(serverTrust) challenge(clientCert) answer(trust) answer(identity) response(200) complete(ok)"),
        .refused(10, "ANSWERS challenge(serverTrust) response(200) answer(trust) answer(allow) complete(ok)"),

        // No 401 stands behind it, and it stands in the place of none.
        .accepted(12, "challenge(basic) challenge(serverTrust) response(200) complete(ok)"),
        .accepted(12, "response(401) data complete(ok)"),
        .accepted(13, "challenge(serverTrust) answer(default) response(200) data complete(ok)"),
        .accepted(13, "challenge(clientCert) answer(default) complete(clientCertificateRequired)"),
        .accepted(13, "challenge(proxyServerTrust) answer(default) complete(serverCertificateUntrusted)"),
        .accepted(14, "challenge(serverTrust) answer(cancel) complete(cancelled)"),
        .refused(14, "challenge(serverTrust) answer(cancel) response(200) complete(ok)"),
        .refused(14, "challenge(clientCert) answer(cancel) challenge(serverTrust) complete(cancelled)"),
        .accepted(15, "challenge(clientCert) answer(reject) response(200) data complete(ok)"),
        // A connection for the next method is made in between.
        .accepted(
            15,
            "challenge(digest) answer(reject) challenge(serverTrust) answer(trust) challenge(basic) answer(use) "
                + "response(200) complete(ok)"),
        .refused(
            15, "challenge(digest) answer(reject) challenge(serverTrust) answer(trust) complete(cancelled)"),
        .accepted(16, "request(GET /a){status=200} challenge(serverTrust) response(200) complete(ok)"),
        .accepted(16, "request(GET /a){status=200} challenge(clientCert) response(200) complete(ok)"),
        .accepted(
            17,
            "challenge(basic){failures=0} answer(use) challenge(serverTrust){failures=0} answer(trust) "
                + "challenge(basic){failures=1} answer(use) response(200) complete(ok)"),
        // What is answered to TLS is no credential for the space.
        .refused(
            17,
            "challenge(basic){failures=0} answer(use) challenge(serverTrust){failures=0} answer(trust) "
                + "challenge(basic){failures=0} answer(use) response(200) complete(ok)"),

        // The session does not say for which of its loads it asks.
        .observed(18, "response(200) challenge(serverTrust){scope=session} data complete(ok)"),
        .refused(18, "response(200) challenge(proxyServerTrust) data complete(ok)"),

        .accepted(19, .UC, "askCanAuth(clientCert) challenge(clientCert) response(200) data complete(ok)"),
        .accepted(
            19, .UC,
            "askCanAuth(serverTrust) challenge(serverTrust) askCanAuth(clientCert) challenge(clientCert) response(200) "
                + "complete(ok)"),
        .accepted(19, .UC, "askCanAuth(serverTrust){accepts=false} complete(serverCertificateUntrusted)"),
        .accepted(19, .DL, "downloadBegin askCanAuth(serverTrust) challenge(serverTrust) response(200) complete(ok)"),
        .accepted(19, .CD, "askCanAuth(serverTrust) challenge(serverTrust) progress fileReady"),
        .refused(19, .UC, "challenge(serverTrust) askCanAuth(serverTrust) response(200) data complete(ok)"),
        .refused(19, .UC, "askCanAuth(serverTrust){accepts=false} challenge(serverTrust) response(200) complete(ok)"),

        .refused(20, .PC, "challenge(clientCert) response(200) data complete(ok)"),
        .refused(20, .PC, "challenge(serverTrust) complete(serverCertificateUntrusted)"),
        .refused(20, .PC, "challenge(proxyServerTrust) response(200) data complete(ok)"),
    ]
}
