import ProctorEvents

/// Lanes by family; the grammars must take the first and refuse the second.
enum FamilyGrammarRows {
    static let legal: [FamilyGrammarRow] = rows(legalByFamily)
    static let illegal: [FamilyGrammarRow] = rows(illegalByFamily)

    private static func rows(_ table: [(CallbackFamily, String)]) -> [FamilyGrammarRow] {
        table.flatMap { family, lines in
            lines.split(separator: "\n", omittingEmptySubsequences: false).map {
                FamilyGrammarRow(family: family, events: String($0))
            }
        }
    }

    private static let legalByFamily: [(CallbackFamily, String)] = [
        (
            .sessionData,
            """
            response(200) data complete(ok)
            challenge(serverTrust) challenge(clientCert) bodySent response(200) data complete(ok)
            challenge(serverTrust) complete(serverCertificateUntrusted)
            response(204) complete(ok)
            complete(cannotConnect)
            metrics complete(timedOut)
            response(200) data×4 metrics complete(ok)
            redirect(302) challenge(basic) response(200) data×2 complete(ok)
            redirect(302) complete(cannotConnect)
            redirect(302) response(302) data complete(ok)
            redirect(302)×20 complete(tooManyRedirects)
            bodySent response(413) bodySent data complete(ok)
            bodySent×3 needBodyStream bodySent challenge(basic) needBodyStream bodySent response(200) complete(ok)
            informational(103)×2 redirect(302) informational(103) response(200) data complete(ok)
            created waiting redirect(302) waiting response(200) complete(ok)
            created delayed response(200) data complete(ok)
            response(200) data response(200) data response(200) data complete(ok)
            response(200) data willCache response(200) data complete(ok)
            response(200) data willCache metrics complete(ok)
            response(200) data metrics willCache complete(ok)
            response(200) data willCache complete(cancelled)
            response(200) complete(cancelled)
            response(200) data×3 complete(connectionLost)
            response(200) becameDownload
            response(200) data response(200) becameStream
            bodySent response(200) bodySent becameDownload
            """
        ),
        (
            .sessionHandler,
            """

            redirect(302) challenge(basic)
            created redirect(302) bodySent challenge(basic) bodySent metrics
            needBodyStream bodySent×3 metrics
            waiting informational(100)
            redirect(302) bodySent willCache metrics
            """
        ),
        (
            .sessionDownload,
            """
            progress×6 fileReady complete(ok)
            fileReady complete(ok)
            redirect(302) progress fileReady metrics complete(ok)
            downloadResumed(100) progress×2 fileReady complete(ok)
            redirect(302) downloadResumed(0) progress fileReady complete(ok)
            downloadResumed(0) challenge(basic) progress fileReady complete(ok)
            progress complete(cancelled)
            progress×2 metrics complete(connectionLost)
            complete(unsupportedURL)
            progress fileReady complete(cancelled)
            created waiting progress fileReady complete(ok)
            needBodyStream bodySent progress fileReady complete(ok)
            """
        ),
        (
            .sessionBackground,
            """
            bodySent×3 data data complete(ok)
            response(200) data complete(ok)
            progress×3 downloadResumed(3) progress fileReady metrics complete(ok)
            created delayed challenge(serverTrust) progress fileReady complete(ok)
            complete(timedOut)
            needBodyStream bodySent informational(103) complete(ok)
            """
        ),
        (
            .connection,
            """
            canonicalize response(200) data×2 complete(ok)
            canonicalize redirect(302) canonicalize response(200) data complete(ok)
            askCredStore askCanAuth(serverTrust) challenge(serverTrust) response(200) data complete(ok)
            challenge(basic) challengeCancelled(basic) complete(timedOut)
            redirect(302)
            response(200) data×2

            response(200) data willCache complete(ok)
            response(200) data response(200) data complete(ok)
            needBodyStream bodySent challenge(basic) needBodyStream bodySent response(200) complete(ok)
            complete(cannotFindHost)
            """
        ),
        (
            .connectionDownload,
            """
            progress×3 fileReady
            fileReady
            progress complete(connectionLost)
            progress downloadResumed(10) progress downloadResumed(20) progress fileReady
            canonicalize redirect(302) progress fileReady
            progress×2
            """
        ),
        (
            .download,
            """
            downloadBegin response(200) progress shouldDecode(application/gzip) destination(a.gz) destinationCreated progress complete(ok)
            downloadBegin canonicalize redirect(302) response(200) destination(a) destinationCreated progress×3 complete(ok)
            askCredStore downloadBegin response(200) complete(ok)
            downloadBegin downloadResumed(100) progress complete(ok)
            downloadBegin askCanAuth(basic) challenge(basic) response(200) progress complete(ok)
            downloadBegin response(200) response(200) progress complete(ok)
            downloadBegin complete(cannotFindHost)
            downloadBegin response(200) progress shouldDecode(application/gzip) shouldDecode(application/macbinary) complete(ok)
            downloadBegin response(200)
            """
        ),
        (
            .urlProtocol,
            """
            response(200) data×2 complete(ok)
            redirect(302) redirect(302) response(200) data complete(ok)
            redirect(302) complete(cancelled)
            redirect(302)
            challenge(basic) response(200) data complete(ok)
            challenge(basic) challengeCancelled(basic) complete(timedOut)
            cacheValidated complete(ok)
            cacheValidated response(200) data complete(ok)
            cacheValidated data complete(ok)
            response(200) data cacheValidated complete(ok)
            response(200) data
            response(200) data response(200) data complete(ok)
            complete(cannotConnect)
            canonicalize response(200) complete(ok)
            """
        ),
        (
            .proto,
            """
            p.init
            p.init p.start
            p.init p.start p.stop p.deinit
            p.init p.start p.stop
            p.init p.stop p.deinit
            p.init p.deinit
            """
        ),
        (
            .webSocket,
            """
            wsOpen wsClose(1000) complete(ok)
            wsOpen complete(connectionLost)
            complete(badServerResponse)
            created redirect(302) challenge(basic) wsOpen wsClose(1001) metrics complete(ok)
            waiting informational(103) wsOpen metrics complete(cancelled)
            """
        ),
        (
            .stream,
            """
            challenge(serverTrust) streamsCaptured
            created waiting betterRoute streamReadClosed streamWriteClosed complete(ok)
            betterRoute×3 metrics complete(connectionLost)
            streamWriteClosed streamReadClosed streamsCaptured
            """
        ),
        (
            .eventSource,
            """
            esOpen esEvent(message)×3 esError(retry) esOpen esError(fatal)
            esError(retry)×2 esError(fatal)
            esOpen esEvent(add) complete(connectionLost)
            esEvent(message) complete(ok)
            esOpen esEvent(message)
            """
        ),
    ]

