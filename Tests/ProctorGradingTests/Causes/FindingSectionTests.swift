import Testing

@testable import ProctorGrading

/// The sections that a finding rests on, where they are not those of its case.
struct FindingSectionTests {
    @Test(arguments: [
        ("complete(serverCertificate*)", "resume complete(unknown)", ["Foundation, URLError.Code"]),
        ("complete(timedOut|cancelled)", "resume complete(unknown)", ["Foundation, URLError.Code"]),
        ("complete(error)", "resume response(200) complete(ok)", []),
        ("response(200) complete(ok)", "resume complete(unknown)", []),
        ("challenge(serverTrust)? complete(timedOut)", "resume complete(unknown)", ["Foundation, URLError.Code"]),
        ("complete(timedOut|ok)", "resume complete(unknown)", []),
    ])
    func `the name of an error is Foundation's, and that a load fails is the section's of the case`(
        expression: String, trace: String, sections: [String]
    ) throws {
        let verdict = try grade(try makeCase(lanes: ["task": expression]), trace)
        let finding = try #require(verdict.failures.first { $0.subject.isExpression })
        #expect(finding.sections == sections, "\(finding)")
    }
}

extension Finding.Subject {
    fileprivate var isExpression: Bool { if case .expression = self { true } else { false } }
}
