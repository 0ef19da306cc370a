import Foundation
import ProctorHTTP
import Testing

@testable import ProctorReference

/// One load, event by event, with what the loader wants after each.
struct LoaderRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    var body = RequestBody.none
    var policy = LoaderPolicy()
    let steps: [(event: LoadEvent, actions: [String])]
}

struct LoaderTests {
    @Test(arguments: rows)
    func `a load asks for what its events call for`(row: LoaderRow) throws {
        let url = try ClientURL("http://127.0.0.1:8088/a")
        var loader = Loader(ClientRequest(method: row.method, url: url, body: row.body), policy: row.policy)
        for (number, step) in row.steps.enumerated() {
            let actions = loader.handle(step.event).map(LoaderScript.text)
            #expect(actions == step.actions, "step \(number): \(step.event)")
        }
    }

    private static func head(_ lines: String..., method: String = "GET") -> LoadEvent {
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        return LoaderScript.head(text, to: method).map(LoadEvent.head) ?? .cancel
    }

    private static var request: ClientRequest? {
        (try? ClientURL("http://127.0.0.1:8088/b")).map { ClientRequest(url: $0) }
    }

    private static let failure = TransferFailure(LoadError(.connectionLost, "reset"))
    private static let swallowed = TransferFailure(LoadError(.connectionLost, "closed"), mayBeRetried: true)
    private static let found = head("HTTP/1.1 302 Found", "Location: /b", "Content-Length: 0")
    private static let ok = head("HTTP/1.1 200 OK", "Content-Length: 2")
    private static let unauthorized = head(
        "HTTP/1.1 401 No", "WWW-Authenticate: Basic realm=\"one\", Basic realm=\"two\"", "Content-Length: 0")
    private static let done = ["metrics 1", "complete(ok)"]

    static let rows: [LoaderRow] = plain + redirects + heldRedirects + challenges + bodies + ends + parts

    private static let plain: [LoaderRow] = [
        LoaderRow(
            testDescription: "a second answer changes nothing",
            steps: [
                (.start, ["send GET /a"]), (ok, ["response(200)"]), (.responseAnswered(isAllowed: true), []),
                (.responseAnswered(isAllowed: false), []), (.replyEnded, done),
            ]),
        LoaderRow(
            testDescription: "an old shape looks at the canonical form first",
            policy: LoaderPolicy(announcesCanonicalForm: true),
            steps: [(.start, ["canonicalize /a"]), (.canonicalAnswered(isAccepted: true), ["send GET /a"])]),
        LoaderRow(
            testDescription: "a refused canonical form ends the load",
            policy: LoaderPolicy(announcesCanonicalForm: true),
            steps: [
                (.start, ["canonicalize /a"]),
                (.canonicalAnswered(isAccepted: false), ["metrics 0", "complete(cancelled)"]),
            ]),
        LoaderRow(
            testDescription: "a success that may be stored is offered once it is complete",
            policy: LoaderPolicy(asksToStore: true),
            steps: [
                (.start, ["send GET /a"]), (ok, ["response(200)"]), (.responseAnswered(isAllowed: true), []),
                (.replyEnded, ["willCache"]), (.cacheAnswered(.store), done),
            ]),
        LoaderRow(
            testDescription: "what must not be stored is not offered", policy: LoaderPolicy(asksToStore: true),
            steps: [
                (.start, ["send GET /a"]), (head("HTTP/1.1 200 OK", "Cache-Control: no-store"), ["response(200)"]),
                (.responseAnswered(isAllowed: true), []), (.replyEnded, done),
            ]),
    ]

    /// The content of a redirect is read while its question is open.
    private static let reading = LoaderPolicy(readsOpenRedirects: true)

