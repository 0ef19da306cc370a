import Foundation
import ProctorBase
import ProctorHTTP
import Testing

/// The table of violations: its rows, their examples, and the page of the documentation that is written from it.
struct ViolationTableTests {
    @Test(arguments: Violation.Kind.allCases.filter(\.row.example.isFoundByReader))
    func `the example of a kind has exactly this departure`(_ kind: Violation.Kind) {
        let example = kind.row.example
        let found = example.found
        #expect(found.map(\.kind) == [example.also, kind].compactMap { $0 })
        #expect(kind.arises(in: example.message))
        #expect(found.last?.sentence.contains("{") == kind.row.example.text.contains("{"), "every place is filled")
    }

    @Test func `no reader finds four kinds: three are those of a port, and one of who judges a run`() {
        #expect(
            Violation.Kind.allCases.filter { !$0.row.example.isFoundByReader }
                == [.plainHTTP, .bytesAfterRequest, .unansweredRequest, .hostOfAnotherOrigin])
    }

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
    func `every kind arises in requests, in replies or in both, and its row says whether it ends the reading`(
        _ kind: Violation.Kind
    ) {
        let messages = [MessageKind.request, .reply].filter { kind.arises(in: $0) }
        #expect(!messages.isEmpty)
        #expect([nil, 400, 413, 414, 431, 501, 505].contains(kind.fatalStatus))
        #expect(Violation(kind, at: 0).isFatal == (kind.fatalStatus != nil))
    }

    @Test func `requests and replies differ on two kinds only, which a client is told to read over`() {
        let both = Violation.Kind.allCases.filter { $0.arises(in: .request) && $0.arises(in: .reply) }
        #expect(
            both.filter { $0.isFatal(in: .request) != $0.isFatal(in: .reply) } == [.spaceBeforeColon, .chunkedNotFinal])
    }

    /// `PROCTOR_RECORD=violations make test ARGS="--filter ViolationTableTests"` writes the page anew.
    @Test func `the page of the documentation is written from the table`() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../Docs/judging/violations.md").standardized
        if ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "violations" {
            try ViolationPage.text.write(to: path, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: path, encoding: .utf8)
        #expect(page == ViolationPage.text, "record the page again")
    }
}

/// What Docs/judging/violations.md says.
private enum ViolationPage {
    static var text: String {
        let rows = Violation.Kind.allCases.map { kind in
            let row = kind.row
            let cells = [
                "`\(kind.rawValue)`", request(row.request), reply(row.reply), sections(kind),
                escaped(row.sentence).replacing("`", with: "\\`"),
                "`\(escaped(EscapedText.escape(bytes(row.example.text), limit: 400)))`\(end(row.example))",
            ]
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        return """
            # Departures from the specification

            The names that journals (`violation`) and fixtures (`wire[N].violations`) hold. This page is written from the table in
            `Sources/Ground/CFiles/Tables/http1-violations.tsv`; `PROCTOR_RECORD=violations make test ARGS="--filter ViolationTableTests"` writes it anew.

            - **in a request**, **in a reply**: what the server, or a client that reads replies as Proctor does, makes of it. *Read over*: it is noted,
              and the message is read. A number is the status of the answer that refuses the request; *refused*: the reply is not read on.
              An empty cell: messages of this kind do not have it. An origin that `accepts: anything` reads more over.
            - **sentence**: what a person is told. `{bytes}` are the offending bytes, quoted; `{limit}` is the limit that was passed.
            - **example**: bytes that have this departure, from the first byte of a connection, under small limits (a request line of 64 bytes, a
              field line of 40, 4 field lines, a head of 120, content of 8). "FIN": the peer closes behind them.

            | name | in a request | in a reply | section | sentence | example |
            |---|---|---|---|---|---|

            """ + rows.joined()
    }

    private static func request(_ weight: ViolationRow.RequestWeight?) -> String {
        switch weight {
        case .readOver: "read over"
        case .refused(let status): String(status)
        case nil: ""
        }
    }

    private static func reply(_ weight: ViolationRow.ReplyWeight?) -> String {
        switch weight {
        case .readOver: "read over"
        case .refused: "refused"
        case nil: ""
        }
    }

    private static func sections(_ kind: Violation.Kind) -> String {
        let ofRequest = kind.section(in: .request)
        let ofReply = kind.section(in: .reply)
        return ofRequest == ofReply ? ofRequest : "\(ofRequest); in a reply \(ofReply)"
    }

    private static func end(_ example: ViolationRow.Example) -> String {
        (example.thenEnds ? ", FIN" : "") + (example.isFoundByReader ? "" : ", where no request is read")
    }

    /// A bar would end the cell, and a backtick of a sentence would begin code.
    private static func escaped(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}

extension ViolationRow.Example {
    /// What a reader of its direction finds in it.
    fileprivate var found: [Violation] {
        switch message {
        case .request:
            var reader = RequestReader(RequestRules(ViolationRow.exampleRequestLimits))
            return reader.violations(of: bytes(text), thenEnds: thenEnds) { $0.violations }
        case .reply:
            var reader = ReplyReader(limits: ViolationRow.exampleReplyLimits)
            reader.expectReply(to: bytes("GET"))
            return reader.violations(of: bytes(text), thenEnds: thenEnds) { $0.violations }
        }
    }
}

extension MessageReading {
    fileprivate mutating func violations(
        of input: [UInt8], thenEnds: Bool, ofHead: (Head) -> [Violation]
    ) -> [Violation] {
        var found: [Violation] = []
        func add(_ event: MessageEvent<Head>) {
            switch event {
            case .head(let head): found += ofHead(head)
            case .violation(let violation), .refused(let violation): found.append(violation)
            case .content, .chunk, .trailers, .end: break
            }
        }
        var offset = 0
        while let event = next(input.span, at: &offset) { add(event) }
        while thenEnds, let event = finish() { add(event) }
        return found
    }
}
