extension RuleTable {
    static let interfaceRows = """
        # R54 to R58, R62 to R64.

        # R62: the result, and nothing else.
        accepted 62 connectionSync: resume awaited(ok)
        accepted 62 connectionSync: resume returned awaited(timedOut)
        accepted 62 connectionQueued: schedule(queue){place=D} resume returned handler(ok)@D/t2
        refused 62 connectionQueued: resume redirect(302) handler(ok)
        refused 62 connectionSync: resume challenge(basic) awaited(ok)
        refused 62 connectionSync: resume response(200) awaited(ok)
        refused 62 connectionQueued: resume handler(ok) handler(ok)
        refused 62 connectionSync: resume awaited(ok) awaited(timedOut)
        refused 62 connectionQueued: resume

        # R63: on the queue that was named.
        accepted 63 connectionQueued: schedule(queue){place=D} resume handler(ok)@D/t2
        accepted 63 connectionQueued: resume handler(ok)@D/t2
        accepted 63 connectionQueued: schedule(queue){place=D} resume handler(timedOut)@D/t2
        refused 63 connectionQueued: schedule(queue){place=D} resume handler(ok)@E/t2
        refused 63 connectionQueued: schedule(queue){place=D} resume handler(ok)@/t2

        # R64: an error, or response and data.
        accepted 64 connectionSync: resume awaited(ok){hasData=true,hasResponse=true,hasError=false}
        accepted 64 connectionQueued: resume handler(timedOut){hasData=false,hasResponse=false,hasError=true}
        accepted 64 sessionHandler: resume handler(connectionLost){hasData=false,hasResponse=true,hasError=true}
        accepted 64 sessionHandler: resume cancel handler(ok){sel="cancel(byProducingResumeData:)"}
            handler(cancelled){hasData=false,hasError=true}
        accepted 64 connectionQueued: resume handler(ok)
        refused 64 connectionQueued: resume handler(timedOut){hasData=true,hasResponse=false,hasError=true}
        refused 64 sessionHandler: resume handler(timedOut){hasData=true,hasError=true}
        refused 64 connectionSync: resume awaited(ok){hasData=false,hasResponse=true,hasError=false}
        refused 64 sessionHandler: resume handler(ok){hasData=true,hasResponse=false,hasError=false}
        observed 64 connectionQueued: resume handler(timedOut){hasData=false,hasResponse=true,hasError=true}

        # R54: the handler in their place.
        accepted 54 sessionHandler: resume redirect(302) challenge(basic) bodySent metrics handler(ok)
        accepted 54 sessionHandler: resume awaited(timedOut)
        accepted 54 sessionHandler: resume willCache handler(ok)
        accepted 54 sessionHandler: resume cancel handler(ok){sel="cancel(byProducingResumeData:)"} handler(cancelled)
        accepted 54 sessionHandler: redirect(302)
        refused 54 sessionHandler: resume response(200) data×3 handler(ok)
        refused 54 sessionHandler: resume complete(ok) handler(ok)
        refused 54 sessionHandler: resume handler(ok) handler(cancelled)
        refused 54 sessionHandler: resume awaited(ok) awaited(ok)
        refused 54 sessionHandler: resume redirect(302) handler(ok) progress
        refused 54 sessionHandler: resume
        observed 54 sessionHandler: resume response(200){who=task} data{who=task} awaited(ok)

        # R55: one delegate for a method.
        accepted 55: resume redirect(302){who=task} response(200){who=session} data{who=session} complete(ok){who=session}
        accepted 55: resume{who=task} redirect(302){who=task} response(200){who=task} complete(ok){who=task}
        accepted 55: resume{who=session} redirect(302){who=session} response(200){who=session} complete(ok){who=session}
        accepted 55: resume{who=task} challenge(serverTrust){who=session,scope=session} response(200){who=task}
            complete(ok){who=task}
        refused 55: resume redirect(302){who=task} response(200){who=task} data{who=task} data{who=session} data{who=task}
            complete(ok){who=session}
        refused 55 sessionDownload: resume progress{who=session} progress{who=task} fileReady{who=task}
            complete(ok){who=task}
        refused 55: resume{who=task} redirect(302){who=task} response(200){who=session} data{who=session}
            complete(ok){who=session}
        refused 55 sessionHandler: resume{who=task} redirect(302){who=session} awaited(ok)

        accepted 55: resume{who=task,without="redirect"} redirect(302){who=session} response(200){who=task}
            complete(ok){who=task}
        accepted 55 connection: resume{without="redirect bodySent"} response(200) data complete(ok)
        accepted 55: resume{without="response"} data{who=session} complete(ok){who=session}
        accepted 55 connection: resume{without="response"} data complete(ok)
        refused 55: resume{without="redirect"} redirect(302){who=session} response(200){who=session}
            complete(ok){who=session}
        refused 55: resume{who=task,without="redirect"} redirect(302){who=task} response(200){who=task}
            complete(ok){who=task}
        refused 55 connection: resume{without="redirect"} canonicalize response(200) data complete(ok)
        refused 55 download: resume{without="destination"} downloadBegin response(200) destination(a) progress complete(ok)

        # R56: what comes early.
        accepted 56: created waiting response(200) data complete(ok)
        accepted 56: redirect(302) waiting response(200) complete(ok)
        accepted 56 sessionBackground: created delayed challenge(serverTrust) progress fileReady complete(ok)
        accepted 56 webSocket: created waiting wsOpen complete(connectionLost)
        refused 56: waiting created response(200) complete(ok)
        refused 56: created created response(200) complete(ok)
        refused 56: waiting waiting response(200) complete(ok)
        refused 56: response(200) waiting data complete(ok)
        refused 56 sessionDownload: progress waiting progress fileReady complete(ok)
        refused 56: delayed response(200) complete(ok)
        refused 56 sessionBackground: waiting progress fileReady complete(ok)
        refused 56 sessionBackground: delayed delayed progress fileReady complete(ok)
        refused 56 sessionBackground: request(GET /a) delayed progress fileReady complete(ok)
        refused 56 sessionBackground: progress delayed fileReady complete(ok)

        # R57: open, close, complete.
        accepted 57 webSocket: wsOpen wsClose(1000) complete(ok)
        accepted 57 webSocket: redirect(302) challenge(basic) informational(103) wsOpen complete(connectionLost)
        accepted 57 webSocket: complete(badServerResponse)
        accepted 57 webSocket: wsOpen wsReceived(ok) wsPong(ok) wsSent(ok) wsClose(1000) wsReceived(cancelled) complete(ok)
        accepted 57 webSocket: wsReceived(badServerResponse) complete(badServerResponse)
        observed 57 webSocket: wsReceived(ok) wsOpen complete(ok)
        observed 57 webSocket: wsPong(ok) wsOpen complete(ok)
        refused 57 webSocket: wsClose(1000) complete(ok)
        refused 57 webSocket: complete(ok)
        refused 57 webSocket: wsOpen wsOpen complete(ok)
        refused 57 webSocket: wsOpen wsClose(1000) wsClose(1001) complete(ok)
        refused 57 webSocket: wsOpen challenge(basic) complete(ok)

        # R58: captured, and nothing more.
        accepted 58 stream: challenge(serverTrust){scope=task} betterRoute×2 streamReadClosed streamWriteClosed complete(ok)
        accepted 58 stream: streamsCaptured
        refused 58 stream: streamsCaptured complete(ok)
        refused 58 stream: streamsCaptured streamReadClosed metrics
        refused 58 stream: streamReadClosed streamReadClosed complete(ok)
        refused 58 stream: streamWriteClosed streamWriteClosed complete(ok)
        refused 58 stream: challenge(serverTrust){scope=session} complete(ok)

        # R67: one opening for each connection.
        accepted 67 eventSource: esOpen esEvent(message) esError(retry) esOpen esEvent(add) esError(fatal)
        accepted 67 eventSource: esError(retry)×2 esOpen esEvent(message) complete(ok)
        refused 67 eventSource: esOpen×2 esEvent(message) esError(fatal)
        refused 67 eventSource: esOpen esEvent(message) esOpen esError(fatal)

        # R68: events of an open connection.
        accepted 68 eventSource: resume{without="esOpen esError"} esEvent(message)×2 complete(ok)
        refused 68 eventSource: esEvent(message) esOpen esError(fatal)
        refused 68 eventSource: esOpen esError(retry) esEvent(message) esError(fatal)

        # R69: told before the next request.
        accepted 69 eventSource: request(GET /a) esOpen esError(retry) request(GET /a) esOpen esError(fatal)
        accepted 69 eventSource: request(GET /a) request(GET /b) esOpen esEvent(message) esError(fatal)
        accepted 69 eventSource: resume{without="esError"} request(GET /a) esOpen request(GET /a)
        refused 69 eventSource: request(GET /a) esOpen request(GET /a) esError(retry) esOpen esError(fatal)

        # R70: closed for good.
        accepted 70 eventSource: request(GET /a) esOpen esEvent(message) cancel
        accepted 70 eventSource: request(GET /a) esOpen cancel request(GET /a)
        refused 70 eventSource: esOpen esError(fatal) esEvent(message)
        refused 70 eventSource: esOpen esError(fatal)×2
        refused 70 eventSource: request(GET /a) esError(fatal) request(GET /a)
        refused 70 eventSource: esOpen esEvent(message) cancel esEvent(message)
        refused 70 eventSource: esOpen cancel esError(retry)

        # R61: released after the stop, where the recorder has waited for it.
        accepted 61 urlProtocol: p.init p.start response(200) complete(ok) p.stop p.deinit result
        accepted 61 urlProtocol: p.init p.start response(200) complete(ok) p.stop result p.deinit
        accepted 61 urlProtocol: p.init p.start response(200) complete(ok) p.stop
        observed 61 urlProtocol: p.init p.start response(200) complete(ok) p.stop result

        # R60: the first class that said yes.
        accepted 60 urlProtocol: p.canInit(a){accepts=false} p.canInit(b){accepts=true} p.canonical p.init(b) p.start
            response(200) complete(ok) p.stop
        accepted 60 urlProtocol: p.canInit(a){accepts=true} p.canInit(b){accepts=true} p.canonical p.init(a) p.start
            response(200) complete(ok) p.stop
        accepted 60 urlProtocol: p.canInit{request="GET /b",accepts=false} p.canInit{request="GET /a",accepts=true}
            p.canonical{request="GET /a"} p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
        refused 60 urlProtocol: p.canInit(a){accepts=false} p.canInit(b){accepts=true} p.canonical p.init(a) p.start
            response(200) complete(ok) p.stop
        refused 60 urlProtocol: p.canInit(a){accepts=true} p.canInit(b){accepts=true} p.canonical p.init(b) p.start
            response(200) complete(ok) p.stop
        observed 60 urlProtocol: p.canInit(a){accepts=false} p.canInit(b){accepts=true} p.canonical p.init(b) p.start
            response(200) complete(ok) p.stop p.canInit(b){accepts=false} p.canInit(a){accepts=true} p.canonical
        """
}
