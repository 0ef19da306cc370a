import ProctorTrace

extension RuleTable {
    private static let made = "p.canInit{request=\"GET /a\",accepts=true} p.canonical{request=\"GET /a\"}"

    /// R48 to R52.
    static let protocolRows: [RuleRow] = [
        // R48: one thread, with a run loop.
        .accepted(
            48, .PC, "p.init@t5 p.start@t1 response(200)@t1 data@t1 complete(ok)@t1 p.stop@t1 p.deinit@t6"),
        .accepted(48, .PC, "p.init p.start response(200) complete(ok) p.stop"),
        .accepted(48, .PC, "p.init@t1 p.stop@t2"),
        .refused(48, .PC, "p.init p.start@t1 response(200)@t2 data@t2 complete(ok)@t2 p.stop@t1"),
        .refused(48, .PC, "p.init p.start@t1 response(200)@t1 complete(ok)@t1 p.stop@t2"),
        .refused(48, .PC, "p.init p.start@t1 response(200)@t1 blocked{ms=300} data@t1 complete(ok)@t1 p.stop@t1"),
        .refused(48, .PC, "response(200)@t1 data@t2 complete(ok)@t1"),
        .observed(48, .PC, "p.init p.start@t1 cacheValidated@t2 complete(ok)@t1 p.stop@t1"),

        // R49: stopped before it goes, started once.
        .accepted(49, .PC, "p.init p.start response(200) complete(ok) p.stop p.deinit"),
        .accepted(49, .PC, "p.init p.start response(200) p.stop"),
        .accepted(49, .PC, "p.init p.stop p.deinit"),
        .accepted(49, .PC, "p.init p.deinit"),
        .accepted(49, .PC, "p.init p.start response(200) complete(ok)"),
        .refused(49, .PC, "p.init p.start response(200) complete(ok) p.deinit"),
        .refused(49, .PC, "p.init p.start p.deinit"),
        .observed(49, .PC, "p.init p.start p.stop p.start p.stop p.deinit"),
        .observed(49, .PC, "p.init p.start p.start response(200) complete(ok) p.stop"),
        .observed(49, .PC, "p.init p.start response(200) p.stop p.stop"),

        // R50: silence.
        .accepted(50, .PC, "p.init p.start response(200) data p.stop"),
        .accepted(50, .PC, "p.init p.start response(200) complete(ok) p.stop"),
        .refused(50, .PC, "p.init p.start response(200) p.stop complete(cancelled)"),
        .refused(50, .PC, "p.init p.start p.stop response(200) data complete(ok)"),
        .refused(50, .PC, "p.init p.start response(200) data p.stop data×2"),
        .refused(50, .PC, "p.init p.start challenge(basic) p.stop challengeCancelled(basic)"),

        // R51: followed, the object is done.
        .accepted(51, .PC, "p.init p.start redirect(302) p.stop"),
        .accepted(51, .PC, "p.init p.start redirect(302) complete(cancelled) p.stop"),
        .accepted(51, .PC, "redirect(302) redirect(302) response(200) data complete(ok)"),
        .accepted(51, .PC, "p.init p.start redirect(302) answer(refuse) response(302) data complete(ok) p.stop"),
        .accepted(51, .PC, "p.init p.start redirect(302) answer(follow) complete(cancelled) p.stop"),
        .observed(51, .PC, "p.init p.start redirect(302) answer(follow) response(200) data complete(ok) p.stop"),
        .observed(51, .PC, "p.init p.start redirect(302) answer(change) response(200) complete(ok) p.stop"),

        // R52: the class was asked, for this request.
        .accepted(52, .PC, "p.canInit p.canonical p.canInit p.init p.start response(200) complete(ok) p.stop"),
        .accepted(52, .PC, "\(made) p.init{request=\"GET /a\"} p.start response(200) complete(ok) p.stop"),
        .accepted(
            52, .PC,
            """
            p.canInit{request="GET /A",accepts=true} p.canonical{request="GET /A",proposed="GET /a"} \
            p.canonical{request="GET /a",proposed="GET /a"} p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
            """),
        .accepted(
            52, .PC,
            """
            p.canInit{request="GET /b",accepts=false} \(made) p.init{request="GET /a"} p.start response(200) complete(ok) \
            p.stop
            """),
        .accepted(52, .PC, "p.init p.stop p.deinit"),
        .refused(52, .PC, "p.canInit p.init p.start response(200) complete(ok) p.stop"),
        .accepted(52, .PC, "p.init p.start response(200) complete(ok) p.stop"),
        .refused(52, .PC, "p.canonical p.init p.start response(200) complete(ok) p.stop"),
        .refused(52, .PC, "p.canInit{accepts=false} p.canonical p.init p.start response(200) complete(ok) p.stop"),
        .refused(52, .PC, "\(made) p.init{request=\"GET /b\"} p.start response(200) complete(ok) p.stop"),
        .observed(52, .PC, "p.canInit p.init p.canonical p.start response(200) complete(ok) p.stop"),
        .observed(
            52, .PC,
            """
            p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"} \
            p.canonical{request="GET /A",proposed="GET /b"} p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
            """),
        .observed(
            52, .PC,
            """
            p.canInit{request="GET /A"} p.canonical{request="GET /A",proposed="GET /a"} \
            p.canonical{request="GET /a",proposed="GET /aa"} p.init{request="GET /a"} p.start response(200) complete(ok) p.stop
            """),
    ]
}