    private static let illegalByFamily: [(CallbackFamily, String)] = [
        (
            .sessionData,
            """
            complete(ok)
            response(200) data
            data response(200) complete(ok)
            response(401) data challenge(basic) response(200) data complete(ok)
            response(200) redirect(302) response(200) complete(ok)
            response(200) willCache data complete(ok)
            response(200) complete(ok) data
            response(200) complete(ok) metrics
            response(200) metrics data complete(ok)
            response(200) complete(ok) complete(timedOut)
            response(200) complete(ok) bodySent
            response(200) becameDownload complete(ok)
            becameDownload
            response(200) waiting complete(ok)
            redirect(302) created response(200) complete(ok)
            response(200) needBodyStream complete(ok)
            response(200) progress fileReady complete(ok)
            canonicalize response(200) complete(ok)
            metrics metrics complete(timedOut)
            """
        ),
        (
            .sessionHandler,
            """
            response(200)
            complete(ok)
            redirect(302) data
            metrics redirect(302)
            """
        ),
        (
            .connectionSync,
            """
            response(200)
            redirect(302)
            complete(ok)
            """
        ),
        (
            .connectionQueued,
            """
            response(200)
            challenge(basic)
            bodySent
            """
        ),
        (
            .sessionDownload,
            """
            progress×2 complete(ok)
            fileReady
            fileReady progress complete(ok)
            progress downloadResumed(5) progress fileReady complete(ok)
            progress challenge(basic) progress fileReady complete(ok)
            fileReady complete(timedOut)
            fileReady fileReady complete(ok)
            response(200) progress fileReady complete(ok)
            progress fileReady complete(ok) metrics
            """
        ),
        (
            .sessionBackground,
            """
            progress fileReady
            fileReady progress complete(ok)
            redirect(302) data complete(ok)
            waiting data complete(ok)
            complete(ok) data
            """
        ),
        (
            .connection,
            """
            complete(ok)
            data complete(ok)
            response(200) canonicalize complete(ok)
            response(200) complete(ok) complete(timedOut)
            response(200) complete(ok) data
            response(200) metrics complete(ok)
            """
        ),
        (
            .connectionDownload,
            """
            complete(ok)
            fileReady complete(ok)
            progress fileReady progress
            response(200) progress fileReady
            """
        ),
        (
            .download,
            """
            downloadBegin progress response(200) complete(ok)
            downloadBegin response(200) redirect(302) complete(ok)
            downloadBegin downloadBegin response(200) complete(ok)
            downloadBegin destination(a) response(200) complete(ok)
            response(200) complete(ok) progress
            downloadBegin response(200) data complete(ok)
            """
        ),
        (
            .urlProtocol,
            """
            complete(ok)
            data response(200) complete(ok)
            response(200) redirect(302)
            response(200) challenge(basic) complete(ok)
            response(200) complete(ok) complete(timedOut)
            response(200) complete(ok) data
            redirect(302) complete(ok)
            challengeCancelled(basic) response(200) complete(ok)
            """
        ),
        (
            .proto,
            """
            p.start p.stop
            p.init p.start p.deinit
            p.init p.start p.stop p.start
            p.init p.stop p.start
            p.init p.start p.stop p.stop
            p.init p.deinit p.stop
            """
        ),
        (
            .webSocket,
            """
            wsClose(1000) complete(ok)
            complete(ok)
            wsOpen
            wsOpen wsClose(1000) wsClose(1000) complete(ok)
            wsOpen redirect(302) complete(ok)
            wsOpen complete(ok) metrics
            """
        ),
        (
            .stream,
            """
            challenge(serverTrust)
            streamsCaptured complete(ok)
            waiting waiting complete(ok)
            complete(ok) streamReadClosed
            response(200) complete(ok)
            """
        ),
        (
            .eventSource,
            """
            esOpen esOpen
            esEvent(message) esOpen
            esError(fatal) esOpen
            esOpen complete(ok) esError(retry)
            response(200) esOpen
            """
        ),
    ]
}
