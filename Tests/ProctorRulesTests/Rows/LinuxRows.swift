/// Loads as Swift 6.3.1 showed them on Linux, with the rules that they were found to break when they were recorded.
///
/// What is known of a load beyond its events (answers, totals, queues, threads) is written where it decides. Every load
/// there breaks R41 too, which stands in rows of its own; URLProtocol objects are judged without the class calls, R52,
/// where it is not at hand.
extension RuleTable {
    private static let asked = "proto: p.canInit{request=\"GET /\",accepts=true} p.init{request=\"GET /\"} p.start"

    /// As the loader on Linux never does, so that R52 is out of the way.
    private static let askedWell =
        "proto: p.canInit{request=\"GET /\",accepts=true} p.canonical{request=\"GET /\"} p.init{request=\"GET /\"} p.start"

    static let linuxRows = """
        # get, with the metrics that are missing
        refused 41 on withMetrics: resume response(200) data×2 complete(ok)
        # head
        accepted 39 on linux: resume request(HEAD /) response(200) complete(ok)
        # gzip-bad
        accepted 39 on linux: resume response(200) complete(unknown)
        # status-404, status-500
        accepted 44 on linux: resume response(404) data complete(ok)
        accepted 44 on linux: resume response(500) data complete(ok)
        # get-with-body
        accepted 39 on linux: resume complete(tooLarge)
        # data-only-handler
        accepted 54 sessionHandler on linux: resume handler(ok)
        # main-delegate-queue
        accepted 46 on linux: <response(200)@main/t0 /response(200)@main/t0 <data@main/t0 /data@main/t0 complete(ok)@main/t0
        # concurrent-delegate-queue
        observed 46 on linux: <response(200)@concurrent/t1 <data@concurrent/t2 /data@concurrent/t2
            /response(200)@concurrent/t1 data×2@concurrent/t2 complete(ok)@concurrent/t1
        # broken-empty, broken-refused, timeout-body, broken-trunc
        accepted 44 on linux: resume complete(badServerResponse)
        accepted 39 on linux: resume complete(cannotConnect)
        accepted 45 on linux: resume response(200) data complete(timedOut)
        accepted 44 on linux: resume response(200) data complete(unknown)
        # ws-open-close
        accepted 57 webSocket on linux: resume complete(unsupportedURL)
        # cancel-before-resume, cancel-while-waiting, cancel-in-response, cancel-in-data, cancel-in-complete
        accepted 42 on linux: cancel resume complete(cancelled)
        accepted 42 on linux: resume request(GET /) cancel complete(cancelled)
        accepted 42 on linux: resume response(200) cancel data×4 complete(cancelled)
        accepted 42 on linux: resume response(200) data cancel cancel data×4 complete(cancelled)
        accepted 42 on linux: resume response(200) data×2 complete(ok) cancel
        # suspend-fresh-task
        accepted 39 on linux: suspend
        # finishTasksAndInvalidate, invalidateAndCancel
        accepted 43 on linux: resume invalidate(finish) response(200) data×3 complete(ok) sessionInvalid
        accepted 43 on linux: resume response(200) data×2 invalidate(cancel) complete(cancelled) sessionInvalid(ok)

        # redirect-302-get-allow
        accepted 39 on linux: resume redirect(302) answer(follow) response(200) data complete(ok)
        # redirect-cancel-noanswer
        accepted 42 on linux: resume <redirect(302) cancel /redirect(302) complete(cancelled)
        # redirect-cancel-then-nil, up to the trap
        accepted 53 on linux: resume <redirect(302) cancel /redirect(302) complete(cancelled) answer(refuse){to=redirect}
        # redirect-answered-twice, up to the trap
        breaks 39 faults 53 on linux: resume redirect(302) answer(follow) answer(follow)
        # redirect-never-answered
        breaks none faults 53 on linux: ANSWERS resume request(GET /) redirect(302)
        # redirect-async-answer
        accepted 53 on linux: resume <redirect(302) /redirect(302) +300ms answer(follow){to=redirect} response(200)
            complete(ok)
        # redirect-nil-download-task, up to the trap
        refused 39 sessionDownload on linux: resume redirect(302) answer(refuse)
        # redirect-download-task
        observed 34 sessionDownload on linux: resume redirect(302) answer(follow)
            progress{n=16384,total=98304,expected=100000} progress{n=81920,total=98304,expected=100000}
            progress{n=1696,total=100000,expected=100000} fileReady{bytes=100000} complete(ok)

        # basic-use
        breaks 12 on linux: resume response(401) data challenge(basic) answer(use) response(200) data complete(ok)
        # basic-cancel
        breaks 12 on linux: resume response(401) data challenge(basic) answer(cancel){to=challenge} complete(cancelled)
        # basic-cancel-while-outstanding
        breaks 12 on linux: resume response(401) data challenge(basic) cancel complete(cancelled)
        # basic-answered-twice
        breaks 12,40 faults 53 on linux: resume response(401) data challenge(basic) answer(use) answer(use) response(200)
            data complete(ok) response(200) data
        # basic-post-data
        breaks 12 observing 23 on linux: resume bodySent{n=5000,total=5000,expected=5000} response(401) data
            challenge(basic) answer(use) bodySent{n=5000,total=10000,expected=5000} response(200) data complete(ok)
        # download-basic
        breaks 12 observing 34 sessionDownload on linux: resume progress{n=7,total=7,expected=7} challenge(basic)
            answer(use) progress{n=11,total=18,expected=7} fileReady complete(ok)
        # async-data-basic-session-delegate
        accepted 54 sessionHandler on linux: resume challenge(basic) answer(use) awaited(ok)

        # upload-streamed
        refused 46 on linux: resume needBodyStream@/t7 bodySent{n=2,total=2,expected=-1}@D/t1
            bodySent{n=3,total=5,expected=-1}@D/t1 response(200)@D/t1 data@D/t1 complete(ok)@D/t1
        # upload-streamed-401
        breaks 12,46 on linux: resume needBodyStream@/t7 bodySent@D/t1 response(401)@D/t1 data@D/t1 challenge(basic)@D/t1
            answer(use) needBodyStream@/t7 bodySent@D/t1 response(200)@D/t1 data@D/t1 complete(ok)@D/t1
        # upload-early-413
        accepted 44 on linux: resume bodySent response(413) data complete(ok)
        # download, download-slow-delegate-totals
        observed 34 sessionDownload on linux: resume progress{n=16384,total=49152,expected=200000}
            progress{n=16384,total=200000,expected=200000} progress{n=167232,total=200000,expected=200000} fileReady
            complete(ok)
        observed 34 sessionDownload on linux: resume progress{n=100000,total=200000,expected=200000}
            progress{n=100000,total=200000,expected=200000} fileReady complete(ok)
        # download-404, download-204, download-chunked, download-trunc
        accepted 35 sessionDownload on linux: resume progress{n=9,total=9,expected=9} fileReady complete(ok)
        accepted 35 sessionDownload on linux: resume fileReady complete(ok)
        accepted 34 sessionDownload on linux: resume progress{n=5,total=5,expected=-1} progress{n=4,total=9,expected=-1}
            progress{n=5,total=14,expected=-1} fileReady complete(ok)
        accepted 35 sessionDownload on linux: resume progress{n=50,total=50,expected=100} complete(unknown)
        # download-cancel-resume
        accepted 38 sessionDownload on linux: resume progress×6 cancel{sel="cancel(byProducingResumeData:)"}
            handler(error){sel="cancel(byProducingResumeData:)"} complete(cancelled)
        # download-bogus-resume-data
        accepted 36 sessionDownload on linux: resume complete(unsupportedURL)
        # async-data-task-delegate: what the task's own delegate is told is not decided
        observed 54 sessionHandler on linux: resume response(200){who=task} data{who=task}×3 awaited(ok)
        # async-data-both-redirect
        breaks 55 observing 54 sessionHandler on linux: resume{who=task} redirect(302){who=session} answer(follow)
            response(200){who=task} data{who=task} awaited(ok)
        # task-delegate-property
        refused 55 on linux: resume{who=task} redirect(302){who=task} answer(follow) response(200){who=session}
            answer(allow) data{who=session} complete(ok){who=session}
        # task-delegate-property-no-session-delegate
        refused 39 on linux: resume{who=task} request(GET /)

        # proto-ok
        breaks 49,52 urlProtocol on linux: \(asked) client: response(200) data×2 complete(ok) proto: p.deinit
        # proto-ok, with what the client was told
        breaks 49,52 urlProtocol on linux: \(asked) client: response(200) data×2 complete(ok) proto: p.deinit
            task.sessionData: resume response(200) data×2 complete(ok) sessionInvalid
        # proto-ok-other-thread
        breaks 48,49 urlProtocol on linux: proto: p.canInit p.canonical p.init p.start@t4 client: response(200)@t9 data@t9
            complete(ok)@t9 proto: p.deinit
        # proto-fail-early, proto-cancel
        breaks 49 urlProtocol on linux: \(askedWell) client: complete(unknown) proto: p.deinit
        accepted 50 urlProtocol on linux: \(askedWell) client: response(200) data proto: p.stop p.deinit
        # proto-cancel-fails-itself
        refused 50 urlProtocol on linux: \(askedWell) client: response(200) data proto: p.stop client: complete(cancelled)
        # proto-finish-twice, proto-finish-then-fail, proto-fail-then-finish
        refused 39 urlProtocol on linux: \(askedWell) client: response(200) complete(ok) complete(ok)
        refused 39 urlProtocol on linux: \(askedWell) client: response(200) complete(ok) complete(cannotConnect)
        refused 39 urlProtocol on linux: \(askedWell) client: response(200) complete(unknown) complete(ok)
        # proto-data-after-finish: the protocol's fault, and the loader's, which passes it on
        refused 40 urlProtocol on linux: \(askedWell) client: response(200) complete(ok) data
        refused 40 on linux: resume response(200) complete(ok) data sessionInvalid
        # proto-suspend
        breaks none observing 49 urlProtocol on linux: \(askedWell) client: response(200) data proto: p.stop p.start client:
            response(200) data proto: p.stop p.deinit
        # proto-challenge-use, up to the trap
        breaks 50 urlProtocol on linux: \(askedWell) client: challenge(basic) proto: p.stop client: response(200)
        # proto-challenge-cancel-by-delegate
        accepted 49 urlProtocol on linux: \(askedWell) client: challenge(basic) proto: p.stop p.deinit
        # proto-cachedResponseIsValid
        breaks 49 urlProtocol on linux: \(askedWell) client: cacheValidated response(200) data complete(ok) proto: p.deinit
        """
}
