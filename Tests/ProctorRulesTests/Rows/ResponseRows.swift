extension RuleTable {
    static let responseRows = """
        # Data after the response.
        accepted 25: response(200) data complete(ok)
        accepted 25 urlProtocol: cacheValidated data complete(ok)
        accepted 25 sessionBackground: data complete(ok)
        accepted 25: response(200) data task[1]: response(200) data complete(ok) task: data complete(ok)
        refused 25 urlProtocol: redirect(302) data complete(connectionLost)
        refused 25: challenge(basic) data response(200) complete(ok)
        refused 25: challenge(basic) data answer(use) response(200) complete(ok)
        refused 25: data response(200) complete(ok)
        refused 25: data×3 response(200) data complete(ok)
        refused 25: data complete(connectionLost)
        refused 25: redirect(302) data response(200) complete(ok)
        refused 25 urlProtocol: data response(200) complete(ok)
        refused 25 connection: data response(200) complete(ok)

        # Repeated response.
        accepted 26: response(200) data response(200) data response(200) data complete(ok)
        accepted 26 download: downloadBegin response(200) progress response(200) progress complete(ok)
        accepted 26: response(200){mime=multipart/x-mixed-replace} response(200){mime=text/plain} data
            response(200){mime=text/plain} data complete(ok)
        accepted 26: request(GET /a) response(200) data response(200) data complete(ok)
        accepted 26 urlProtocol: response(200) data response(200) data complete(ok)
        observed 26: response(417) response(200) data complete(ok)
        observed 26: request(GET /a) response(200) data request(GET /a) response(200) data complete(ok)
        observed 26: response(200) data suspend resume response(200) data complete(ok)
        observed 26 urlProtocol: response(200) data response(404) data complete(ok)
        refused 26: response(200){mime=multipart/x-mixed-replace} data×4 complete(ok)
        refused 26: response(200){mime=multipart/x-mixed-replace} data×4 metrics complete(ok)

        # Interim responses.
        accepted 27: informational(103)×2 response(200) data complete(ok)
        accepted 27: informational(103) redirect(302) informational(103) response(200) data complete(ok)
        accepted 27: response(101) data complete(ok)
        refused 27: response(103) response(200) data complete(ok)
        refused 27: response(103)×2 response(200) data complete(ok)
        refused 27: response(100) redirect(302) response(200) data complete(ok)
        refused 27: response(100) challenge(basic) response(200) data complete(ok)
        refused 27: response(104) challenge(serverTrust) response(200) data complete(ok)
        refused 27: response(200) informational(103) data complete(ok)
        refused 27: informational(101) response(200) complete(ok)
        refused 27 urlProtocol: response(102) response(200) data complete(ok)
        refused 27 connection: response(102) response(200) data complete(ok)

        # Each byte once.
        accepted 30: response(200){expectedLength=5,coding=identity} data{bytes=2} data{bytes=3} complete(ok)
        accepted 30: response(200){expectedLength=44,coding=gzip} data{bytes=4003} complete(ok)
        accepted 30: response(200){expectedLength=-1} data{bytes=4003} complete(ok)
        accepted 30: response(200){expectedLength=4} data{bytes=4} response(200){expectedLength=4} data{bytes=4}
            complete(ok)
        refused 30: response(200){expectedLength=5,coding=identity} data{bytes=2} data{bytes=5} data{bytes=5} complete(ok)
        refused 30: response(200){expectedLength=4,coding=identity} data{bytes=6} complete(ok)
        refused 30 urlProtocol: response(200){expectedLength=4,coding=identity} data{bytes=6} complete(ok)
        observed 30: response(200){expectedLength=4} data{bytes=6} complete(ok)
        observed 30: response(200) data{bytes=4} data{bytes=0} complete(ok)

        # No body, no data.
        accepted 31: response(204) complete(ok)
        accepted 31: request(HEAD /) response(200){expectedLength=100} complete(ok)
        accepted 31: request(HEAD /) redirect(303) request(GET /b) response(200) data complete(ok)
        accepted 31: response(200){expectedLength=0} complete(ok)
        accepted 31: response(200) data complete(ok)
        accepted 31: request(HEAD /) redirect(302) response(200) data complete(ok)
        refused 31: response(204) data complete(ok)
        refused 31: response(205) data×3 complete(ok)
        refused 31: response(304) data complete(ok)
        refused 31: request(HEAD /) response(200) data complete(ok)
        refused 31: response(200){expectedLength=0,coding=gzip} data complete(ok)
        refused 31 urlProtocol: response(204) data complete(ok)

        # willCache.
        accepted 32: response(200) data×2 willCache complete(ok)
        accepted 32: response(200) data metrics willCache complete(ok)
        accepted 32: response(200) data willCache cancel complete(cancelled)
        accepted 32: response(200) data willCache response(200) data willCache complete(ok)
        accepted 32 connection: response(200) data willCache complete(ok)
        accepted 32 sessionHandler: willCache handler(ok)
        refused 32: response(200) willCache data complete(ok)
        refused 32: response(200) data complete(ok) willCache
        refused 32: response(200) data willCache×2 complete(ok)
        refused 32: response(200) data willCache complete(connectionLost)
        refused 32: willCache response(200) complete(ok)
        refused 32 sessionDownload: progress willCache fileReady complete(ok)
        observed 32: response(404) data willCache complete(ok)

        # The cached answer.
        accepted 33 urlProtocol: cacheValidated response(200) data complete(ok)
        accepted 33 urlProtocol: cacheValidated complete(ok)
        observed 33 urlProtocol: response(200) data cacheValidated complete(ok)
        observed 33 urlProtocol: cacheValidated×3 complete(ok)

        # Silence.
        accepted 28: response(200) answer(allow) data complete(ok)
        accepted 28: response(200) answer(allow) data metrics complete(timedOut)
        accepted 28: response(200) cancel complete(cancelled)
        accepted 28: response(200) data complete(ok)
        refused 28: response(200) data answer(allow) complete(ok)
        refused 28: response(200) data×5 answer(allow) data complete(ok)
        refused 28: response(200) willCache answer(allow) complete(ok)
        observed 28: response(200) bodySent answer(allow) data complete(ok)

        refused 28: ANSWERS response(200) data complete(ok)
        observed 28: ANSWERS response(200) complete(connectionLost) answer(allow)

        # Effect.
        accepted 29: response(200) answer(cancel) complete(cancelled)
        accepted 29: response(200) answer(becomeDownload) becameDownload task[1].sessionDownload: progress fileReady
            complete(ok)
        # The new task under the number of the old one, where the recorder tells them apart.
        accepted 29: response(200) answer(becomeDownload) becameDownload task[0].sessionDownload: progress fileReady
            complete(ok)
        refused 29: response(200) becameDownload task[0].sessionData: complete(ok)
        accepted 29: response(200) answer(becomeStream) becameStream
        accepted 29: response(200) answer(allow) data response(200) answer(becomeDownload) becameDownload
        accepted 29: response(200) becameDownload
        accepted 29: response(200) answer(becomeDownload) cancel complete(cancelled)
        refused 29: response(200) answer(cancel) data×3 complete(ok)
        refused 29: response(204) answer(cancel) complete(ok)
        refused 29: response(200) answer(becomeDownload) data×8 complete(ok)
        refused 29: response(200) answer(becomeStream) complete(ok)
        refused 29: response(200) answer(allow) becameDownload
        refused 29: response(200) answer(becomeDownload) becameDownload complete(ok)
        refused 29: response(200) becameDownload data complete(ok)
        observed 29: response(200) answer(cancel) data complete(cancelled)
        """
}
