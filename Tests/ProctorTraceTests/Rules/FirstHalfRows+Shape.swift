@testable import ProctorTrace

extension RuleTable {
    static let shapeRows: [RuleRow] = [
        // Three phases.
        .accepted(1, "redirect(302) challenge(basic) response(200) data×2 complete(ok)"),
        .accepted(1, "redirect(302) complete(connectionLost)"),
        .accepted(1, "bodySent response(413) bodySent data complete(ok)"),
        .accepted(1, .PC, "redirect(302) challenge(basic) response(200) data complete(ok)"),
        .accepted(1, .UC, "canonicalize redirect(302) challenge(basic) response(200) data complete(ok)"),
        .accepted(1, "waiting response(200) data complete(timedOut)"),
        .refused(1, "response(200) challenge(basic) data complete(ok)"),
        .refused(1, .PC, "response(200) challenge(basic) data complete(ok)"),
        .refused(1, .UC, "response(404) data challenge(digest) data complete(ok)"),
        .refused(1, "response(200) needBodyStream data complete(ok)"),
        .refused(1, "response(200) challenge(basic) challenge(basic) data complete(ok)"),

        // A success needs a response.
        .accepted(2, "response(204) complete(ok)"),
        .accepted(2, "complete(timedOut)"),
        .accepted(2, .UD, "progress fileReady complete(ok)"),
        .accepted(2, .CD, "progress fileReady"),
        .accepted(2, .PC, "cacheValidated complete(ok)"),
        .accepted(2, .DL, "downloadBegin downloadResumed progress complete(ok)"),
        .accepted(2, .BG, "data complete(ok)"),
        .accepted(2, .ST, "streamReadClosed complete(ok)"),
        .refused(2, "complete(ok)"),
        .refused(2, "redirect(302) complete(ok)"),
        .refused(2, "redirect(302) answer(follow) metrics complete(ok)"),
        .refused(2, .UC, "canonicalize complete(ok)"),
        .refused(2, .PC, "complete(ok)"),
        .refused(2, .DL, "downloadBegin complete(ok)"),

        // Redirects come first.
        .accepted(3, "redirect(301) redirect(302) response(200) data×2 complete(ok)"),
        .accepted(3, .CD, "redirect(302) progress redirect(302) downloadResumed progress fileReady"),
        .accepted(3, .UD, "redirect(302) downloadResumed(0) progress fileReady complete(ok)"),
        .refused(3, "response(200) redirect(302) response(200) data×2 complete(ok)"),
        .refused(3, .UC, "response(200) data redirect(302) data complete(ok)"),
        .refused(3, .UD, "progress redirect(302) progress fileReady complete(ok)"),
        .refused(3, .DL, "downloadBegin response(200) redirect(302) complete(ok)"),
        .refused(3, .CD, "progress redirect(302) progress fileReady"),
        .refused(3, .PC, "response(200) redirect(302) complete(ok)"),

        // A followed redirect is invisible.
        .accepted(4, "redirect(302) response(200) data complete(ok)"),
        .accepted(4, "redirect(302) answer(follow) response(302) data complete(ok)"),
        .accepted(4, "request(GET /a) redirect(302) answer(follow) request(GET /b) response(302) data complete(ok)"),
        .accepted(
            4, .UD, "request(GET /a) redirect(302) answer(follow) request(GET /b) progress fileReady complete(ok)"),
        .refused(4, "redirect(302) response(302) data response(200) data complete(ok)"),
        .refused(4, "redirect(302) answer(follow) response(302) data response(200) data complete(ok)"),
        .refused(4, "request(GET /a) redirect(302) answer(follow) response(302) data complete(ok)"),
        .refused(4, .UC, "redirect(302) response(302) data response(200) data complete(ok)"),
        .refused(
            4, .UD,
            "request(GET /a) redirect(302) answer(follow) progress request(GET /b) progress fileReady complete(ok)"
        ),

        // Canonicalisation.
        .accepted(7, .UC, "canonicalize response(200) data×2 complete(ok)"),
        .accepted(7, .UC, "canonicalize×3 redirect(302) canonicalize response(200) data complete(ok)"),
        .accepted(7, .DL, "downloadBegin canonicalize response(200) progress complete(ok)"),
        .accepted(7, .PC, "canonicalize response(200) data complete(ok)"),
        .observed(7, "canonicalize response(200) complete(ok)"),
        .observed(7, "redirect(-) response(200) complete(ok)"),
        .observed(7, .UD, "canonicalize×2 progress fileReady complete(ok)"),
        .observed(7, .UC, "response(200) canonicalize data complete(ok)"),
        .observed(7, .PC, "response(200) canonicalize data complete(ok)"),

        // Silence while a redirect is unanswered.
        .accepted(8, "redirect(302) answer(follow) response(200) data complete(ok)"),
        .accepted(8, "redirect(302) bodySent answer(follow) response(200) complete(ok)"),
        .accepted(8, "redirect(302) answer(follow) redirect(302) answer(follow) response(200) complete(ok)"),
        .accepted(8, .UD, "redirect(302) answer(follow) progress fileReady complete(ok)"),
        .refused(8, "redirect(302) response(302) answer(follow) response(200) data complete(ok)"),
        .refused(8, "redirect(302) response(200) data×3 answer(follow) complete(ok)"),
        .refused(8, "ANSWERS redirect(302) data answer(follow) response(200) answer(allow) complete(ok)"),
        .refused(8, .UD, "redirect(302) progress answer(follow) progress fileReady complete(ok)"),
        .refused(8, "ANSWERS redirect(302) response(302) data complete(ok)"),
        .observed(8, "redirect(302) redirect(302) answer(follow) answer(follow) response(200) complete(ok)"),
        .observed(8, .HT, "redirect(302) challenge(serverTrust) answer(follow){to=redirect} answer(use) handler(ok)"),

        // Bounded redirects.
        .accepted(9, on: .followsTwenty, "redirect(302)×20 complete(tooManyRedirects)"),
        .accepted(9, on: .followsTwenty, "redirect(302)×20 response(200) data complete(ok)"),
        .accepted(9, "redirect(302)×25 response(200) data complete(ok)"),
        .accepted(9, .HT, on: .followsTwenty, "redirect(302)×20 handler(tooManyRedirects)"),
        .refused(9, on: .followsTwenty, "redirect(302)×21 response(200) data complete(ok)"),
        .refused(9, on: .followsTwenty, "redirect(302)×25 complete(tooManyRedirects)"),
        .refused(9, on: .followsTwenty, "redirect(302)×3 complete(tooManyRedirects)"),
        .refused(9, .UC, on: .followsTwenty, "redirect(302)×21 response(200) complete(ok)"),
        .observed(9, "redirect(302)×120 response(200) complete(ok)"),
    ]

