extension RuleTable {
    static let redirectRows = """
        # Three phases.
        accepted 1: redirect(302) challenge(basic) response(200) data×2 complete(ok)
        accepted 1: redirect(302) complete(connectionLost)
        accepted 1: bodySent response(413) bodySent data complete(ok)
        accepted 1 urlProtocol: redirect(302) challenge(basic) response(200) data complete(ok)
        accepted 1 connection: canonicalize redirect(302) challenge(basic) response(200) data complete(ok)
        accepted 1: waiting response(200) data complete(timedOut)
        refused 1: response(200) challenge(basic) data complete(ok)
        refused 1 urlProtocol: response(200) challenge(basic) data complete(ok)
        refused 1 connection: response(404) data challenge(digest) data complete(ok)
        refused 1: response(200) needBodyStream data complete(ok)
        refused 1: response(200) challenge(basic) challenge(basic) data complete(ok)

        # A success needs a response.
        accepted 2: response(204) complete(ok)
        accepted 2: complete(timedOut)
        accepted 2 sessionDownload: progress fileReady complete(ok)
        accepted 2 connectionDownload: progress fileReady
        accepted 2 urlProtocol: cacheValidated complete(ok)
        accepted 2 download: downloadBegin downloadResumed progress complete(ok)
        accepted 2 sessionBackground: data complete(ok)
        accepted 2 stream: streamReadClosed complete(ok)
        refused 2: complete(ok)
        refused 2: redirect(302) complete(ok)
        refused 2: redirect(302) answer(follow) metrics complete(ok)
        refused 2 connection: canonicalize complete(ok)
        refused 2 urlProtocol: complete(ok)
        refused 2 download: downloadBegin complete(ok)

        # Redirects come first.
        accepted 3: redirect(301) redirect(302) response(200) data×2 complete(ok)
        accepted 3 connectionDownload: redirect(302) progress redirect(302) downloadResumed progress fileReady
        accepted 3 sessionDownload: redirect(302) downloadResumed(0) progress fileReady complete(ok)
        refused 3: response(200) redirect(302) response(200) data×2 complete(ok)
        refused 3 connection: response(200) data redirect(302) data complete(ok)
        refused 3 sessionDownload: progress redirect(302) progress fileReady complete(ok)
        refused 3 download: downloadBegin response(200) redirect(302) complete(ok)
        refused 3 connectionDownload: progress redirect(302) progress fileReady
        refused 3 urlProtocol: response(200) redirect(302) complete(ok)

        # A followed redirect is invisible.
        accepted 4: redirect(302) response(200) data complete(ok)
        accepted 4: redirect(302) answer(follow) response(302) data complete(ok)
        accepted 4: request(GET /a) redirect(302) answer(follow) request(GET /b) response(302) data complete(ok)
        accepted 4 sessionDownload: request(GET /a) redirect(302) answer(follow) request(GET /b) progress fileReady
            complete(ok)
        refused 4: redirect(302) response(302) data response(200) data complete(ok)
        refused 4: redirect(302) answer(follow) response(302) data response(200) data complete(ok)
        refused 4: request(GET /a) redirect(302) answer(follow) response(302) data complete(ok)
        refused 4 connection: redirect(302) response(302) data response(200) data complete(ok)
        refused 4 sessionDownload: request(GET /a) redirect(302) answer(follow) progress request(GET /b) progress fileReady
            complete(ok)

        # Canonicalisation.
        accepted 7 connection: canonicalize response(200) data×2 complete(ok)
        accepted 7 connection: canonicalize×3 redirect(302) canonicalize response(200) data complete(ok)
        accepted 7 download: downloadBegin canonicalize response(200) progress complete(ok)
        accepted 7 urlProtocol: canonicalize response(200) data complete(ok)
        observed 7: canonicalize response(200) complete(ok)
        observed 7: redirect(-) response(200) complete(ok)
        observed 7 sessionDownload: canonicalize×2 progress fileReady complete(ok)
        observed 7 connection: response(200) canonicalize data complete(ok)
        observed 7 urlProtocol: response(200) canonicalize data complete(ok)

        # Silence while a redirect is unanswered.
        accepted 8: redirect(302) answer(follow) response(200) data complete(ok)
        accepted 8: redirect(302) bodySent answer(follow) response(200) complete(ok)
        accepted 8: redirect(302) answer(follow) redirect(302) answer(follow) response(200) complete(ok)
        accepted 8 sessionDownload: redirect(302) answer(follow) progress fileReady complete(ok)
        refused 8: redirect(302) response(302) answer(follow) response(200) data complete(ok)
        refused 8: redirect(302) response(200) data×3 answer(follow) complete(ok)
        refused 8: ANSWERS redirect(302) data answer(follow) response(200) answer(allow) complete(ok)
        refused 8 sessionDownload: redirect(302) progress answer(follow) progress fileReady complete(ok)
        refused 8: ANSWERS redirect(302) response(302) data complete(ok)
        observed 8: redirect(302) redirect(302) answer(follow) answer(follow) response(200) complete(ok)
        observed 8 sessionHandler: redirect(302) challenge(serverTrust) answer(follow){to=redirect} answer(use) handler(ok)

        # Bounded redirects.
        accepted 9 on followsTwenty: redirect(302)×20 complete(tooManyRedirects)
        accepted 9 on followsTwenty: redirect(302)×20 response(200) data complete(ok)
        accepted 9: redirect(302)×25 response(200) data complete(ok)
        accepted 9 sessionHandler on followsTwenty: redirect(302)×20 handler(tooManyRedirects)
        refused 9 on followsTwenty: redirect(302)×21 response(200) data complete(ok)
        refused 9 on followsTwenty: redirect(302)×25 complete(tooManyRedirects)
        refused 9 on followsTwenty: redirect(302)×3 complete(tooManyRedirects)
        refused 9 connection on followsTwenty: redirect(302)×21 response(200) complete(ok)
        observed 9: redirect(302)×120 response(200) complete(ok)

        accepted 5: redirect(302) answer(refuse) response(302) data complete(ok)
        accepted 5: redirect(302) answer(refuse) response(302) data complete(connectionLost)
        accepted 5: redirect(302) answer(refuse) cancel complete(cancelled)
        accepted 5: request(GET /a) redirect(301) answer(follow) request(GET /b) redirect(302) answer(refuse) response(302)
            complete(ok)
        accepted 5 sessionDownload: redirect(302) answer(refuse) progress fileReady complete(ok)
        accepted 5 sessionHandler: redirect(302) answer(refuse) handler(ok) result{status=302}
        accepted 5 connection: redirect(302) answer(refuse) response(302) data complete(ok)
        accepted 5 download: downloadBegin redirect(302) answer(refuse) complete(cancelled)
        accepted 5 download on deliversRefused: downloadBegin redirect(302) answer(refuse) response(302) progress
            complete(ok)
        refused 5: redirect(302) answer(refuse) complete(cancelled)
        refused 5: redirect(302) answer(refuse) complete(ok)
        refused 5: redirect(302) answer(refuse) response(200) data complete(ok)
        refused 5: redirect(302) answer(refuse) response(302) data response(200) data complete(ok)
        refused 5: redirect(302) answer(refuse) redirect(302) answer(refuse) response(302) complete(ok)
        refused 5: request(GET /a) redirect(302) answer(refuse) request(GET /b) response(302) complete(ok)
        refused 5 sessionDownload: redirect(302) answer(refuse) complete(cancelled)
        refused 5 sessionHandler: redirect(302) answer(refuse) handler(cancelled)
        refused 5 sessionHandler: redirect(302) answer(refuse) handler(ok) result{status=200}
        refused 5 download on deliversRefused: downloadBegin redirect(302) answer(refuse) complete(cancelled)

        accepted 6: redirect(302) cancel complete(cancelled)
        accepted 6: redirect(302) cancel metrics complete(cancelled)
        accepted 6: <redirect(302) cancel /redirect(302) complete(cancelled)
        accepted 6 connection: redirect(302) cancel
        accepted 6 download: downloadBegin redirect(302) cancel
        accepted 6: <redirect(302) /redirect(302) cancel response(200) complete(cancelled)
        refused 6: redirect(302) cancel response(302) complete(ok)
        refused 6: redirect(302) cancel complete(ok)
        refused 6: redirect(302) cancel request(GET /b) complete(cancelled)
        refused 6 sessionDownload: redirect(302) cancel progress complete(cancelled)
        refused 6 sessionHandler: redirect(302) cancel handler(ok)
        refused 6 connection: redirect(302) cancel complete(cancelled)
        observed 6 download: downloadBegin redirect(302) cancel complete(cancelled)
        """
}
