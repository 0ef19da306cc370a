extension RuleTable {
    static let endRows = """
        # R39 to R45.

        # R39: one end, unless nothing is due or the test is in its way.
        accepted 39: resume response(200) data complete(ok)
        accepted 39: resume suspend
        accepted 39: created
        accepted 39: resume response(200) data suspend
        accepted 39: resume response(200) becameDownload
        accepted 39 stream: resume streamReadClosed streamsCaptured
        accepted 39 connection: response(200) data cancel
        accepted 39 connectionDownload: progress cancel
        accepted 39 download: downloadBegin response(200) cancel
        accepted 39 download: downloadBegin redirect(302) answer(refuse)
        accepted 39 download: downloadBegin redirect(302) answer(refuse) complete(cancelled)
        accepted 39 urlProtocol: p.init p.start response(200) data p.stop p.deinit
        accepted 39 urlProtocol: redirect(302)
        refused 39: response(200) data complete(ok) complete(timedOut)
        refused 39: response(200) complete(ok) complete(ok)
        refused 39: response(200) data
        refused 39: resume
        refused 39: cancel
        refused 39: resume redirect(302) cancel
        refused 39 sessionDownload: resume progress×2
        refused 39 sessionDownload: progress fileReady complete(ok) complete(timedOut)
        refused 39 sessionBackground: progress×2
        refused 39 webSocket: wsOpen
        refused 39 connection: response(200) data
        refused 39 connection: response(200) data complete(ok) complete(timedOut)
        refused 39 connectionDownload: progress fileReady complete(timedOut)
        refused 39 download: downloadBegin response(200) progress
        refused 39 download on deliversRefused: downloadBegin redirect(302) answer(refuse)
        refused 39 download: downloadBegin redirect(302) answer(follow)
        refused 39 connection: redirect(302) answer(refuse)
        refused 39 urlProtocol: p.init p.start response(200) data
        refused 39 urlProtocol: response(200) complete(ok) complete(timedOut)

        # R40: nothing behind it.
        accepted 40: resume response(200) data complete(ok) handler(ok) cancel
        accepted 40: response(200) complete(ok) task[1]: response(200) complete(ok)
        accepted 40 on withFreeMetrics: response(200) data complete(ok) metrics
        refused 40: response(200) complete(ok) data
        refused 40: response(200) complete(ok) data×3 bodySent
        refused 40: response(200) data complete(ok) metrics
        refused 40 on withoutMetrics: response(200) data complete(ok) metrics
        refused 40: complete(timedOut) response(200)
        refused 40: complete(timedOut) redirect(302)
        refused 40 sessionDownload: progress fileReady complete(ok) progress
        refused 40 connection: response(200) complete(ok) data
        refused 40 connectionDownload: progress fileReady progress
        refused 40 download: downloadBegin response(200) complete(ok) progress
        refused 40 urlProtocol: p.init p.start response(200) complete(ok) data p.stop
        refused 40 webSocket: wsOpen wsClose(1000) complete(ok) wsClose(1000)

        # R41: as the platform has it.
        accepted 41 on withMetrics: response(200) data metrics complete(ok)
        accepted 41 on withMetrics: response(200) data metrics willCache complete(ok)
        accepted 41 on withMetrics: metrics complete(timedOut)
        accepted 41 sessionDownload on withMetrics: progress fileReady metrics complete(ok)
        accepted 41 webSocket on withMetrics: wsOpen metrics complete(connectionLost)
        accepted 41 on withMetrics: response(200) becameDownload
        accepted 41: response(200) data complete(ok)
        accepted 41: response(200) data metrics complete(ok)
        accepted 41 on withFreeMetrics: response(200) metrics data complete(ok) metrics
        accepted 41 on withFreeMetrics: response(200) data complete(ok)
        accepted 41 on withoutMetrics: response(200) data complete(ok)
        accepted 41: redirect(302) request(GET /a) request(GET /b) response(200) metrics{transactions=2} complete(ok)
        refused 41 on withMetrics: response(200) data complete(ok)
        refused 41 on withMetrics: response(200) data metrics metrics complete(ok)
        refused 41 on withMetrics: response(200) metrics data complete(ok)
        refused 41: response(200) metrics data×2 complete(ok)
        refused 41 sessionDownload: progress metrics fileReady complete(ok)
        breaks 41 on withMetrics: response(200) data complete(ok) metrics
        observed 41 on withMetrics: cancel complete(cancelled)
        observed 41 on withoutMetrics: response(200) data metrics complete(ok)
        observed 41: redirect(302) request(GET /a) request(GET /b) response(200) metrics{transactions=1} complete(ok)

        # R42: before resume nothing but the end; of old, silence.
        accepted 42: cancel complete(cancelled)
        accepted 42: created cancel resume metrics complete(cancelled)
        accepted 42: resume cancel complete(cancelled)
        accepted 42: resume response(200) data cancel data×4 complete(cancelled)
        accepted 42: resume response(200) data cancel complete(ok)
        accepted 42: resume response(200) data complete(ok) cancel
        accepted 42 sessionDownload: resume progress cancel progress complete(cancelled)
        accepted 42 connection: response(200) data cancel
        refused 42: cancel resume request(GET /a) complete(cancelled)
        refused 42: cancel resume response(200) data complete(ok)
        refused 42: cancel resume complete(timedOut)
        refused 42: created cancel resume redirect(302) complete(cancelled)
        refused 42: created invalidate(cancel) resume response(200) complete(ok) sessionInvalid
        refused 42 sessionDownload: cancel resume progress fileReady complete(ok)
        observed 42 connection: response(200) cancel data×2
        observed 42 connection: response(200) data cancel complete(ok)
        refused 42 connection on silentAfterCancel: response(200) cancel data
        observed 42 connectionDownload: progress cancel progress×2
        refused 42 connectionDownload on silentAfterCancel: progress cancel fileReady
        observed 42 download on silentAfterCancel: downloadBegin response(200) cancel progress

        # R43: the session's end comes after all others.
        accepted 43: resume invalidate(finish) response(200) data complete(ok) sessionInvalid
        accepted 43: resume response(200) data invalidate(cancel) complete(cancelled) sessionInvalid
        accepted 43: resume response(200) complete(ok)
        accepted 43 sessionHandler: resume invalidate(finish) handler(ok)
        accepted 43: resume response(200){who=task} complete(ok){who=task} invalidate(finish)
        accepted 43: resume session[1]: sessionInvalid task: response(200) complete(ok)
        refused 43: resume invalidate(finish) response(200) sessionInvalid complete(ok)
        refused 43: resume response(200) complete(ok) invalidate(finish) sessionInvalid sessionInvalid
        refused 43: response(200) complete(ok) sessionInvalid session: challenge(serverTrust)
        # A client that is started again has sessions of its own, whose first one has the number of the launch.
        accepted 43: resume response(200) complete(ok) invalidate(finish) sessionInvalid harness[1]: launched resume \
            task[1]: response(200) complete(ok) harness[1]: invalidate(finish) session[1]: sessionInvalid
        refused 43: resume response(200) complete(ok) invalidate(finish) sessionInvalid harness[1]: resume \
            task[1]: response(200) complete(ok)
        refused 43: resume response(200) complete(ok) invalidate(finish) sessionInvalid harness[1]: launched resume \
            task[1]: response(200) complete(ok) harness[1]: invalidate(finish) session[1]: sessionInvalid sessionInvalid
        refused 43: resume response(200) complete(ok) invalidate(finish) harness[1]: launched resume task[1]: \
            response(200) complete(ok)
        refused 43: resume response(200) complete(ok) invalidate(finish)
        observed 43: resume response(200) invalidate(cancel) sessionInvalid complete(cancelled)

        # R66: what waited for an app comes before backgroundEventsDone, and the app's handler is called once behind it.
        accepted 66 sessionBackground: backgroundEvents progress fileReady complete(ok) backgroundEventsDone
        accepted 66 sessionBackground: backgroundEvents complete(connectionLost) backgroundEventsDone
            answer(handled){to=backgroundEvents}
        accepted 66 sessionBackground: backgroundEvents task[1]: fileReady complete(ok) task[2]: fileReady complete(ok)
            session: backgroundEventsDone
        accepted 66 sessionBackground: progress backgroundEvents backgroundEventsDone progress fileReady complete(ok)
        accepted 66 sessionBackground: progress fileReady complete(ok) backgroundEventsDone
        refused 66 sessionBackground: backgroundEvents progress fileReady backgroundEventsDone complete(ok)
        refused 66 sessionBackground: backgroundEvents task[1]: fileReady complete(ok) task[2]: fileReady
            session: backgroundEventsDone task[2]: complete(ok)
        refused 66 sessionBackground: backgroundEvents progress fileReady complete(ok)
        observed 66 sessionBackground: backgroundEvents fileReady complete(ok) backgroundEventsDone backgroundEventsDone
        breaks none faults 66 sessionBackground: backgroundEvents fileReady complete(ok)
            answer(handled){to=backgroundEvents} backgroundEventsDone
        breaks none faults 66 sessionBackground: backgroundEvents fileReady complete(ok) backgroundEventsDone
            answer(handled){to=backgroundEvents} answer(handled){to=backgroundEvents}

        # R65: the delegate is held until the end, and not longer.
        accepted 65: resume response(200) complete(ok) invalidate(finish) sessionInvalid delegateReleased
        accepted 65 connection: resume response(200) data complete(ok) delegateReleased
        accepted 65 connection: resume response(200) cancel delegateReleased
        accepted 65 connectionDownload: resume progress fileReady delegateReleased
        accepted 65: resume response(200) complete(ok) invalidate(finish) sessionInvalid
        refused 65: resume response(200) complete(ok) invalidate(finish) delegateReleased sessionInvalid
        refused 65: resume response(200) complete(ok) invalidate(finish) sessionInvalid
            delegateReleased(not-in-time){ms=1000}
        refused 65 connection: resume response(200) delegateReleased data complete(ok)
        refused 65 connection: resume response(200) complete(ok) delegateReleased(not-in-time)
        refused 65 connection: resume response(200) complete(ok)
            task[1]: resume response(200) delegateReleased complete(ok)

        # R44: the status is delivered, and is no error.
        accepted 44: response(404) data complete(ok)
        accepted 44: response(500) data complete(connectionLost)
        accepted 44: response(500) cancel complete(cancelled)
        accepted 44: complete(badServerResponse)
        accepted 44: response(200) data complete(badServerResponse)
        accepted 44 sessionDownload: progress fileReady complete(ok)
        refused 44: response(500) complete(badServerResponse)
        refused 44: response(404) data×2 complete(noFile)
        refused 44 connection: response(403) complete(noPermissionsToReadFile)
        refused 44 urlProtocol: response(503) complete(resourceUnavailable)
        refused 44 sessionDownload: complete(badServerResponse){status=404}

        # R45: what the watchdog ended; its messages have tests of their own.
        accepted 45: resume response(200) complete(ok) HANG
        accepted 45: resume response(200) suspend HANG
        accepted 45 sessionHandler: resume handler(ok) HANG
        accepted 45 connection: response(200) cancel HANG
        refused 45: resume HANG
        refused 45: resume response(200) data HANG
        refused 45: resume redirect(302) cancel HANG
        refused 45 sessionDownload: resume progress×3 HANG
        refused 45 sessionHandler: resume redirect(302) answer(follow) HANG
        refused 45 connection: response(200) data HANG
        refused 45 urlProtocol: p.canInit p.canonical p.init p.start HANG
        breaks none faults 53: ANSWERS resume redirect(302) HANG
        """
}
