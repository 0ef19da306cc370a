import ProctorTrace
import Testing

/// Interim responses that a client takes for responses: R27 tells of them, and the grammar looks past them.
struct InterimGrammarTests {
    @Test(arguments: [
        "resume response(103)×2 redirect(302) response(200) data complete(ok)",
        "resume needBodyStream response(100) bodySent redirect(301) response(200) data complete(ok)",
        "resume response(100) response(103) challenge(basic) response(200) data complete(ok)",
    ])
    func `what follows an interim response is held against what came before it`(script: String) throws {
        let script = try RuleScript(script, family: .US)
        var checker = TraceChecker(family: .US)
        for event in script.events { checker.observe(event) }
        let report = checker.finish()
        #expect(report.grammars.isEmpty, "\(report.grammars)")
        #expect(Set(report.hits.map(\.rule)) == [RuleNumber(27)])
    }

    @Test func `an interim response alone is no end`() throws {
        let script = try RuleScript("resume response(103) redirect(302) data complete(ok)", family: .US)
        var checker = TraceChecker(family: .US)
        for event in script.events { checker.observe(event) }
        #expect(!checker.finish().grammars.isEmpty)
    }
}
