extension RuleTable {
    static let corelibsRows = """
        # Recordings of swift-corelibs-foundation 6.3.1 with their verdicts, answers and facts added.

        # Plain transfers.
        accepted 25 on corelibs: resume request(GET /) response(200){expectedLength=5} answer(allow) data{bytes=5}
            complete(ok)
        accepted 25 on corelibs: response(200) data×19 complete(ok) task[1]: response(200) data complete(ok)
        accepted 30 on corelibs: response(200){expectedLength=44,coding=gzip} data{bytes=4003} complete(ok)
        accepted 31 on corelibs: request(HEAD /) response(200){expectedLength=5} complete(ok)
        accepted 31 on corelibs: request(GET /) response(304) complete(ok)
        accepted 2 on corelibs: complete(tooLarge)
        accepted 2 on corelibs: response(500) data complete(ok)

        # Redirects.
        accepted 3 on corelibs: request(POST /a){bodyLength=5} bodySent redirect(301) request(GET /b){bodyLength=0}
            response(200) data complete(ok)
        refused 22 on corelibs: request(POST /a){bodyLength=5} bodySent redirect(307) answer(follow) request(POST
            /b){bodyLength=0} response(200) data complete(ok)
        refused 22 on corelibs: request(PUT /a){bodyLength=5} bodySent redirect(302) answer(follow) request(PUT
            /b){bodyLength=0} response(200) data complete(ok)
        accepted 31 on corelibs: request(HEAD /a) redirect(303) answer(follow) request(GET /b) response(200) data
            complete(ok)
        accepted 5 on corelibs: request(GET /a) redirect(302) answer(refuse) response(302) data complete(ok)
        accepted 5 on corelibs: request(POST /a){bodyLength=5} bodySent redirect(307) answer(refuse) response(307) data
            complete(ok)
        accepted 6 on corelibs: request(GET /a) <redirect(302) cancel /redirect(302) complete(cancelled)
        accepted 8 on corelibs: redirect(302) +300ms answer(follow) response(200) data complete(ok)
        accepted 9 on corelibs: redirect(302)×20 complete(tooManyRedirects)
        accepted 9 on corelibs: redirect(302)×20 response(200) data complete(ok)
        refused 2 on corelibs: request(GET /a) complete(ok)
        accepted 1 on corelibs: redirect(302) answer(follow) complete(cannotConnect)

        # Authentication.
        refused 12 on corelibs: request(GET /a) response(401){expectedLength=6} data{bytes=6} challenge(basic){failures=0}
            answer(use) request(GET /a) response(200){expectedLength=7} data{bytes=7} complete(ok)
        breaks 12 on corelibs: response(401) data challenge(basic) answer(use) response(200) data complete(ok) task[1]:
            response(401) data challenge(basic) answer(use) response(200) data complete(ok)
        breaks 12,13,45 on corelibs: resume response(401) data challenge(basic) answer(default) HANG
        refused 12 on corelibs: resume response(401) data challenge(basic) answer(use-none) TRAP
        breaks 12,15 on corelibs: response(401) data challenge(basic) answer(reject) complete(cancelled)
        refused 12 on corelibs: response(401) data challenge(basic) answer(cancel) complete(cancelled)
        refused 12 on corelibs: response(401) data challenge(basic){failures=0} answer(use) response(401) data
            challenge(basic){failures=1} answer(use) response(401) data challenge(basic){failures=2} answer(use)
            response(401) data challenge(basic){failures=3} answer(cancel) complete(cancelled)
        refused 12 on corelibs: response(401) data challenge(basic){failures=0} answer(use) response(401) data
            challenge(basic){failures=1} answer(use) response(200) data complete(ok)
        breaks 12,13,45 on corelibs: resume response(401) data challenge(basic) answer(use) response(401) data
            challenge(basic) answer(default) HANG
        refused 12 on corelibs: response(401) data challenge(basic) cancel complete(cancelled)
        accepted 16 on corelibs: response(401) data complete(ok)
        accepted 16 on corelibs: response(407) data complete(ok)
        breaks 9,12 on corelibs: redirect(302) response(401) data challenge(basic) answer(use) redirect(302)×20
            complete(tooManyRedirects)
        refused 12 on corelibs: redirect(302) response(401) data challenge(basic) answer(use) redirect(302)×2 cancel
            complete(cancelled)
        breaks 12 observing 34 sessionDownload on corelibs: progress{n=7,total=7,expected=7} challenge(basic) answer(use)
            progress{n=11,total=18,expected=7} fileReady complete(ok)
        accepted 18 on corelibs: complete(unknown)

        # Interim and repeated responses.
        refused 27 on corelibs: response(100) response(200) data complete(ok)
        refused 27 on corelibs: response(103) answer(allow) response(103) answer(allow) response(200) answer(allow) data
            complete(ok)
        refused 27 on corelibs: response(100) bodySent response(200) data complete(ok)
        observed 26 on corelibs: request(POST /) response(417) bodySent request(POST /) response(417) data complete(ok)
        refused 26 on corelibs: response(200){mime=multipart/x-mixed-replace} data×4 complete(ok)

        # Disposition and suspension.
        refused 29 on corelibs: response(200) answer(cancel) data×13 complete(ok)
        refused 29 on corelibs: response(200) answer(becomeDownload) data×8 complete(ok)
        refused 28 on corelibs: response(200) data +300ms answer(allow) complete(ok)
        refused 28 on corelibs: redirect(302) answer(follow) response(200) answer(allow){to=response} data complete(ok)
            task[1]: response(200) data complete(ok)
        observed 26 on corelibs: request(GET /) response(200) data×2 suspend resume request(GET /) response(200) data×4
            complete(ok)
        accepted 1 on corelibs: response(200) <data cancel /data data×4 complete(cancelled)

        # Custom protocols.
        refused 25 urlProtocol on corelibs: proto: p.canInit{accepts=true} p.canonical p.init p.start client: data
            response(200) complete(ok) proto: p.stop p.deinit
        refused 2 urlProtocol on corelibs: proto: p.canInit{accepts=true} p.canonical p.init p.start client: complete(ok)
            proto: p.stop p.deinit
        accepted 26 urlProtocol on corelibs: response(200) data response(200) data complete(ok)
        refused 20 urlProtocol on corelibs: challenge(serverTrust) response(200) complete(ok)

        accepted 22 on corelibs: request(POST /){bodyLength=100} bodySent×4 response(200) data complete(ok)
        refused 22 on corelibs: needBodyStream answer(none) request(POST /){bodyLength=0} response(200) data complete(ok)
        accepted 21 on corelibs: bodySent response(200) data complete(ok)
        accepted 22 on corelibs: request(POST /a){bodyLength=5} needBodyStream bodySent redirect(301) request(GET
            /b){bodyLength=0} response(200) data complete(ok)
        refused 22 on corelibs: request(POST /a){bodyLength=5} needBodyStream bodySent redirect(308) answer(follow)
            request(POST /b){bodyLength=0} response(200) data complete(ok)
        breaks 12 observing 23 on corelibs: bodySent{n=5000,total=5000,expected=5000} response(401) data challenge(basic)
            answer(use) bodySent{n=5000,total=10000,expected=5000} response(200) data complete(ok)
        refused 12 on corelibs: needBodyStream bodySent response(401) data challenge(basic) answer(use) needBodyStream
            bodySent response(200) data complete(ok)
        breaks 12,22 on corelibs: request(POST /){bodyLength=5000} bodySent response(401) data challenge(basic) answer(use)
            request(POST /){bodyLength=0} response(200) data complete(ok)
        accepted 1 on corelibs: bodySent{n=5,total=5,expected=50} response(413) data complete(ok)
        accepted 1 on corelibs: bodySent×10 complete(connectionLost)
        observed 23 on corelibs: bodySent{n=16384,total=65536,expected=65536} bodySent{n=16384,total=65536,expected=65536}
            response(200) data complete(ok)
        accepted 23 on corelibs: bodySent{n=16384,total=16384,expected=32768} bodySent{n=16384,total=32768,expected=32768}
            response(200) data complete(ok)
        """
}
