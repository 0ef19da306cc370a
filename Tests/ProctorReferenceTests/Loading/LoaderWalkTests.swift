import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Walks through random events: whatever comes, the loader keeps to its diagram and to the rules that hold of every load.
struct LoaderWalkTests {
    @Test func `random events lead along the diagram, along every arrow of it, and nowhere else`() throws {
        let known = try Way.ofDiagram()
        var seen: Set<Way> = []
        var random = SeededGenerator(seed: 5)
        let wanted = known.filter { $0.from != $0.to }
        for index in 0..<20_000 {
            // By day, as many walks as it takes to see all of the diagram.
            if index >= Extent.count(20_000), seen.isSuperset(of: wanted) { break }
            var walk = try LoaderWalk(&random)
            for _ in 0..<40 where !walk.loader.isEnded {
                let from = walk.loader.phase.name
                walk.step(&random)
                let way = Way(from: from, to: walk.loader.phase.name)
                // An event that does not fit leaves the phase alone, in any phase.
                if from == way.to, walk.lastActions.isEmpty { continue }
                seen.insert(way)
            }
        }
        let unknown = seen.subtracting(known)
        #expect(unknown.isEmpty, "the diagram lacks these")
        for way in wanted { #expect(seen.contains(way), "nothing led \(way)") }
    }

    @Test func `random events end in one terminal, with no question open and nothing behind it`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<Extent.count(20_000) {
            var walk = try LoaderWalk(&random)
            for _ in 0..<40 { walk.step(&random) }
            walk.take(.cancel)
            #expect(walk.offence == nil)
            #expect(walk.completeCount == 1)
            walk.take(.start)
            #expect(walk.lastActions.isEmpty)
        }
    }

    @Test func `only the last phase has no way out`() throws {
        let ways = try Way.ofDiagram()
        #expect(Set(ways.map(\.to)).subtracting(ways.map(\.from)) == ["ended"])
        #expect(Set(ways.map(\.from)).subtracting(ways.map(\.to)) == ["idle"])
    }
}

extension LoaderPhase {
    /// Without what it holds.
    fileprivate var name: String {
        switch self {
        case .idle: "idle"
        case .announcing: "announcing"
        case .openingBody: "openingBody"
        case .sending: "sending"
        case .securing: "securing"
        case .redirecting: "redirecting"
        case .challenging: "challenging"
        case .leaving: "leaving"
        case .disposing: "disposing"
        case .receiving: "receiving"
        case .storing: "storing"
        case .ended: "ended"
        }
    }
}

private struct Way: Hashable, CustomStringConvertible {
    let from: String
    let to: String

    var description: String { "from \(from) to \(to)" }

    /// The arrows of the diagram in Docs/inside/loading.md, from its first phase to its last.
    static func ofDiagram() throws -> Set<Way> {
        let file = URL(filePath: #filePath).appending(path: "../../../../Docs/inside/loading.md").standardized
        let page = try String(contentsOf: file, encoding: .utf8)
        let begin = try #require(page.range(of: "    [*] --> idle\n"))
        let end = try #require(page.range(of: "    ended --> [*]", range: begin.upperBound..<page.endIndex))
        let lines = page[begin.upperBound..<end.lowerBound].split(separator: "\n")
        return try Set(
            lines.map { line in
                let words = line.split(separator: " ")
                try #require(words.count > 4 && words[1] == "-->" && words[3] == ":", "\(line)")
                return Way(from: String(words[0]), to: String(words[2]))
            })
    }
}

/// One load under random events, and what would be wrong with what it says.
struct LoaderWalk {
    private(set) var loader: Loader
    private(set) var lastEvent = LoadEvent.start
    private(set) var lastActions: [LoadAction] = []
    private(set) var offence: String?
    private(set) var completeCount = 0
    private var openQuestion: String?
    private var hasResponse = false
    private let events: [LoadEvent]

    init(_ random: inout SeededGenerator) throws {
        let userinfo = Bool.random(using: &random) ? "user:pass@" : ""
        let scheme = Int.random(in: 0..<4, using: &random) > 0 ? "http" : "https"
        let url = try ClientURL("\(scheme)://\(userinfo)127.0.0.1:8088/a")
        let bodies: [RequestBody] = [.none, .bytes([1]), .streamOnDemand, .stream(BodyStream([1]))]
        let method = ["GET", "POST", "PUT", "HEAD"].randomElement(using: &random) ?? "GET"
        let body = bodies.randomElement(using: &random) ?? .none
        let policy = LoaderPolicy(
            redirectLimit: Int.random(in: 0..<3, using: &random), announcesCanonicalForm: Bool.random(using: &random),
            asksToStore: Bool.random(using: &random),
            proxy: Bool.random(using: &random) ? Origin(scheme: .http, host: "127.0.0.1", port: 3128) : nil)
        loader = Loader(ClientRequest(method: method, url: url, body: body), policy: policy)
        events = try Self.events(url)
    }

