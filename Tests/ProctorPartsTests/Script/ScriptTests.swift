import ProctorScript
import ProctorTestWire
import Testing

/// Tests/Data/readers/script has what scripts come to.
struct ScriptTests {
    @Test func `steps of several calls go on in any order`() throws {
        let state = try ScriptState()
        let text = "local name = request.method wait(1) send(name) return { status = 200, body = name }"
        let script = try state.compile(ScriptSource(text: Array(text.utf8), file: "a.lua"))
        var calls: [ScriptCall] = []
        for _ in 0..<20 {
            guard case .step(.wait, let call) = state.start(script, for: TrialHost()) else {
                return #expect(Bool(false))
            }
            calls.append(call)
        }
        for call in calls.reversed() {
            guard case .step(.send, let same) = state.resume(call) else { return #expect(Bool(false)) }
            #expect(describe(state.resume(same)) == "200 GET")
        }
    }
}
