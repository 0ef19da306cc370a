extension RuleTable {
    static let authenticationRows = """
        # One at a time.
        accepted 10: challenge(basic) answer(use) challenge(basic) answer(use) response(200) data complete(ok)
        accepted 10: challenge(basic) bodySent answer(use) response(200) complete(ok)
        accepted 10 urlProtocol: challenge(basic) challengeCancelled(basic) challenge(digest) answer(use) response(200)
            complete(ok)
        accepted 10: challenge(basic) answer(use) challenge(digest) cancel complete(cancelled)
        accepted 10: session: challenge(serverTrust) challenge(serverTrust) task: response(200) complete(ok)
        refused 10: challenge(basic) challenge(basic) answer(use) answer(use) response(200) complete(ok)
        refused 10: ANSWERS challenge(basic) data answer(use) response(200) answer(allow) complete(ok)
        refused 10: challenge(basic) response(401) data answer(use-none) complete(ok)
        refused 10 sessionDownload: challenge(basic) progress answer(use) fileReady complete(ok)
        refused 10 urlProtocol: challenge(basic) challenge(basic) answer(use) answer(use) response(200) complete(ok)
        refused 10 urlProtocol: ANSWERS challenge(basic) data answer(use) response(200) complete(ok)

        refused 10: ANSWERS challenge(basic) response(401) answer(allow) data complete(ok)

        # Withdraw before failing.
        accepted 11 urlProtocol: challenge(basic) answer(use) challenge(basic) challengeCancelled(basic)
            complete(connectionLost)
        accepted 11 urlProtocol: challenge(basic) answer(cancel) complete(cancelled)
        accepted 11: challenge(basic) answer(use) challenge(digest) complete(timedOut) answer(use)
        accepted 11 download: downloadBegin challenge(basic) challengeCancelled(basic) complete(timedOut)
        refused 11 urlProtocol: challenge(basic) answer(use) challenge(basic) complete(connectionLost) answer(use)
        refused 11 download: downloadBegin challenge(basic) answer(use) challenge(basic) complete(connectionLost)
            answer(use)
        refused 11 connection: askCanAuth(basic) challenge(basic) answer(use) askCanAuth(basic) challenge(basic)
            complete(connectionLost) answer(use)

        refused 11 urlProtocol: ANSWERS challenge(basic) complete(connectionLost) answer(cancel)
        accepted 11 urlProtocol: ANSWERS proto: p.canInit{accepts=true} p.canonical p.init p.start client: challenge(basic)
            proto: p.stop p.deinit

        # Challenge instead of response.
        accepted 12: challenge(basic) response(200) data×2 complete(ok)
        accepted 12: challenge(basic) answer(default) response(401) data complete(ok)
        accepted 12 sessionDownload: challenge(basic) answer(use) progress fileReady complete(ok)
        accepted 12 urlProtocol: challenge(basic) answer(use) response(200) data complete(ok)
        refused 12: response(401) data challenge(basic) response(200) data×2 complete(ok)
        refused 12: response(401) data challenge(basic) answer(use) response(200) data complete(ok)
        refused 12: response(407) data challenge(proxyBasic) answer(use) response(200) data complete(ok)
        refused 12: response(401) challenge(digest) response(401) challenge(digest) response(200) complete(ok)
        refused 12: response(401) data challenge(basic) redirect(302) response(200) data complete(ok)
        refused 12 connection: response(401) data challenge(basic) response(200) data complete(ok)
        refused 12 urlProtocol: response(401) data challenge(basic) response(200) data complete(ok)
        refused 12 download: downloadBegin response(401) challenge(basic) response(200) progress complete(ok)
        refused 12 sessionDownload: progress challenge(basic) progress fileReady complete(ok)

        # No header, no challenge.
        accepted 16: response(401) data complete(ok)
        accepted 16: challenge(negotiate) response(200) complete(ok)
        accepted 16 urlProtocol: challenge(default) response(200) complete(ok)
        observed 16: challenge(default) response(401) data complete(ok)
        observed 16 connection: challenge(default) response(401) data complete(ok)
        observed 16 connectionDownload: challenge(default) progress fileReady

        # Failure count.
        accepted 17: challenge(basic){failures=0} challenge(basic){failures=1} challenge(basic){failures=2} response(200)
            complete(ok)
        accepted 17: challenge(basic){failures=1} challenge(basic){failures=2} response(200) complete(ok)
        accepted 17: challenge(basic){failures=0,realm=a} challenge(basic){failures=0,realm=b} response(200) complete(ok)
        accepted 17: challenge(digest){failures=0} answer(reject) challenge(basic){failures=0} answer(use) response(200)
            complete(ok)
        accepted 17: challenge(serverTrust){failures=0} challenge(serverTrust){failures=0} response(200) complete(ok)
        accepted 17: challenge(basic){failures=0} redirect(302) challenge(basic){failures=0} response(200) complete(ok)
        accepted 17: challenge(proxyBasic){failures=0} challenge(basic){failures=0} challenge(proxyBasic){failures=1}
            challenge(basic){failures=1} response(200) complete(ok)
        refused 17: challenge(basic){failures=0} challenge(basic){failures=0} challenge(basic){failures=0} response(200)
            complete(ok)
        refused 17: challenge(basic){failures=0} challenge(basic){failures=2} response(200) complete(ok)
        refused 17: challenge(basic){failures=0} answer(use) challenge(basic){failures=0} answer(use) response(200)
            complete(ok)
        refused 17: challenge(basic){failures=3} response(200) complete(ok)
        refused 17 urlProtocol: challenge(basic){failures=1} challenge(basic){failures=0} response(200) complete(ok)
        observed 17: challenge(digest){failures=0} challenge(digest){failures=0} response(200) complete(ok)
        observed 17: challenge(basic){failures=0,realm=a} challenge(basic){failures=2,realm=b} response(200) complete(ok)

        # TLS first.
        accepted 18: challenge(serverTrust) response(200) data complete(ok)
        accepted 18: redirect(302) challenge(serverTrust) response(200) data complete(ok)
        accepted 18: challenge(serverTrust) challenge(basic) challenge(serverTrust) response(200) data complete(ok)
        accepted 18: bodySent challenge(clientCert) response(200) complete(ok)
        accepted 18 sessionDownload: challenge(serverTrust) progress fileReady complete(ok)
        accepted 18: session: challenge(ntlm) challenge(clientCert) task: response(200) complete(ok)
        accepted 18: challenge(serverTrust){scope=session} response(200) complete(ok)
        accepted 18 stream: challenge(serverTrust) streamsCaptured
        refused 18: response(200) challenge(serverTrust) data complete(ok)
        refused 18: response(200) data challenge(clientCert) complete(ok)
        refused 18 sessionDownload: progress challenge(serverTrust) progress fileReady complete(ok)
        refused 18: session: challenge(basic) challenge(basic) task: response(200) complete(ok)
        refused 18: challenge(digest){scope=session} response(200) complete(ok)
        # The 401 closed the connection, and only R12 is to blame.
        breaks 12: response(401) data challenge(basic) challenge(serverTrust) response(200) data complete(ok)

        # What a URLProtocol may forward.
        accepted 20 urlProtocol: challenge(digest) response(200) data complete(ok)
        accepted 20 urlProtocol: challenge(default) challenge(basic) response(200) data complete(ok)
        accepted 20: challenge(serverTrust) response(200) data complete(ok)
        refused 20 urlProtocol: challenge(serverTrust) response(200) data complete(ok)
        refused 20 urlProtocol: challenge(ntlm) challenge(negotiate) complete(cancelled)

        # Abandoned.
        accepted 13: challenge(basic) answer(use-none) response(401) data complete(ok)
        accepted 13: challenge(basic) answer(default) response(200) data complete(ok)
        accepted 13: challenge(serverTrust) answer(default) complete(serverCertificateUntrusted)
        accepted 13: challenge(proxyBasic) answer(default) complete(cannotConnect)
        accepted 13: request(CONNECT a:443) challenge(proxyBasic) answer(default) complete(badServerResponse)
        accepted 13: challenge(basic) answer(default) complete(timedOut)
        accepted 13: challenge(basic) answer(default) cancel complete(cancelled)
        accepted 13 sessionDownload: challenge(basic) answer(use-none) progress fileReady complete(ok)
        accepted 13 sessionHandler: challenge(basic) answer(default) handler(ok)
        refused 13: challenge(basic) answer(default) complete(userAuthenticationRequired)
        refused 13: challenge(basic) answer(use-none) complete(cancelled)
        refused 13: request(GET http://a/) challenge(proxyBasic) answer(default) complete(badServerResponse)
        refused 13 sessionDownload: challenge(basic) answer(default) complete(cancelled)
        refused 13 sessionHandler: challenge(basic) answer(default) handler(userAuthenticationRequired)
        breaks 13,39: resume challenge(basic) answer(default)
        breaks 13,45: resume challenge(basic) answer(default) HANG

        # Cancelled.
        accepted 14: challenge(basic) answer(cancel) complete(cancelled)
        accepted 14 on asksUser: challenge(basic) answer(cancel) complete(userCancelledAuthentication)
        accepted 14 connection: challenge(basic) answer(cancel) complete(userCancelledAuthentication)
        accepted 14 urlProtocol: challenge(basic) answer(cancel) complete(userCancelledAuthentication)
        accepted 14 sessionHandler: challenge(basic) answer(cancel) handler(cancelled)
        refused 14: challenge(basic) answer(cancel) response(401) complete(cancelled)
        refused 14: challenge(basic) answer(cancel) complete(ok)
        refused 14: challenge(basic) answer(cancel) challenge(basic) answer(cancel) complete(cancelled)
        refused 14 urlProtocol: challenge(basic) answer(cancel) response(401) complete(cancelled)
        refused 14 sessionHandler: challenge(basic) answer(cancel) handler(ok)
        observed 14: challenge(basic) answer(cancel) complete(userCancelledAuthentication)

        # Rejected.
        accepted 15: challenge(digest) answer(reject) challenge(basic) answer(use) response(200) data complete(ok)
        accepted 15: challenge(basic) answer(reject) response(401) data complete(ok)
        accepted 15: challenge(serverTrust) answer(reject) complete(cancelled)
        accepted 15: challenge(basic){realm=a} answer(reject) challenge(basic){realm=b} answer(use) response(200)
            complete(ok)
        accepted 15: challenge(digest) answer(reject) cancel complete(cancelled)
        refused 15: challenge(digest) answer(reject) complete(cancelled)
        refused 15: challenge(basic){realm=a} answer(reject) challenge(basic){realm=a} answer(use) response(200)
            complete(ok)
        refused 15 sessionDownload: challenge(digest) answer(reject) complete(cancelled)
        refused 15 sessionHandler: challenge(digest) answer(reject) handler(cancelled)
        observed 15: challenge(digest) answer(reject) complete(userAuthenticationRequired)
        observed 15: challenge(digest){failures=0} answer(reject) challenge(basic){failures=1} answer(use) response(200)
            complete(ok)

        accepted 19 connection: askCredStore askCanAuth(serverTrust) challenge(serverTrust) response(200) data complete(ok)
        accepted 19 connection: askCanAuth(basic) challenge(basic) challenge(basic) response(200) data complete(ok)
        accepted 19 connection: askCanAuth(basic){accepts=false} response(401) data complete(ok)
        accepted 19 connection: askCredStore challenge(basic){sel="connection:willSendRequestForAuthenticationChallenge:"}
            response(200) complete(ok)
        accepted 19 download: askCredStore downloadBegin askCanAuth(basic) challenge(basic) response(200) progress
            complete(ok)
        refused 19 connection: challenge(basic) askCanAuth(basic) response(200) data complete(ok)
        refused 19 connection: askCanAuth(basic){accepts=false} challenge(basic) response(200) data complete(ok)
        refused 19 connection: askCredStore askCredStore response(200) data complete(ok)
        refused 19 connection: response(200) askCredStore data complete(ok)
        refused 19 connection: challenge(basic){sel="connection:willSendRequestForAuthenticationChallenge:"}
            challengeCancelled(basic) complete(timedOut)
        refused 19 connection: askCanAuth(basic)
            challenge(basic){sel="connection:willSendRequestForAuthenticationChallenge:"} response(200) complete(ok)
        observed 19 connection: redirect(302) askCredStore response(200) data complete(ok)
        observed 19 connection: askCanAuth(basic) redirect(302) challenge(basic) response(200) complete(ok)

        # Challenges of TLS among the rules of HTTP's.

        # A session asks for several connections at once; a task asks one thing at a time.
        accepted 10: challenge(serverTrust){scope=session} challenge(serverTrust){scope=session} answer(trust) answer(trust)
            response(200) complete(ok)
        refused 10: challenge(serverTrust) challenge(clientCert) answer(trust) answer(identity) response(200) complete(ok)
        refused 10: ANSWERS challenge(serverTrust) response(200) answer(trust) answer(allow) complete(ok)

        # No 401 stands behind it, and it stands in the place of none.
        accepted 12: challenge(basic) challenge(serverTrust) response(200) complete(ok)
        accepted 12: response(401) data complete(ok)
        accepted 13: challenge(serverTrust) answer(default) response(200) data complete(ok)
        accepted 13: challenge(clientCert) answer(default) complete(clientCertificateRequired)
        accepted 13: challenge(proxyServerTrust) answer(default) complete(serverCertificateUntrusted)
        accepted 14: challenge(serverTrust) answer(cancel) complete(cancelled)
        refused 14: challenge(serverTrust) answer(cancel) response(200) complete(ok)
        refused 14: challenge(clientCert) answer(cancel) challenge(serverTrust) complete(cancelled)
        accepted 15: challenge(clientCert) answer(reject) response(200) data complete(ok)
        # A connection for the next method is made in between.
        accepted 15: challenge(digest) answer(reject) challenge(serverTrust) answer(trust) challenge(basic) answer(use)
            response(200) complete(ok)
        refused 15: challenge(digest) answer(reject) challenge(serverTrust) answer(trust) complete(cancelled)
        accepted 16: request(GET /a){status=200} challenge(serverTrust) response(200) complete(ok)
        accepted 16: request(GET /a){status=200} challenge(clientCert) response(200) complete(ok)
        accepted 17: challenge(basic){failures=0} answer(use) challenge(serverTrust){failures=0} answer(trust)
            challenge(basic){failures=1} answer(use) response(200) complete(ok)
        # What is answered to TLS is no credential for the space.
        refused 17: challenge(basic){failures=0} answer(use) challenge(serverTrust){failures=0} answer(trust)
            challenge(basic){failures=0} answer(use) response(200) complete(ok)

        # The session does not say for which of its loads it asks.
        observed 18: response(200) challenge(serverTrust){scope=session} data complete(ok)
        refused 18: response(200) challenge(proxyServerTrust) data complete(ok)

        accepted 19 connection: askCanAuth(clientCert) challenge(clientCert) response(200) data complete(ok)
        accepted 19 connection: askCanAuth(serverTrust) challenge(serverTrust) askCanAuth(clientCert) challenge(clientCert)
            response(200) complete(ok)
        accepted 19 connection: askCanAuth(serverTrust){accepts=false} complete(serverCertificateUntrusted)
        accepted 19 download: downloadBegin askCanAuth(serverTrust) challenge(serverTrust) response(200) complete(ok)
        accepted 19 connectionDownload: askCanAuth(serverTrust) challenge(serverTrust) progress fileReady
        refused 19 connection: challenge(serverTrust) askCanAuth(serverTrust) response(200) data complete(ok)
        refused 19 connection: askCanAuth(serverTrust){accepts=false} challenge(serverTrust) response(200) complete(ok)

        refused 20 urlProtocol: challenge(clientCert) response(200) data complete(ok)
        refused 20 urlProtocol: challenge(serverTrust) complete(serverCertificateUntrusted)
        refused 20 urlProtocol: challenge(proxyServerTrust) response(200) data complete(ok)
        """
}
