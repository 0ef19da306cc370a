import ProctorHTTP
import Testing

struct ViolationKindTests {
    @Test(arguments: Violation.Kind.allCases)
    func `every kind has a name in small letters and a section`(_ kind: Violation.Kind) {
        #expect(kind.rawValue.utf8.allSatisfy { $0 == 0x2D || $0 == 0x2E || 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 })
        for message in [MessageKind.request, .reply] {
            let words = kind.section(in: message).split(separator: " ")
            #expect(words.count == 3 && words[0] == "RFC" && words[2].first == "§")
            #expect(Violation(kind, in: message, at: 0).section == kind.section(in: message))
        }
    }

    @Test(arguments: Violation.Kind.allCases)
    func `every kind arises in requests, in replies or in both, and its table says whether it ends the reading`(
        _ kind: Violation.Kind
    ) {
        let messages = [MessageKind.request, .reply].filter { kind.arises(in: $0) }
        #expect(!messages.isEmpty)
        #expect([nil, 400, 413, 414, 431, 501, 505].contains(kind.fatalStatus))
        #expect(Violation(kind, at: 0).isFatal == (kind.fatalStatus != nil))
        for message in [MessageKind.request, .reply] where !messages.contains(message) {
            #expect(!kind.isFatal(in: message), "a table of the other direction has no say")
        }
    }

    @Test func `requests and replies differ on two kinds only, which a client is told to read over`() {
        let both = Violation.Kind.allCases.filter { $0.arises(in: .request) && $0.arises(in: .reply) }
        #expect(
            both.filter { $0.isFatal(in: .request) != $0.isFatal(in: .reply) } == [.spaceBeforeColon, .chunkedNotFinal])
    }
}
