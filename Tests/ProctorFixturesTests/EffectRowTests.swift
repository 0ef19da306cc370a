import ProctorJournal
import ProctorModules
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct EffectRowTests {
    init() { ServerModules.register() }

    @Test func `every verb has a form in fixtures`() {
        let verbs = EffectVerb.allCases.filter { $0 != .read }
        #expect(EffectForm.all.map(\.verb) == verbs, "in the order of the reference")
        #expect(EffectForm.all.allSatisfy { $0.sentence != nil || $0.mapping != nil })
    }

    @Test(arguments: [
        ("read 5 bytes", EffectVerb?.some(.read), EffectEnd.nothing), ("explode 3", nil, .unknown), ("", nil, .unknown),
        ("push /a: left out, not permitted", .push, .nothing), ("goaway NO_ERROR last", .goaway, .nothing),
    ])
    func `a journal has words that no fixture has`(text: String, verb: EffectVerb?, ends: EffectEnd) {
        let played = PlayedEffect(action: text, at: "script")
        #expect(played.verb == verb && played.ends == ends && played.action == text)
        #expect(played.ends.cutsReply(on: 1) == (ends == .unknown))
    }
}
