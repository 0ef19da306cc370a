import ProctorTrace

extension RuleTable {
    /// R54 to R58.
    static let apiShapeRows: [RuleRow] = [
        // R54: the handler in their place.
        .accepted(54, .HT, "resume redirect(302) challenge(basic) bodySent metrics handler(ok)"),
        .accepted(54, .HT, "resume awaited(timedOut)"),
        .accepted(54, .HT, "resume willCache handler(ok)"),
        .accepted(54, .HT, "resume cancel handler(ok){sel=\"cancel(byProducingResumeData:)\"} handler(cancelled)"),
        .accepted(54, .HT, "redirect(302)"),
        .refused(54, .HT, "resume response(200) data×3 handler(ok)"),
        .refused(54, .HT, "resume complete(ok) handler(ok)"),
        .refused(54, .HT, "resume handler(ok) handler(cancelled)"),
        .refused(54, .HT, "resume awaited(ok) awaited(ok)"),
        .refused(54, .HT, "resume redirect(302) handler(ok) progress"),
        .refused(54, .HT, "resume"),
        .observed(54, .HT, "resume response(200){who=task} data{who=task} awaited(ok)"),

        // R55: one delegate for a method.
        .accepted(
            55, .US,
            "resume redirect(302){who=task} response(200){who=session} data{who=session} complete(ok){who=session}"),
        .accepted(55, .US, "resume{who=task} redirect(302){who=task} response(200){who=task} complete(ok){who=task}"),
        .accepted(
            55, .US,
            "resume{who=session} redirect(302){who=session} response(200){who=session} complete(ok){who=session}"),
        .accepted(
            55, .US,
            """
            resume{who=task} challenge(serverTrust){who=session,scope=session} response(200){who=task} \
            complete(ok){who=task}
            """),
        .refused(
            55, .US,
            """
            resume redirect(302){who=task} response(200){who=task} data{who=task} data{who=session} data{who=task} \
            complete(ok){who=session}
            """),
        .refused(55, .UD, "resume progress{who=session} progress{who=task} fileReady{who=task} complete(ok){who=task}"),
        .refused(
            55, .US,
            "resume{who=task} redirect(302){who=task} response(200){who=session} data{who=session} complete(ok){who=session}"
        ),
        .refused(55, .HT, "resume{who=task} redirect(302){who=session} awaited(ok)"),

        // R56: what comes early.
        .accepted(56, .US, "created waiting response(200) data complete(ok)"),
        .accepted(56, .US, "redirect(302) waiting response(200) complete(ok)"),
        .accepted(56, .BG, "created delayed challenge(serverTrust) progress fileReady complete(ok)"),
        .accepted(56, .WS, "created waiting wsOpen complete(connectionLost)"),
        .refused(56, .US, "waiting created response(200) complete(ok)"),
        .refused(56, .US, "created created response(200) complete(ok)"),
        .refused(56, .US, "waiting waiting response(200) complete(ok)"),
        .refused(56, .US, "response(200) waiting data complete(ok)"),
        .refused(56, .UD, "progress waiting progress fileReady complete(ok)"),
        .refused(56, .US, "delayed response(200) complete(ok)"),
        .refused(56, .BG, "waiting progress fileReady complete(ok)"),
        .refused(56, .BG, "delayed delayed progress fileReady complete(ok)"),
        .refused(56, .BG, "request(GET /a) delayed progress fileReady complete(ok)"),
        .refused(56, .BG, "progress delayed fileReady complete(ok)"),

        // R57: open, close, complete.
        .accepted(57, .WS, "wsOpen wsClose(1000) complete(ok)"),
        .accepted(57, .WS, "redirect(302) challenge(basic) informational(103) wsOpen complete(connectionLost)"),
        .accepted(57, .WS, "complete(badServerResponse)"),
        .refused(57, .WS, "wsClose(1000) complete(ok)"),
        .refused(57, .WS, "complete(ok)"),
        .refused(57, .WS, "wsOpen wsOpen complete(ok)"),
        .refused(57, .WS, "wsOpen wsClose(1000) wsClose(1001) complete(ok)"),
        .refused(57, .WS, "wsOpen challenge(basic) complete(ok)"),

        // R58: captured, and nothing more.
        .accepted(
            58, .ST, "challenge(serverTrust){scope=task} betterRoute×2 streamReadClosed streamWriteClosed complete(ok)"),
        .accepted(58, .ST, "streamsCaptured"),
        .refused(58, .ST, "streamsCaptured complete(ok)"),
        .refused(58, .ST, "streamsCaptured streamReadClosed metrics"),
        .refused(58, .ST, "streamReadClosed streamReadClosed complete(ok)"),
        .refused(58, .ST, "streamWriteClosed streamWriteClosed complete(ok)"),
        .refused(58, .ST, "challenge(serverTrust){scope=session} complete(ok)"),
    ]
}
