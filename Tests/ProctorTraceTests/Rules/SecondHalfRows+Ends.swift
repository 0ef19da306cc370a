import ProctorTrace

extension RuleTable {
    static func platform(_ change: (inout Platform) -> Void) -> Platform {
        var platform = Platform.neutral
        change(&platform)
        return platform
    }

    private static let withMetrics = platform { $0.metrics = .required }
    private static let withoutMetrics = platform { $0.metrics = .absent }
    private static let withFreeMetrics = platform { $0.metrics = .anyOrder }
    private static let silentAfterCancel = platform { $0.legacyCancel = .silent }

    /// R39 to R45.
    static let endRows: [RuleRow] = [
        // R39: one end, unless nothing is due or the test is in its way.
        .accepted(39, .US, "resume response(200) data complete(ok)"),
        .accepted(39, .US, "resume suspend"),
        .accepted(39, .US, "created"),
        .accepted(39, .US, "resume response(200) data suspend"),
        .accepted(39, .US, "resume response(200) becameDownload"),
        .accepted(39, .ST, "resume streamReadClosed streamsCaptured"),
        .accepted(39, .UC, "response(200) data cancel"),
        .accepted(39, .CD, "progress cancel"),
        .accepted(39, .DL, "downloadBegin response(200) cancel"),
        .accepted(39, .DL, "downloadBegin redirect(302) answer(refuse)"),
        .accepted(39, .DL, "downloadBegin redirect(302) answer(refuse) complete(cancelled)"),
        .accepted(39, .PC, "p.init p.start response(200) data p.stop p.deinit"),
        .accepted(39, .PC, "redirect(302)"),
        .refused(39, .US, "response(200) data complete(ok) complete(timedOut)"),
        .refused(39, .US, "response(200) complete(ok) complete(ok)"),
        .refused(39, .US, "response(200) data"),
        .refused(39, .US, "resume"),
        .refused(39, .US, "cancel"),
        .refused(39, .US, "resume redirect(302) cancel"),
        .refused(39, .UD, "resume progress×2"),
        .refused(39, .UD, "progress fileReady complete(ok) complete(timedOut)"),
        .refused(39, .BG, "progress×2"),
        .refused(39, .WS, "wsOpen"),
        .refused(39, .UC, "response(200) data"),
        .refused(39, .UC, "response(200) data complete(ok) complete(timedOut)"),
        .refused(39, .CD, "progress fileReady complete(timedOut)"),
        .refused(39, .DL, "downloadBegin response(200) progress"),
        .refused(39, .DL, on: .deliversRefused, "downloadBegin redirect(302) answer(refuse)"),
        .refused(39, .DL, "downloadBegin redirect(302) answer(follow)"),
        .refused(39, .UC, "redirect(302) answer(refuse)"),
        .refused(39, .PC, "p.init p.start response(200) data"),
        .refused(39, .PC, "response(200) complete(ok) complete(timedOut)"),

        // R40: nothing behind it.
        .accepted(40, .US, "resume response(200) data complete(ok) handler(ok) cancel"),
        .accepted(40, .US, "response(200) complete(ok) task[1]: response(200) complete(ok)"),
        .accepted(40, .US, on: withFreeMetrics, "response(200) data complete(ok) metrics"),
        .refused(40, .US, "response(200) complete(ok) data"),
        .refused(40, .US, "response(200) complete(ok) data×3 bodySent"),
        .refused(40, .US, "response(200) data complete(ok) metrics"),
        .refused(40, .US, on: withoutMetrics, "response(200) data complete(ok) metrics"),
        .refused(40, .US, "complete(timedOut) response(200)"),
        .refused(40, .US, "complete(timedOut) redirect(302)"),
        .refused(40, .UD, "progress fileReady complete(ok) progress"),
        .refused(40, .UC, "response(200) complete(ok) data"),
        .refused(40, .CD, "progress fileReady progress"),
        .refused(40, .DL, "downloadBegin response(200) complete(ok) progress"),
        .refused(40, .PC, "p.init p.start response(200) complete(ok) data p.stop"),
        .refused(40, .WS, "wsOpen wsClose(1000) complete(ok) wsClose(1000)"),

        // R41: as the platform has it.
        .accepted(41, .US, on: withMetrics, "response(200) data metrics complete(ok)"),
        .accepted(41, .US, on: withMetrics, "response(200) data metrics willCache complete(ok)"),
        .accepted(41, .US, on: withMetrics, "metrics complete(timedOut)"),
        .accepted(41, .UD, on: withMetrics, "progress fileReady metrics complete(ok)"),
        .accepted(41, .WS, on: withMetrics, "wsOpen metrics complete(connectionLost)"),
        .accepted(41, .US, on: withMetrics, "response(200) becameDownload"),
        .accepted(41, .US, "response(200) data complete(ok)"),
        .accepted(41, .US, "response(200) data metrics complete(ok)"),
        .accepted(41, .US, on: withFreeMetrics, "response(200) metrics data complete(ok) metrics"),
        .accepted(41, .US, on: withFreeMetrics, "response(200) data complete(ok)"),
        .accepted(41, .US, on: withoutMetrics, "response(200) data complete(ok)"),
        .accepted(
            41, .US,
            "redirect(302) request(GET /a) request(GET /b) response(200) metrics{transactions=2} complete(ok)"),
        .refused(41, .US, on: withMetrics, "response(200) data complete(ok)"),
        .refused(41, .US, on: withMetrics, "response(200) data metrics metrics complete(ok)"),
        .refused(41, .US, on: withMetrics, "response(200) metrics data complete(ok)"),
        .refused(41, .US, "response(200) metrics data×2 complete(ok)"),
        .refused(41, .UD, "progress metrics fileReady complete(ok)"),
        .breaks([41], .US, on: withMetrics, "response(200) data complete(ok) metrics"),
        .observed(41, .US, on: withMetrics, "cancel complete(cancelled)"),
        .observed(41, .US, on: withoutMetrics, "response(200) data metrics complete(ok)"),
        .observed(
            41, .US,
            "redirect(302) request(GET /a) request(GET /b) response(200) metrics{transactions=1} complete(ok)"),

        // R42: before resume nothing but the end; of old, silence.
        .accepted(42, .US, "cancel complete(cancelled)"),
        .accepted(42, .US, "created cancel resume metrics complete(cancelled)"),
        .accepted(42, .US, "resume cancel complete(cancelled)"),
        .accepted(42, .US, "resume response(200) data cancel data×4 complete(cancelled)"),
        .accepted(42, .US, "resume response(200) data cancel complete(ok)"),
        .accepted(42, .US, "resume response(200) data complete(ok) cancel"),
        .accepted(42, .UD, "resume progress cancel progress complete(cancelled)"),
        .accepted(42, .UC, "response(200) data cancel"),
        .refused(42, .US, "cancel resume request(GET /a) complete(cancelled)"),
        .refused(42, .US, "cancel resume response(200) data complete(ok)"),
        .refused(42, .US, "cancel resume complete(timedOut)"),
        .refused(42, .US, "created cancel resume redirect(302) complete(cancelled)"),
        .refused(42, .US, "created invalidate(cancel) resume response(200) complete(ok) sessionInvalid"),
        .refused(42, .UD, "cancel resume progress fileReady complete(ok)"),
        .observed(42, .UC, "response(200) cancel data×2"),
        .observed(42, .UC, "response(200) data cancel complete(ok)"),
        .refused(42, .UC, on: silentAfterCancel, "response(200) cancel data"),
        .observed(42, .CD, "progress cancel progress×2"),
        .refused(42, .CD, on: silentAfterCancel, "progress cancel fileReady"),
        .observed(42, .DL, on: silentAfterCancel, "downloadBegin response(200) cancel progress"),

        // R43: the session's end comes after all others.
        .accepted(43, .US, "resume invalidate(finish) response(200) data complete(ok) sessionInvalid"),
        .accepted(43, .US, "resume response(200) data invalidate(cancel) complete(cancelled) sessionInvalid"),
        .accepted(43, .US, "resume response(200) complete(ok)"),
        .accepted(43, .HT, "resume invalidate(finish) handler(ok)"),
        .accepted(43, .US, "resume response(200){who=task} complete(ok){who=task} invalidate(finish)"),
        .accepted(43, .US, "resume session[1]: sessionInvalid task: response(200) complete(ok)"),
        .refused(43, .US, "resume invalidate(finish) response(200) sessionInvalid complete(ok)"),
        .refused(43, .US, "resume response(200) complete(ok) invalidate(finish) sessionInvalid sessionInvalid"),
        .refused(43, .US, "response(200) complete(ok) sessionInvalid session: challenge(serverTrust)"),
        .refused(43, .US, "resume response(200) complete(ok) invalidate(finish)"),
        .observed(43, .US, "resume response(200) invalidate(cancel) sessionInvalid complete(cancelled)"),

        // R44: the status is delivered, and is no error.
        .accepted(44, .US, "response(404) data complete(ok)"),
        .accepted(44, .US, "response(500) data complete(connectionLost)"),
        .accepted(44, .US, "response(500) cancel complete(cancelled)"),
        .accepted(44, .US, "complete(badServerResponse)"),
        .accepted(44, .US, "response(200) data complete(badServerResponse)"),
        .accepted(44, .UD, "progress fileReady complete(ok)"),
        .refused(44, .US, "response(500) complete(badServerResponse)"),
        .refused(44, .US, "response(404) data×2 complete(noFile)"),
        .refused(44, .UC, "response(403) complete(noPermissionsToReadFile)"),
        .refused(44, .PC, "response(503) complete(resourceUnavailable)"),
        .refused(44, .UD, "complete(badServerResponse){status=404}"),

        // R45: what the watchdog ended; its messages have tests of their own.
        .accepted(45, .US, "resume response(200) complete(ok) HANG"),
        .accepted(45, .US, "resume response(200) suspend HANG"),
        .accepted(45, .HT, "resume handler(ok) HANG"),
        .accepted(45, .UC, "response(200) cancel HANG"),
        .refused(45, .US, "resume HANG"),
        .refused(45, .US, "resume response(200) data HANG"),
        .refused(45, .US, "resume redirect(302) cancel HANG"),
        .refused(45, .UD, "resume progress×3 HANG"),
        .refused(45, .HT, "resume redirect(302) answer(follow) HANG"),
        .refused(45, .UC, "response(200) data HANG"),
        .refused(45, .PC, "p.canInit p.canonical p.init p.start HANG"),
        .breaks([], faults: [53], .US, "ANSWERS resume redirect(302) HANG"),
    ]
}
