import ProctorHTTP
import Testing

struct StatusPhraseTests {
    @Test(arguments: [
        (100, "Continue"), (200, "OK"), (302, "Found"), (404, "Not Found"), (413, "Content Too Large"),
        (421, "Misdirected Request"), (431, "Request Header Fields Too Large"), (505, "HTTP Version Not Supported"),
    ])
    func `registered statuses have the phrase of the registry`(_ status: Int, _ phrase: String) {
        #expect(StatusPhrase.registered(status) == phrase)
    }

    @Test(arguments: [0, 99, 104, 306, 418, 419, 430, 452, 499, 509, 512, 600, 999])
    func `unregistered and unused statuses have none`(_ status: Int) {
        #expect(StatusPhrase.registered(status) == nil)
    }

    @Test func `the registry has 61 statuses in use`() {
        #expect((0...999).filter { StatusPhrase.registered($0) != nil }.count == 61)
    }

    @Test(arguments: Violation.Kind.allCases)
    func `every status that refuses a request has a phrase`(_ kind: Violation.Kind) {
        #expect(StatusPhrase.registered(Violation(kind, at: 0).status) != nil)
    }
}
