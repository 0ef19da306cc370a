import ProctorTrace

extension RuleTable {
    /// R46, R47 and R53.
    static let threadRows: [RuleRow] = [
        // R46: one queue, one at a time.
        .accepted(
            46, .US,
            "<response(200)@D/t1 /response(200)@D/t1 <data@D/t2 /data@D/t2 <complete(ok)@D/t1 /complete(ok)@D/t1"),
        .accepted(46, .US, "created@/t9 response(200)@D/t1 data@D/t2 complete(ok)@D/t1"),
        .accepted(46, .US, "response(200)@/t1 data@/t2 complete(ok)@/t1"),
        .accepted(46, .US, "response(200) data complete(ok)"),
        .accepted(46, .US, "needBodyStream@D/t1 response(200)@D/t1 complete(ok)@D/t1"),
        .accepted(
            46, .US,
            """
            <response(200)@D/t1 /response(200)@D/t1 task[1]: <response(200)@D/t1 /response(200)@D/t1 task: \
            complete(ok)@D/t1 task[1]: complete(ok)@D/t1 sessionInvalid@D/t1
            """),
        .accepted(46, .UC, "response(200)@/t1 complete(ok)@/t1"),
        .refused(46, .US, "needBodyStream@/t7 response(200)@D/t1 data@D/t1 complete(ok)@D/t1"),
        .refused(46, .US, "needBodyStream@work/t7 bodySent@D/t1 response(200)@D/t1 complete(ok)@D/t1"),
        .refused(46, .US, "redirect(302)@D/t1 response(200)@D/t1 data@/t2 data@/t2 complete(ok)@D/t1"),
        .refused(46, .US, "response(200)@D/t1 complete(ok)@D/t1 sessionInvalid@main/t0"),
        .refused(46, .US, "<response(200)@D/t1 <data@D/t2 /data@D/t2 /response(200)@D/t1 complete(ok)@D/t1"),
        .refused(46, .US, "<response(200)@D/t1 <data@D/t2 /response(200)@D/t1 /data@D/t2 complete(ok)@D/t1"),
        .refused(
            46, .US,
            """
            <response(200)@D/t1 task[1]: <response(200)@D/t2 /response(200)@D/t2 complete(ok)@D/t2 task: \
            /response(200)@D/t1 complete(ok)@D/t1
            """),
        .observed(
            46, .US,
            """
            <response(200)@concurrent/t1 <data@concurrent/t2 /response(200)@concurrent/t1 /data@concurrent/t2 \
            complete(ok)@concurrent/t3
            """),

        // R47: one thread, or the delegate queue.
        .accepted(47, .UC, "askCredStore@t0 canonicalize@t1 response(200)@t1 data@t1 complete(ok)@t1"),
        .accepted(47, .UC, "response(200)@Q/t1 data@Q/t2 complete(ok)@Q/t3"),
        .accepted(47, .UC, "response(200) data complete(ok)"),
        .accepted(47, .DL, "resume@t1 downloadBegin@t1 response(200)@t1 complete(ok)@t1"),
        .accepted(47, .UC, "resume@t0 response(200)@t1 complete(ok)@t1"),
        .refused(47, .UC, "response(200)@t1 data@t2 data@t2 complete(ok)@t1"),
        .refused(47, .UC, "response(200)@Q/t1 data@R/t1 complete(ok)@Q/t1"),
        .refused(47, .CD, "progress@t1 fileReady@t2"),
        .refused(47, .DL, "resume@t1 downloadBegin@t2 response(200)@t2 complete(ok)@t2"),

        // R53: each question once, by the test.
        .accepted(53, .US, "resume redirect(302) answer(follow) response(200) data complete(ok)"),
        .accepted(53, .US, "resume redirect(302) cancel complete(cancelled)"),
        .accepted(53, .US, "resume challenge(basic) answer(cancel) complete(cancelled)"),
        .accepted(53, .US, "resume redirect(302) cancel complete(cancelled) answer(follow)"),
        .accepted(53, .UC, "challenge(basic) challengeCancelled(basic) complete(timedOut) answer(use)"),
        .accepted(53, .US, "redirect(302) response(200) complete(ok)"),
        .breaks([], faults: [53], .US, "resume redirect(302) answer(follow) answer(follow) response(200) complete(ok)"),
        .breaks([], faults: [53], .US, "resume response(200) answer(allow) data answer(allow) complete(ok)"),
        .breaks([], faults: [53], .US, "resume redirect(302) answer(follow) redirect(302)"),
        .accepted(53, .US, "resume redirect(302) answer(follow) challenge(basic) complete(connectionLost)"),
        .breaks(
            [], faults: [53], .US, "resume redirect(302) answer(follow) challenge(basic) complete(timedOut)"),
        .breaks([], faults: [53], .US, "ANSWERS resume redirect(302)"),
        .breaks([], faults: [53], .US, "ANSWERS resume challenge(basic)"),
        .breaks(
            [], faults: [53], .UD, "resume challenge(basic) answer(use) answer(use) progress fileReady complete(ok)"),
        .breaks(
            [], faults: [53], .PC,
            "p.init p.start challenge(basic) answer(use) answer(use) response(200) complete(ok) p.stop"),
    ]
}