    static let refusedRedirectRows: [RuleRow] = [
        .accepted(5, "redirect(302) answer(refuse) response(302) data complete(ok)"),
        .accepted(5, "redirect(302) answer(refuse) response(302) data complete(connectionLost)"),
        .accepted(5, "redirect(302) answer(refuse) cancel complete(cancelled)"),
        .accepted(
            5,
            "request(GET /a) redirect(301) answer(follow) request(GET /b) redirect(302) answer(refuse) response(302) complete(ok)"
        ),
        .accepted(5, .UD, "redirect(302) answer(refuse) progress fileReady complete(ok)"),
        .accepted(5, .HT, "redirect(302) answer(refuse) handler(ok) result{status=302}"),
        .accepted(5, .UC, "redirect(302) answer(refuse) response(302) data complete(ok)"),
        .accepted(5, .DL, "downloadBegin redirect(302) answer(refuse) complete(cancelled)"),
        .accepted(
            5, .DL, on: .deliversRefused,
            "downloadBegin redirect(302) answer(refuse) response(302) progress complete(ok)"),
        .refused(5, "redirect(302) answer(refuse) complete(cancelled)"),
        .refused(5, "redirect(302) answer(refuse) complete(ok)"),
        .refused(5, "redirect(302) answer(refuse) response(200) data complete(ok)"),
        .refused(5, "redirect(302) answer(refuse) response(302) data response(200) data complete(ok)"),
        .refused(5, "redirect(302) answer(refuse) redirect(302) answer(refuse) response(302) complete(ok)"),
        .refused(5, "request(GET /a) redirect(302) answer(refuse) request(GET /b) response(302) complete(ok)"),
        .refused(5, .UD, "redirect(302) answer(refuse) complete(cancelled)"),
        .refused(5, .HT, "redirect(302) answer(refuse) handler(cancelled)"),
        .refused(5, .HT, "redirect(302) answer(refuse) handler(ok) result{status=200}"),
        .refused(5, .DL, on: .deliversRefused, "downloadBegin redirect(302) answer(refuse) complete(cancelled)"),

        .accepted(6, "redirect(302) cancel complete(cancelled)"),
        .accepted(6, "redirect(302) cancel metrics complete(cancelled)"),
        .accepted(6, "<redirect(302) cancel /redirect(302) complete(cancelled)"),
        .accepted(6, .UC, "redirect(302) cancel"),
        .accepted(6, .DL, "downloadBegin redirect(302) cancel"),
        .accepted(6, "<redirect(302) /redirect(302) cancel response(200) complete(cancelled)"),
        .refused(6, "redirect(302) cancel response(302) complete(ok)"),
        .refused(6, "redirect(302) cancel complete(ok)"),
        .refused(6, "redirect(302) cancel request(GET /b) complete(cancelled)"),
        .refused(6, .UD, "redirect(302) cancel progress complete(cancelled)"),
        .refused(6, .HT, "redirect(302) cancel handler(ok)"),
        .refused(6, .UC, "redirect(302) cancel complete(cancelled)"),
        .observed(6, .DL, "downloadBegin redirect(302) cancel complete(cancelled)"),
    ]
}
