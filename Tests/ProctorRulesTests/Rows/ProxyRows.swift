extension RuleTable {
    static let proxyRows = """
        # Proxies ask as origins do, with their own status, field and spaces.

        accepted 10: challenge(proxyBasic) answer(use) challenge(basic) answer(use) response(200) data complete(ok)
        refused 10: challenge(proxyBasic) challenge(basic) answer(use) answer(use) response(200) complete(ok)
        accepted 11 urlProtocol: challenge(proxyDigest) answer(use) challenge(digest) challengeCancelled(digest)
            complete(connectionLost)
        refused 11 urlProtocol: challenge(proxyDigest) answer(use) challenge(digest) complete(connectionLost) answer(use)
        accepted 12: challenge(proxyDigest) answer(use) challenge(digest) answer(use) response(200) complete(ok)
        refused 12 connection: response(407) data challenge(proxyDigest) answer(use) response(200) data complete(ok)
        accepted 13: request(GET http://a/) challenge(proxyBasic) answer(default) response(407) data complete(ok)
        refused 13: request(GET http://a/) challenge(proxyDigest) answer(use-none) complete(cancelled)
        refused 13 sessionHandler: request(GET http://a/) challenge(proxyBasic) answer(use-none) handler(badServerResponse)
        refused 13: challenge(digest) answer(use-none) complete(userAuthenticationRequired)
        accepted 14: challenge(proxyDigest) answer(cancel) complete(cancelled)
        refused 14: challenge(proxyDigest) answer(cancel) response(407) complete(cancelled)
        accepted 15: request(GET http://a/) challenge(proxyDigest) answer(reject) challenge(proxyBasic) answer(use)
            response(200) complete(ok)
        accepted 15: request(GET http://a/) challenge(proxyBasic) answer(reject) response(407) data complete(ok)
        accepted 15: request(CONNECT a:443) challenge(proxyBasic) answer(reject) complete(badServerResponse)
        accepted 15: challenge(proxyBasic) answer(reject) complete(cancelled)
        refused 15: request(GET http://a/) challenge(proxyDigest) answer(reject) complete(cancelled)
        refused 15: challenge(proxyBasic){realm=a} answer(reject) challenge(proxyBasic){realm=a} answer(use) response(200)
            complete(ok)
        accepted 15: challenge(proxyBasic){realm=a} answer(reject) challenge(basic){realm=a} answer(use) response(200)
            complete(ok)
        # It may have been offered with several algorithms.
        observed 15: challenge(digest){realm=a} answer(reject) challenge(digest){realm=a} answer(use) response(200)
            complete(ok)
        accepted 18: session: challenge(proxyNtlm) challenge(proxyNegotiate) task: response(200) complete(ok)
        refused 18: session: challenge(proxyDigest) task: response(200) complete(ok)
        accepted 19 connection: askCanAuth(proxyBasic) challenge(proxyBasic) askCanAuth(basic) challenge(basic)
            challenge(proxyBasic) askCanAuth(proxyBasic) challenge(proxyBasic) response(200) complete(ok)
        accepted 19 connection: askCanAuth(basic){accepts=false,realm=a} askCanAuth(basic){realm=b}
            challenge(basic){realm=b} response(200) complete(ok)
        refused 19 connection: askCanAuth(digest){accepts=false} askCanAuth(basic) challenge(basic) challenge(digest)
            response(200) complete(ok)
        refused 19 download: downloadBegin askCanAuth(proxyDigest){accepts=false} challenge(proxyDigest) response(200)
            progress complete(ok)
        refused 19 connection: challenge(proxyBasic) askCanAuth(proxyBasic) response(200) data complete(ok)
        accepted 20 urlProtocol: challenge(proxyBasic) challenge(proxyDigest) challenge(proxyDefault) response(200) data
            complete(ok)
        refused 20 urlProtocol: challenge(proxyNegotiate) response(200) data complete(ok)
        refused 20 urlProtocol: challenge(bearer) response(200) data complete(ok)

        # Where the wire tells of replies and credentials, two rules see more.

        accepted 16: request(GET /a){status=401} challenge(basic) answer(use) request(GET /a){status=200} response(200)
            complete(ok)
        accepted 16: request(GET http://a/){status=407} challenge(proxyBasic) answer(use) response(200) complete(ok)
        accepted 16: request(GET /a) challenge(basic) answer(use) response(200) complete(ok)
        accepted 16: request(GET /a) redirect(302) request(GET /b){status=200} challenge(basic) answer(use) response(200)
            complete(ok)
        accepted 16: request(GET /a){status=200} challenge(serverTrust) answer(use) response(200) complete(ok)
        accepted 16: request(GET /a){status=200} challenge(form) answer(use) response(200) complete(ok)
        refused 16: request(GET /a){status=200} challenge(basic) answer(use) response(200) complete(ok)
        refused 16 sessionDownload: request(GET /a){status=302} redirect(302) request(GET /b){status=403} challenge(digest)
            answer(use) progress fileReady complete(ok)
        refused 16: request(GET http://a/){status=401} challenge(proxyDigest) answer(use) response(200) complete(ok)
        refused 16 connection: request(GET /a){status=407} challenge(default) answer(use) response(200) complete(ok)

        accepted 17: request(GET /a){status=401,credentials=origin} challenge(basic){failures=1} answer(use) response(200)
            complete(ok)
        accepted 17: request(GET /a){status=401} challenge(basic){failures=1} answer(use) response(200) complete(ok)
        accepted 17: request(GET /a){status=407,credentials=both} challenge(proxyBasic){failures=1} answer(use)
            response(200) complete(ok)
        refused 17: request(GET /a){status=401,credentials=none} challenge(basic){failures=1} answer(use) response(200)
            complete(ok)
        refused 17: request(GET /a){status=407,credentials=origin} challenge(proxyBasic){failures=1} answer(use)
            response(200) complete(ok)
        refused 17: request(GET /a){status=401,credentials=proxy} challenge(digest){failures=1} answer(use) response(200)
            complete(ok)
        accepted 17: request(GET /a){status=401} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization stale"} challenge(digest){failures=0} answer(use) response(200)
            complete(ok)
        accepted 17: request(GET /a){status=401} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization stale"} request(GET /a){status=401,guarded="Authorization refused"}
            challenge(digest){failures=1} answer(use) response(200) complete(ok)
        accepted 17: request(GET /a){status=407} challenge(proxyDigest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization challenged"} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization stale"} challenge(digest){failures=0} answer(use) response(200)
            complete(ok)
        # A client that counts an old nonce as a failure.
        observed 17: request(GET /a){status=401} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization stale"} challenge(digest){failures=1} answer(use) response(200)
            complete(ok)
        refused 17: request(GET /a){status=401} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization refused"} challenge(digest){failures=0} answer(use) response(200)
            complete(ok)
        refused 17: request(GET /a){status=401} challenge(digest){failures=0} answer(use) request(GET
            /a){status=401,guarded="Authorization stale"} challenge(digest){failures=2} answer(use) response(200)
            complete(ok)
        observed 17: challenge(proxyDigest){failures=0} challenge(proxyDigest){failures=0} response(200) complete(ok)
        refused 17: challenge(proxyBasic){failures=0} answer(use) challenge(proxyBasic){failures=0} answer(use)
            response(200) complete(ok)
        """
}
