extension RuleTable {
    private static let made = "p.canInit{request=\"GET /a\",accepts=true} p.canonical{request=\"GET /a\"}"

    static let threadRows = """
        # R46, R47 and R53.

        # R46: one queue, one at a time.
        accepted 46: <response(200)@D/t1 /response(200)@D/t1 <data@D/t2 /data@D/t2 <complete(ok)@D/t1 /complete(ok)@D/t1
        accepted 46: created@/t9 response(200)@D/t1 data@D/t2 complete(ok)@D/t1
        accepted 46: response(200)@/t1 data@/t2 complete(ok)@/t1
        accepted 46: response(200) data complete(ok)
        accepted 46: needBodyStream@D/t1 response(200)@D/t1 complete(ok)@D/t1
        accepted 46: <response(200)@D/t1 /response(200)@D/t1 task[1]: <response(200)@D/t1 /response(200)@D/t1 task:
            complete(ok)@D/t1 task[1]: complete(ok)@D/t1 sessionInvalid@D/t1
        accepted 46 connection: response(200)@/t1 complete(ok)@/t1
        refused 46: needBodyStream@/t7 response(200)@D/t1 data@D/t1 complete(ok)@D/t1
        refused 46: needBodyStream@work/t7 bodySent@D/t1 response(200)@D/t1 complete(ok)@D/t1
        refused 46: redirect(302)@D/t1 response(200)@D/t1 data@/t2 data@/t2 complete(ok)@D/t1
        refused 46: response(200)@D/t1 complete(ok)@D/t1 sessionInvalid@main/t0
        refused 46: <response(200)@D/t1 <data@D/t2 /data@D/t2 /response(200)@D/t1 complete(ok)@D/t1
        refused 46: <response(200)@D/t1 <data@D/t2 /response(200)@D/t1 /data@D/t2 complete(ok)@D/t1
        refused 46: <response(200)@D/t1 task[1]: <response(200)@D/t2 /response(200)@D/t2 complete(ok)@D/t2 task:
            /response(200)@D/t1 complete(ok)@D/t1
        observed 46: <response(200)@concurrent/t1 <data@concurrent/t2 /response(200)@concurrent/t1 /data@concurrent/t2
            complete(ok)@concurrent/t3

        # R47: one thread, or the delegate queue.
        accepted 47 connection: askCredStore@t0 canonicalize@t1 response(200)@t1 data@t1 complete(ok)@t1
        accepted 47 connection: response(200)@Q/t1 data@Q/t2 complete(ok)@Q/t3
        accepted 47 connection: response(200) data complete(ok)
        accepted 47 download: resume@t1 downloadBegin@t1 response(200)@t1 complete(ok)@t1
        accepted 47 connection: resume@/t0 response(200)@D/t1 data@D/t2 complete(ok)@D/t1
        accepted 47 connection: resume@/t1 response(200)@/t1 complete(ok)@/t1
        accepted 47 connection: schedule(queue){place=Q}@/t0 resume@/t0 response(200)@Q/t3 complete(ok)@Q/t4
        accepted 47 connection: schedule(thread)@/t3 resume@/t0 response(200)@/t3 complete(ok)@/t3
        accepted 47 connection: schedule(thread){mode=other}@/t3 resume@/t0 mode(other)@/t3 response(200)@/t3
            complete(ok)@/t3
        accepted 47 connection: schedule(no-loop)@/t0 resume@/t0 cancel@/t0
        refused 47 connection: resume@/t0 response(200)@/t1 complete(ok)@/t1
        refused 47 connectionDownload: schedule(thread)@/t3 resume@/t0 progress@/t0 fileReady@/t0
        refused 47 connection: schedule(queue){place=Q}@/t0 resume@/t0 response(200)@D/t0 complete(ok)@D/t0
        refused 47 connection: schedule(main){mode=other}@/t3 resume@/t0 response(200)@/t3 mode(other)@/t3
            complete(ok)@/t3
        refused 47 connection: schedule(no-loop)@/t0 resume@/t0 response(200)@/t0 cancel@/t0
        refused 47 connection: response(200)@t1 data@t2 data@t2 complete(ok)@t1
        refused 47 connection: response(200)@Q/t1 data@R/t1 complete(ok)@Q/t1
        refused 47 connectionDownload: progress@t1 fileReady@t2
        refused 47 download: resume@t1 downloadBegin@t2 response(200)@t2 complete(ok)@t2

        # R53: each question once, by the test.
        accepted 53: resume redirect(302) answer(follow) response(200) data complete(ok)
        accepted 53: resume redirect(302) cancel complete(cancelled)
        accepted 53: resume challenge(basic) answer(cancel) complete(cancelled)
        accepted 53: resume redirect(302) cancel complete(cancelled) answer(follow)
        accepted 53 connection: challenge(basic) challengeCancelled(basic) complete(timedOut) answer(use)
        accepted 53: redirect(302) response(200) complete(ok)
        breaks none faults 53: resume redirect(302) answer(follow) answer(follow) response(200) complete(ok)
        breaks none faults 53: resume response(200) answer(allow) data answer(allow) complete(ok)
        breaks none faults 53: resume redirect(302) answer(follow) redirect(302)
        accepted 53: resume redirect(302) answer(follow) challenge(basic) complete(connectionLost)
        breaks none faults 53: resume redirect(302) answer(follow) challenge(basic) complete(timedOut)
        breaks none faults 53: ANSWERS resume redirect(302)
        breaks none faults 53: ANSWERS resume challenge(basic)
        breaks none faults 53 sessionDownload: resume challenge(basic) answer(use) answer(use) progress fileReady
            complete(ok)
        breaks none faults 53 urlProtocol: p.init p.start challenge(basic) answer(use) answer(use) response(200)
            complete(ok) p.stop

        # R48 to R52.

        # R48: one thread, with a run loop.
        accepted 48 urlProtocol: p.init@t5 p.start@t1 response(200)@t1 data@t1 complete(ok)@t1 p.stop@t1 p.deinit@t6
        accepted 48 urlProtocol: p.init p.start response(200) complete(ok) p.stop
        accepted 48 urlProtocol: p.init@t1 p.stop@t2
        refused 48 urlProtocol: p.init p.start@t1 response(200)@t2 data@t2 complete(ok)@t2 p.stop@t1
        refused 48 urlProtocol: p.init p.start@t1 response(200)@t1 complete(ok)@t1 p.stop@t2
        refused 48 urlProtocol: p.init p.start@t1 response(200)@t1 blocked{ms=300} data@t1 complete(ok)@t1 p.stop@t1
        refused 48 urlProtocol: response(200)@t1 data@t2 complete(ok)@t1
        observed 48 urlProtocol: p.init p.start@t1 cacheValidated@t2 complete(ok)@t1 p.stop@t1

        # R49: stopped before it goes, started once.
        accepted 49 urlProtocol: p.init p.start response(200) complete(ok) p.stop p.deinit
        accepted 49 urlProtocol: p.init p.start response(200) p.stop
        accepted 49 urlProtocol: p.init p.stop p.deinit
        accepted 49 urlProtocol: p.init p.deinit
        accepted 49 urlProtocol: p.init p.start response(200) complete(ok)
        refused 49 urlProtocol: p.init p.start response(200) complete(ok) p.deinit
        refused 49 urlProtocol: p.init p.start p.deinit
        observed 49 urlProtocol: p.init p.start p.stop p.start p.stop p.deinit
        observed 49 urlProtocol: p.init p.start p.start response(200) complete(ok) p.stop
        observed 49 urlProtocol: p.init p.start response(200) p.stop p.stop

        # R50: silence.
        accepted 50 urlProtocol: p.init p.start response(200) data p.stop
        accepted 50 urlProtocol: p.init p.start response(200) complete(ok) p.stop
        refused 50 urlProtocol: p.init p.start response(200) p.stop complete(cancelled)
        refused 50 urlProtocol: p.init p.start p.stop response(200) data complete(ok)
        refused 50 urlProtocol: p.init p.start response(200) data p.stop data×2
        refused 50 urlProtocol: p.init p.start challenge(basic) p.stop challengeCancelled(basic)

        # R51: followed, the object is done.
        accepted 51 urlProtocol: p.init p.start redirect(302) p.stop
        accepted 51 urlProtocol: p.init p.start redirect(302) complete(cancelled) p.stop
        accepted 51 urlProtocol: redirect(302) redirect(302) response(200) data complete(ok)
        accepted 51 urlProtocol: p.init p.start redirect(302) answer(refuse) response(302) data complete(ok) p.stop
        accepted 51 urlProtocol: p.init p.start redirect(302) answer(follow) complete(cancelled) p.stop
        observed 51 urlProtocol: p.init p.start redirect(302) answer(follow) response(200) data complete(ok) p.stop
        observed 51 urlProtocol: p.init p.start redirect(302) answer(change) response(200) complete(ok) p.stop

        # R52: the class was asked, for this request.
        accepted 52 urlProtocol: p.canInit p.canonical p.canInit p.init p.start response(200) complete(ok) p.stop
        accepted 52 urlProtocol: \(made) p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
        accepted 52 urlProtocol: p.canInit{request="GET /A",accepts=true} p.canonical{request="GET /A",proposed="GET /a"}
            p.canonical{request="GET /a",proposed="GET /a"} p.init{request="GET /a"} p.start response(200) complete(ok)
            p.stop
        accepted 52 urlProtocol: p.canInit{request="GET /b",accepts=false} \(made) p.init{request="GET /a"} p.start
            response(200) complete(ok) p.stop
        accepted 52 urlProtocol: p.init p.stop p.deinit
        refused 52 urlProtocol: p.canInit p.init p.start response(200) complete(ok) p.stop
        accepted 52 urlProtocol: p.init p.start response(200) complete(ok) p.stop
        refused 52 urlProtocol: p.canonical p.init p.start response(200) complete(ok) p.stop
        refused 60 urlProtocol: p.canInit{accepts=false} p.canonical p.init p.start response(200) complete(ok) p.stop
        refused 52 urlProtocol: \(made) p.init{request="GET /b"} p.start response(200) complete(ok) p.stop
        observed 52 urlProtocol: p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"}
            p.canonical{request="GET /a",proposed="GET /a"} p.cacheEquivalent{request="GET /A",proposed="GET /a",accepts=false}
            p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
        accepted 52 urlProtocol: p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"}
            p.canonical{request="GET /b",proposed="GET /b"} p.cacheEquivalent{request="GET /A",proposed="GET /b",accepts=false}
            p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
        observed 52 urlProtocol: p.canInit p.init p.canonical p.start response(200) complete(ok) p.stop
        observed 52 urlProtocol: p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"}
            p.canonical{request="GET /A",proposed="GET /b"} p.init{request="GET /a"} p.start response(200) complete(ok)
            p.stop
        observed 52 urlProtocol: p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"}
            p.canonical{request="GET /a",proposed="GET /aa"} p.init{request="GET /a"} p.start response(200) complete(ok)
            p.stop
        """
}