    mutating func step(_ random: inout SeededGenerator) {
        // Mostly what brings the load further, now and then what ends it.
        guard Int.random(in: 0..<200, using: &random) > 0 else { return take(.cancel) }
        take(events.randomElement(using: &random) ?? .start)
    }

    mutating func take(_ event: LoadEvent) {
        if Self.isAnswer(event), Self.fits(event, openQuestion) { openQuestion = nil }
        lastEvent = event
        lastActions = loader.handle(event)
        for case .tell(let call) in lastActions { judge(call) }
    }

    private mutating func judge(_ call: DelegateCall) {
        if completeCount > 0 { offence = "\(call) after the end" }
        if let openQuestion {
            switch call {
            case .bodySent where openQuestion != "response": break
            case .challengeCancelled where openQuestion == "challenge": self.openQuestion = nil
            case .metrics, .complete:
                if openQuestion == "challenge" { offence = "a challenge was left open" }
            default: offence = "\(call) while \(openQuestion) is open"
            }
        }
        switch call {
        case .canonicalize: openQuestion = "canonicalize"
        case .redirect: openQuestion = "redirect"
        case .challenge: openQuestion = "challenge"
        case .needBodyStream: openQuestion = "needBodyStream"
        case .willCache: openQuestion = "willCache"
        case .response:
            openQuestion = "response"
            hasResponse = true
        case .data(let bytes):
            if !hasResponse || bytes.isEmpty { offence = "data without a response, or empty" }
        case .complete(let error):
            if error == nil, !hasResponse { offence = "success without a response" }
            completeCount += 1
        case .challengeCancelled, .bodySent, .informational, .metrics: break
        default: offence = "\(call) is no call of a load"
        }
    }

    private static func isAnswer(_ event: LoadEvent) -> Bool { question(of: event) != nil }

    private static func fits(_ event: LoadEvent, _ open: String?) -> Bool { question(of: event) == open }

    private static func question(of event: LoadEvent) -> String? {
        switch event {
        case .canonicalAnswered: "canonicalize"
        case .redirectAnswered: "redirect"
        case .challengeAnswered: "challenge"
        case .bodyStreamAnswered: "needBodyStream"
        case .responseAnswered: "response"
        case .cacheAnswered: "willCache"
        default: nil
        }
    }

    private static func events(_ url: ClientURL) throws -> [LoadEvent] {
        let heads = [
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 302 Found\r\nLocation: /b\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Type: multipart/x-mixed-replace; boundary=p\r\n\r\n",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a, Basic realm=b\r\n\r\n",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\n"
                + "Content-Type: multipart/x-mixed-replace; boundary=p\r\n\r\n",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=a, nonce=n, qop=auth, Bearer realm=a\r\n\r\n",
            "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=a, nonce=o, qop=auth, stale=true\r\n\r\n",
            "HTTP/1.1 407 No\r\nProxy-Authenticate: Digest realm=a, nonce=o, stale=true, Basic realm=b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nAuthentication-Info: rspauth=\"00\"\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=p\r\n\r\n",
        ]
        let failure = LoadError(.connectionLost, "reset")
        return heads.compactMap { LoaderScript.head($0).map(LoadEvent.head) }
            + heads.prefix(1).compactMap { LoaderScript.head($0, to: "CONNECT").map(LoadEvent.tunnelOpened) }
            + heads.filter { $0.contains(" 407 ") }.compactMap { LoaderScript.head($0).map(LoadEvent.tunnelRefused) }
            + heads.prefix(1).compactMap { LoaderScript.head($0).map(LoadEvent.storedHead) } + [
                .start, .tunnelNeeded, .canonicalAnswered(isAccepted: true), .canonicalAnswered(isAccepted: false),
                .redirectAnswered(nil), .redirectAnswered(ClientRequest(url: url)),
                .redirectAnswered(ClientRequest(method: "POST", url: url, body: .streamOnDemand)),
                .challengeAnswered(.use(LoadCredential(user: "u", password: "p"))), .challengeAnswered(.goOnWithout),
                .challengeAnswered(.use(LoadCredential(token: "t"))), .challengeAnswered(.byDefault),
                .challengeAnswered(.trust), .challengeAnswered(.identify(LoadIdentity(chain: [], key: []))),
                .handshakeAsks(LoadChallenge(ServerTrust(isTrusted: false, host: "127.0.0.1"), at: url.origin)),
                .handshakeAsks(LoadChallenge(acceptableIssuers: [], at: url.origin)),
                .challengeAnswered(.cancel), .challengeAnswered(.reject), .storageAnswered(isUsed: false),
                .bodyStreamAnswered(BodyStream([1])),
                .bodyStreamAnswered(nil), .responseAnswered(.allow), .responseAnswered(.allow),
                .responseAnswered(.cancel), .cacheAnswered(.store),
                .bodySent(byteCount: 1, expected: 1), .content([UInt8]("--p\r\n\r\none\r\n--p\r\n\r\ntwo".utf8)),
                .content([1]), .replyEnded, .drained, .failed(TransferFailure(failure)),
                .failed(TransferFailure(failure, mayBeRetried: true)),
            ]
    }
}
