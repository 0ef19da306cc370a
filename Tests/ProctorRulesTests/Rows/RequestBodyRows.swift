extension RuleTable {
    static let requestBodyRows = """
        # The first stream.
        accepted 21: needBodyStream response(200) data complete(ok)
        accepted 21: needBodyStream bodySent×3 response(200) data complete(ok)
        accepted 21: challenge(serverTrust) needBodyStream bodySent response(200) data complete(ok)
        accepted 21: bodySent challenge(basic) needBodyStream bodySent response(200) complete(ok)
        accepted 21: bodySent{n=5,total=5} needBodyStream bodySent{n=5,total=5} response(200) complete(ok)
        accepted 21: request(PUT /a) bodySent needBodyStream request(PUT /a) response(200) complete(ok)
        accepted 21: bodySent response(200) data complete(ok)
        refused 21: bodySent needBodyStream bodySent response(200) data complete(ok)
        refused 21: bodySent needBodyStream response(200) data complete(ok)
        refused 21: bodySent{n=5,total=5} needBodyStream bodySent{n=5,total=10} response(200) complete(ok)
        refused 21 sessionDownload: bodySent needBodyStream bodySent progress fileReady complete(ok)

        # A new stream for every re-send.
        accepted 22: needBodyStream bodySent challenge(basic) needBodyStream bodySent response(200) complete(ok)
        accepted 22: needBodyStream challenge(serverTrust) response(200) complete(ok)
        accepted 22: needBodyStream bodySent challenge(basic) answer(default) response(401) complete(ok)
        accepted 22: needBodyStream bodySent challenge(basic) response(401) complete(ok)
        accepted 22: needBodyStream bodySent challenge(basic) answer(cancel) complete(cancelled)
        accepted 22: needBodyStream bodySent redirect(302) answer(follow) response(200) complete(ok)
        accepted 22 on resends: needBodyStream bodySent redirect(307) answer(follow) needBodyStream bodySent response(200)
            complete(ok)
        accepted 22 on resends: needBodyStream bodySent redirect(307) answer(refuse) response(307) complete(ok)
        accepted 22 on strips: needBodyStream bodySent redirect(307) answer(follow) response(200) complete(ok)
        accepted 22: needBodyStream answer(none) complete(requestBodyStreamExhausted)
        accepted 22: request(POST /a){bodyLength=5} redirect(302) request(GET /b){bodyLength=0} response(200) complete(ok)
        accepted 22: request(POST /a){bodyLength=5} challenge(ntlm) request(POST /a){bodyLength=0} response(200)
            complete(ok)
        accepted 22: request(POST /a){bodyLength=5} challenge(basic) request(POST /a){bodyLength=5} response(200)
            complete(ok)
        accepted 22: request(POST /a){bodyLength=5} redirect(307) answer(change) request(POST /b){bodyLength=0}
            response(200) complete(ok)
        accepted 22 on strips: request(POST /a){bodyLength=5} redirect(307) request(POST /b){bodyLength=0} response(200)
            complete(ok)
        accepted 22: request(POST /a){bodyLength=5} request(POST /b){bodyLength=0} response(200) complete(ok)
        accepted 22: needBodyStream request(PUT /a){bodyLength=5} bodySent needBodyStream request(PUT /a){bodyLength=5}
            response(200) complete(ok)
        accepted 22: request(PUT /a){bodyLength=5} request(PUT /a){bodyLength=5} needBodyStream response(200) complete(ok)
        accepted 22: needBodyStream request(PUT /a){bodyLength=0} request(PUT /a){bodyLength=5} response(200) complete(ok)
        accepted 22: needBodyStream request(PUT /a){bodyLength=5} request(PUT /a){bodyLength=5} complete(connectionLost)
        accepted 22: request(PUT /a){bodyLength=5} request(PUT /a){bodyLength=5} response(200) complete(ok)
        refused 22: needBodyStream request(PUT /a){bodyLength=5} bodySent request(PUT /a){bodyLength=5} response(200)
            complete(ok)
        refused 22 connection: needBodyStream request(PUT /a){bodyLength=5} request(PUT /a){bodyLength=5} response(200)
            complete(ok)
        refused 22: needBodyStream bodySent challenge(basic) answer(use) response(200) complete(ok)
        refused 22: needBodyStream bodySent challenge(basic) response(200) complete(ok)
        refused 22 connection: needBodyStream bodySent challenge(basic) response(200) complete(ok)
        refused 22 on resends: needBodyStream bodySent redirect(307) answer(follow) response(200) complete(ok)
        refused 22: needBodyStream answer(none) response(200) complete(ok)
        refused 22: request(POST /a){bodyLength=5} challenge(basic) request(POST /a){bodyLength=0} response(200)
            complete(ok)
        refused 22: request(PUT /a){bodyLength=5} request(PUT /a){bodyLength=0} response(200) complete(ok)
        refused 22 on resends: request(POST /a){bodyLength=5} redirect(308) request(POST /b){bodyLength=0} response(200)
            complete(ok)
        observed 22: needBodyStream challenge(basic) answer(use) response(200) complete(ok)
        observed 22: needBodyStream bodySent redirect(307) answer(follow) response(200) complete(ok)
        observed 22: needBodyStream bodySent redirect(303) needBodyStream response(200) complete(ok)
        observed 22: request(POST /a){bodyLength=5} redirect(307) request(POST /b){bodyLength=0} response(200) complete(ok)

        # Arithmetic.
        accepted 23: bodySent{n=2000,total=2000,expected=5000} bodySent{n=3000,total=5000,expected=5000} response(200)
            complete(ok)
        accepted 23: bodySent{n=2000,total=2000,expected=-1} bodySent{n=3000,total=5000,expected=-1} response(200)
            complete(ok)
        accepted 23: bodySent{n=5000,total=5000,expected=5000} challenge(basic) bodySent{n=2000,total=2000,expected=5000}
            bodySent{n=3000,total=5000,expected=5000} response(200) complete(ok)
        accepted 23: bodySent{n=5000,total=5000,expected=5000} challenge(basic) bodySent{n=5000,total=10000,expected=5000}
            response(200) complete(ok)
        accepted 23 on goesOnCounting: bodySent{n=5000,total=5000,expected=5000} challenge(basic)
            bodySent{n=2000,total=7000,expected=5000} bodySent{n=3000,total=10000,expected=5000} response(200) complete(ok)
        accepted 23 on restartsTotals: bodySent{n=2000,total=2000,expected=5000} challenge(basic)
            bodySent{n=3000,total=5000,expected=5000} bodySent{n=5000,total=5000,expected=5000} response(200) complete(ok)
        accepted 23: bodySent{n=4000,total=4000,expected=5000} bodySent{n=4000,total=4000,expected=5000} response(200)
            complete(ok)
        accepted 23: needBodyStream{offset=100} bodySent{n=50,total=150,expected=400} response(200) complete(ok)
        accepted 23: bodySent bodySent response(200) complete(ok)
        observed 23: bodySent{n=2000,total=2000,expected=9000} bodySent{n=3000,total=5000,expected=9000}
            bodySent{n=500,total=4000,expected=9000} response(200) complete(ok)
        observed 23: bodySent{n=5000,total=5000,expected=5000} bodySent{n=5000,total=10000,expected=5000} response(200)
            complete(ok)
        observed 23 on restartsTotals: bodySent{n=5000,total=5000,expected=5000} challenge(basic)
            bodySent{n=5000,total=10000,expected=5000} response(200) complete(ok)
        observed 23 on goesOnCounting: bodySent{n=5000,total=5000,expected=5000} challenge(basic)
            bodySent{n=5000,total=5000,expected=5000} response(200) complete(ok)
        observed 23: bodySent{n=0,total=0,expected=5000} response(200) complete(ok)
        observed 23: bodySent{n=2,total=2,expected=5} bodySent{n=2,total=4,expected=6} response(200) complete(ok)
        observed 23: bodySent{n=2000,total=5000,expected=5000} bodySent{n=3000,total=5000,expected=5000} response(200)
            complete(ok)
        observed 23: request(POST /a) bodySent{n=4000,total=4000,expected=5000} bodySent{n=4000,total=4000,expected=5000}
            response(200) complete(ok)
        # The server may read the request that is sent again after the client has told of its body.
        accepted 23: request(POST /a) bodySent{n=4000,total=4000,expected=5000} bodySent{n=4000,total=4000,expected=5000}
            request(POST /a) response(200) complete(ok)
        refused 23 on countsUploads: bodySent{n=5000,total=5000,expected=5000} bodySent{n=5000,total=10000,expected=5000}
            response(200) complete(ok)

        # Protocols have no body.
        accepted 24: proto: p.canInit{accepts=true} p.canonical p.init p.start p.stop task: response(200) data×2
            complete(ok)
        accepted 24: proto: p.canInit{accepts=true} p.canonical p.init p.start p.stop task: needBodyStream response(200)
            willCache complete(ok)
        accepted 24: bodySent response(200) complete(ok)
        observed 24: proto: p.canInit{accepts=true} p.canonical p.init p.start p.stop task: bodySent×3 response(200) data
            complete(ok)
        observed 24: proto: p.canInit{accepts=true} p.canonical p.init p.start p.stop task: needBodyStream challenge(basic)
            needBodyStream response(200) complete(ok)
        observed 24 connection: proto: p.canInit{accepts=true} p.canonical p.init p.start p.stop task: askCredStore
            response(200) complete(ok)
        """
}
