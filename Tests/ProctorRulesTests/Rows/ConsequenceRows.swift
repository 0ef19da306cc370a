extension RuleTable {
    /// No event shows why the totals begin again.
    private static let uploadedTwice =
        "request(POST /a) bodySent{n=7,total=7,expected=7} bodySent{n=7,total=7,expected=7}"

    static let consequenceRows = """
        # Traces in which one mistake breaks further rules, and its own alone is told.

        # A stream after the response comes after bytes of the body, too.
        refused 1: bodySent response(200) needBodyStream data complete(ok)
        # Without any response no data comes after one.
        refused 2: data complete(ok)
        refused 2: data×3 metrics complete(ok)
        refused 2 connection: data×2 complete(ok)
        refused 2 urlProtocol: redirect(302) data complete(ok)
        # A response that comes late is another mistake than none, and an error needs none.
        refused 25: data×2 response(200) data complete(ok)
        refused 25: data complete(timedOut)
        # What a refusal or a cancel does to a redirect that came too late.
        refused 3: response(200) redirect(302) answer(refuse) data complete(ok)
        refused 3: response(200) redirect(302) cancel data complete(cancelled)
        refused 3 on countsUploads: \(uploadedTwice) response(201) redirect(308) data complete(ok)
        # The head of a followed redirect, and then the next redirect.
        refused 4: redirect(302) response(302) redirect(302) response(200) data complete(ok)
        # Nothing is followed after a cancel.
        refused 6: request(GET /a) redirect(302) cancel answer(follow) response(302) complete(cancelled)
        refused 6: redirect(302) cancel data complete(cancelled)
        refused 6 connection: redirect(302) cancel data
        # The 401 that was told before its challenge.
        refused 12: ANSWERS response(401) challenge(basic) answer(allow) answer(use) response(200) complete(ok)
        refused 12: response(401) challenge(digest) answer(use) complete(badServerResponse)
        # A 401 that asks for nothing, asked about and not waited for.
        refused 16 on asksByHeader: ANSWERS challenge(default) response(401) answer(allow) answer(use) data complete(ok)
        # A question of TLS where none can be.
        refused 18: response(200) challenge(serverTrust) answer(cancel) data complete(ok)
        # The other delegate, after the refusal of the first.
        refused 55: redirect(302){who=task} answer(refuse) redirect(302){who=session} answer(refuse)
            response(302){who=session} complete(ok){who=session}

        # What stands alone is told as before, and a failure is never explained by what is only noted.
        breaks 10 observing 16: ANSWERS challenge(default) response(401) answer(allow) answer(use) data complete(ok)
        breaks 23 on countsUploads: \(uploadedTwice) response(201) data complete(ok)
        breaks 3,4: response(200) redirect(302) answer(follow) response(302) response(200) complete(ok)
        """
}