    private static let heldRedirects: [LoaderRow] = [
        LoaderRow(
            testDescription: "the content of a redirect that is refused comes behind its response", policy: reading,
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]), (.content(Array("mo".utf8)), []),
                (.content(Array("ved".utf8)), []), (.replyEnded, []), (.redirectAnswered(nil), ["response(302)"]),
                (.responseAnswered(isAllowed: true), ["data moved"] + done),
            ]),
        LoaderRow(
            testDescription: "more of it may come after the refusal", policy: reading,
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]), (.content(Array("mo".utf8)), []),
                (.redirectAnswered(nil), ["response(302)"]), (.responseAnswered(isAllowed: true), ["data mo"]),
                (.content(Array("ved".utf8)), ["data ved"]), (.replyEnded, done),
            ]),
        LoaderRow(
            testDescription: "a connection that breaks meanwhile is told of behind what came", policy: reading,
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]), (.content(Array("mo".utf8)), []),
                (.failed(failure), []), (.redirectAnswered(nil), ["response(302)"]),
                (
                    .responseAnswered(isAllowed: true),
                    ["data mo", "abort", "metrics 1", "complete(connectionLost)"]
                ),
            ]),
        LoaderRow(
            testDescription: "a redirect whose reply is over is followed at once", policy: reading,
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]), (.content(Array("moved".utf8)), []),
                (.replyEnded, []), (.redirectAnswered(request), ["send GET /b"]), (ok, ["response(200)"]),
            ]),
    ]

    private static let redirects: [LoaderRow] = [
        LoaderRow(
            testDescription: "a connection that breaks while the client thinks ends the load, as nothing can follow",
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]),
                (.failed(failure), ["abort", "metrics 1", "complete(connectionLost)"]),
                (.redirectAnswered(request), []),
            ]),
        LoaderRow(
            testDescription: "cancelled while it is asked",
            steps: [
                (.start, ["send GET /a"]), (found, ["redirect(302) to GET /b"]),
                (.cancel, ["abort", "metrics 1", "complete(cancelled)"]), (.redirectAnswered(request), []),
            ]),
    ]

    private static let challenges: [LoaderRow] = [
        LoaderRow(
            testDescription: "a load that ends while it asks withdraws the challenge first",
            steps: [
                (.start, ["send GET /a"]), (unauthorized, ["challenge(one) 0"]),
                (.timedOut, ["abort", "challengeCancelled", "metrics 1", "complete(timedOut)"]),
            ])
    ]

    private static let bodies: [LoaderRow] = [
        LoaderRow(
            testDescription: "progress adds up within a sending", method: "POST", body: .bytes([1, 2, 3]),
            steps: [
                (.start, ["send POST /a with body"]), (.bodySent(byteCount: 2, expected: 3), ["bodySent 2 2/3"]),
                (.bodySent(byteCount: 1, expected: 3), ["bodySent 1 3/3"]),
                (.bodySent(byteCount: 0, expected: 3), []),
            ]),
        LoaderRow(
            testDescription: "progress waits for the disposition, as all else does", method: "POST",
            body: .bytes([1, 2, 3]),
            steps: [
                (.start, ["send POST /a with body"]), (ok, ["response(200)"]),
                (.bodySent(byteCount: 3, expected: 3), []),
                (.responseAnswered(isAllowed: true), ["bodySent 3 3/3"]),
            ]),
    ]

    private static let ends: [LoaderRow] = [
        LoaderRow(
            testDescription: "a GET that a kept connection swallowed is sent once more",
            steps: [
                (.start, ["send GET /a"]), (.failed(swallowed), ["send GET /a anew"]),
                (.failed(swallowed), ["abort", "metrics 2", "complete(connectionLost)"]),
            ]),
        LoaderRow(
            testDescription: "a POST is not", method: "POST",
            steps: [
                (.start, ["send POST /a"]), (.failed(swallowed), ["abort", "metrics 1", "complete(connectionLost)"]),
            ]),
        LoaderRow(
            testDescription: "cancelled before it began",
            steps: [(.cancel, ["metrics 0", "complete(cancelled)"]), (.start, [])]),
        LoaderRow(
            testDescription: "what comes after the end is ignored",
            steps: [
                (.start, ["send GET /a"]), (.timedOut, ["abort", "metrics 1", "complete(timedOut)"]), (.timedOut, []),
                (ok, []), (.content([1]), []), (.bodySent(byteCount: 1, expected: 1), []),
            ]),
    ]

    private static let mixed = head("HTTP/1.1 200 OK", "Content-Type: multipart/x-mixed-replace; boundary=p")

    private static let parts: [LoaderRow] = [
        LoaderRow(
            testDescription: "each part is a response, and waits until it is allowed",
            steps: [
                (.start, ["send GET /a"]), (mixed, []),
                (.content(Array("--p\r\n\r\none\r\n--p\r\n\r\ntwo\r\n--p--\r\n".utf8)), ["response(200) of part"]),
                (.responseAnswered(isAllowed: true), ["data one", "response(200) of part"]),
                (.responseAnswered(isAllowed: true), ["data two"]), (.replyEnded, done),
            ]),
        LoaderRow(
            testDescription: "without a part the whole is the response",
            steps: [
                (.start, ["send GET /a"]), (mixed, []), (.replyEnded, ["response(200)"]),
                (.responseAnswered(isAllowed: true), done),
            ]),
    ]
}

struct ReferencePageTests {
    private let page: String

    init() throws {
        page = try text("../../../../Docs/clients/reference.md")
    }

    @Test func `the example of a session is one that runs`() throws {
        let fence = try #require(page.range(of: "```swift\nimport ProctorHTTP\n"))
        let end = try #require(page.range(of: "\n```", range: fence.upperBound..<page.endIndex))
        let example = page[fence.upperBound..<end.lowerBound].split(separator: "\n").filter { !$0.hasPrefix("import ") }
        let lines = try text("../../Sessions/SessionShapeTests.swift").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        // The test has a server of its own, on a port of its own.
        let shown = example.map {
            String($0).replacing("http://127.0.0.1:8088/plain/get/hello", with: "http://127.0.0.1:\\(port)/hello")
        }
        let starts = lines.indices.filter { lines[$0...].starts(with: shown) }
        #expect(starts.count == 1, "these lines stand nowhere in SessionShapeTests: \(shown)")
    }
}

private func text(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: #filePath).appending(path: path).standardized, encoding: .utf8)
}
