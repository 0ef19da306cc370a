internal import ProctorBase
internal import ProctorScenario
internal import ProctorServer

/// Calls of tests in other languages, for clients that report what came of their loads: runs that are judged at once, and
/// exams whose cases the tests set.
package enum ExamCallsModule {
    /// Hands them over, for every server that this process starts from then on.
    package static func register() { ControlCall.examCalls.register(calls) }

    /// The calls of one server.
    private static func calls() -> [ControlCall] {
        let exams = Locked(ServedExams())
        func call(
            _ method: String, _ path: String, _ handler: @escaping @Sendable (ExamCalls) -> ControlCall.Handler
        ) -> ControlCall {
            ControlCall(method, path) { handler(ExamCalls(api: $0, exams: exams)) }
        }
        return [
            ControlCall("POST", "runs/RUN/judge", by: ControlAPI.judgeRun),
            call("PUT", "exams/EXAM", ExamCalls.beginExam),
            call("POST", "exams/EXAM/sit", ExamCalls.sit),
            call("POST", "exams/EXAM/judge", ExamCalls.judgeSitting),
            call("GET", "exams/EXAM/ledger", ExamCalls.ledger),
            call("GET", "exams/EXAM/records", ExamCalls.records),
        ]
    }
}
