import ProctorEvents
import ProctorRules
import Testing

/// R45, which only the watchdog can decide.
struct LivenessTests {
    private func report(_ family: CallbackFamily, _ script: String, _ ending: TraceEnding = .hung) throws -> [String] {
        let script = try RuleScript(script, family: family)
        var checker = TraceChecker(family: family, reportsAnswers: script.reportsAnswers)
        for event in script.events { checker.observe(event) }
        return checker.finish(ending).hits.map { "\($0.rule) \($0.weight)" }
    }

    @Test(arguments: [
        (CallbackFamily.sessionData, "resume"), (.sessionData, "resume response(200) data"),
        (.sessionData, "resume response(401) data"), (.sessionDownload, "resume progress×3"),
        (.sessionHandler, "resume"),
        (.sessionHandler, "resume redirect(302) answer(follow)"), (.connection, "response(200) data"),
        (.sessionData, "resume cancel"),
        (.urlProtocol, "p.canInit p.canonical p.init p.start response(200)"),
    ])
    func `a load that hangs is a failure of its own`(family: CallbackFamily, script: String) throws {
        #expect(try report(family, script) == ["R45 failure"])
    }

    @Test(arguments: [
        (CallbackFamily.sessionData, "resume response(200) complete(ok)"), (.sessionData, "resume suspend"),
        (.sessionHandler, "resume handler(ok)"),
        (.connection, "response(200) cancel"), (.sessionData, "resume response(200) becameDownload"),
    ])
    func `a load that has ended or need not end does not hang`(family: CallbackFamily, script: String) throws {
        #expect(try report(family, script) == [])
    }

    @Test func `a question that the test left open is the test's fault`() throws {
        #expect(try report(.sessionData, "ANSWERS resume redirect(302)") == ["R53 harnessFault"])
    }

    @Test func `a question that the loader did not wait for is the loader's fault`() throws {
        #expect(
            try report(.sessionData, "ANSWERS resume response(200) data complete(ok)", .finished) == ["R28 failure"])
        #expect(try report(.sessionData, "ANSWERS resume response(200) data") == ["R28 failure"])
    }

    @Test func `without a watchdog a missing end is another rule`() throws {
        #expect(try report(.sessionData, "resume response(200) data", .finished) == ["R39 failure"])
        #expect(try report(.sessionHandler, "resume", .finished) == ["R54 failure"])
    }

    @Test(arguments: [
        (CallbackFamily.sessionData, "resume response(200) data"), (.sessionHandler, "resume"),
        (.sessionData, "ANSWERS resume redirect(302)"),
        (.sessionData, "resume response(200) complete(ok) invalidate(finish)"),
        (.urlProtocol, "p.init p.start response(200)"),
    ])
    func `nothing is missing after a crash`(family: CallbackFamily, script: String) throws {
        #expect(try report(family, script, .cut) == [])
        #expect(try report(family, script, .finished).count == 1)
    }

    @Test func `the message names what may never have been answered`() throws {
        var checker = TraceChecker(family: .sessionData)
        for event in try RuleScript("challenge(basic)", family: .sessionData).events { checker.observe(event) }
        let report = checker.finish(.hung)
        #expect(
            report.hits.map(\.sentence) == [
                "the load hangs after challenge(basic); challenge(basic) may never have been answered"
            ])
    }
}
