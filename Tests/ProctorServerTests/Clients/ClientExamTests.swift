import ProctorFixtures
import ProctorGrading
import ProctorScenario
import Testing

/// Real clients take the exam: what the journal saw is compared with what each case asks for.
///
/// A client's deviations stand in `Tests/Clients/<client>.yaml`, for the command lines of these tests; those of the shipped adapters in `clients/`. Another version of the client than the ledger's is told about
/// by warnings.
struct `Client exam` {
    @Test func `all fixtures can be set`() {
        #expect(ClientCase.library.isClean, "\(ClientCase.library.diagnostics.map { "\($0)" }.joined(separator: "\n"))")
        #expect(ClientCase.all.count >= 650)
    }

    @Test(arguments: Exam.curl.asked)
    func `curl does what the case asks, or what its ledger says`(row: ClientCase) async throws {
        try await Exam.curl.take(row)
    }

    @Test(arguments: Exam.urllib.asked)
    func `urllib does what the case asks, or what its ledger says`(row: ClientCase) async throws {
        try await Exam.urllib.take(row)
    }

    @Test(arguments: Exam.httpClient.asked)
    func `http.client does what the case asks, or what its ledger says`(row: ClientCase) async throws {
        try await Exam.httpClient.take(row)
    }

    /// What a client can't be told is skipped with a reason.
    @Test func `cases are skipped for what a client has no means for, and for nothing else`() {
        let everywhere: Set<SkipReason> = [
            .changesRequest, .mixedAnswers, .mixedCredentials, .asksCallbacks, .keepsNothing, .encodesNothing,
        ]
        let withoutCodings = everywhere.union([.decodesNothing, .boundsNoLoad])
        #expect(Exam.curl.skipReasons == everywhere)
        #expect(Exam.urllib.skipReasons == withoutCodings.union([.knowsNoTokens]))
        #expect(Exam.httpClient.skipReasons == withoutCodings.union([.followsNothing, .answersNothing, .hasNoProxy]))
    }

    @Test(arguments: [Exam.curl, .urllib, .httpClient])
    func `every entry of a ledger speaks of one case that its client is set`(exam: Exam) throws {
        let ledger = try LedgerFile.ledger(of: exam.adapter.name)
        #expect(ledger.client == exam.adapter.name)
        for deviation in ledger.deviations {
            #expect(!deviation.isPrefix, "\(deviation.location): a case that passes below a '*' goes unnoticed here")
            #expect(
                exam.rows.contains { deviation.covers($0.id) },
                "\(deviation.location): \(deviation.pattern) is no case that \(ledger.client) is set")
            #expect(deviation.rule != nil, "\(deviation.location): which rule does it break?")
        }
    }
}
