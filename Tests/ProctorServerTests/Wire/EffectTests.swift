import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// Every effect at every position of a reply, proved on the socket and in the journal.
struct EffectTests {
    /// A reply with known bytes, and where in them a position is.
    struct Place: Sendable {
        let position: String
        let reply: String
        let wire: String
        let offset: Int
        let status: String

        static let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
        static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        static let chunks = "4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\n\r\n"

        static func plain(_ position: String, _ offset: Int) -> Place {
            Place(
                position: position, reply: "status: 200, body: \"0123456789\"", wire: head + "0123456789",
                offset: offset, status: "200")
        }

        static func chunked(_ position: String, _ offset: Int) -> Place {
            Place(
                position: position, reply: "status: 200, framing: { chunked: [ 4 ] }, body: \"0123456789\"",
                wire: chunkedHead + chunks, offset: chunkedHead.utf8.count + offset, status: "200")
        }

        static func raw(_ position: String, _ offset: Int) -> Place {
            Place(position: position, reply: "raw: raw bytes", wire: "raw bytes", offset: offset, status: "raw")
        }

        static let all: [Place] = [
            plain("head", 0), plain("head 9", 9), plain("head \(head.utf8.count - 1)", head.utf8.count - 1),
            plain("body 0", head.utf8.count), plain("body 4", head.utf8.count + 4),
            plain("wire 7", head.utf8.count + 7), plain("end", head.utf8.count + 10),
            // A chunk's size line belongs to its first byte of content; `wire` can tell them apart.
            chunked("body 4", 9), chunked("body 6", 14), chunked("wire 1", 1), chunked("wire 11", 11),
            chunked("wire 28", 28), chunked("end", chunks.utf8.count),
            raw("wire 0", 0), raw("wire 3", 3), raw("end", 9),
        ]

        var before: String { String(decoding: Array(wire.utf8)[..<offset], as: UTF8.self) }
        var after: String { String(decoding: Array(wire.utf8)[offset...], as: UTF8.self) }
    }

    enum Action: String, Sendable, CaseIterable {
        case close, reset, halfClose = "half-close", stall, send = "send <<>>", wait = "wait 40ms"
        case abruptClose = "close, abrupt: true"
        case abruptReset = "reset, abrupt: true"

        var journalText: String {
            switch self {
            case .send: "send 4 bytes"
            case .wait: "wait 0.04 seconds"
            case .abruptClose: "close abrupt"
            case .abruptReset: "reset abrupt"
            default: rawValue
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let place: Place
        let action: Action
        var testDescription: String { "\(action.rawValue) at \(place.position) of \(place.reply)" }

        static let all = Place.all.flatMap { place in Action.allCases.map { Case(place: place, action: $0) } }
    }

    @Test(arguments: Case.all)
    func `an effect comes just before the first byte of its position`(_ item: Case) async throws {
        let (place, action) = (item.place, item.action)
        let reply = "{ \(place.reply), effects: [ { at: \(place.position), do: \(action.rawValue) } ] }"
        try await withRun(always(reply)) { run in
            let seen = try await talk(to: run.base) { wire in
                try Self.watch(wire, at: place, action)
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            check(seen, at: place, action)
            // That of the client, which may come in the wait or behind it.
            #expect(lines.filter { $0 != "c0 FIN received" } == journal(of: place, action))
        }
    }

    struct Seen: Sendable {
        var received: Wire.Received
        var duration: Duration = .zero
        var wasSilent = true
    }

    private static func watch(_ wire: Wire, at place: Place, _ action: Action) throws -> Seen {
        let start = ContinuousClock.now
        try wire.send(.request("GET /"))
        switch action {
        case .stall:
            let bytes = try wire.read(place.offset)
            let wasSilent = wire.isSilent(milliseconds: 30)
            wire.finish()
            let rest = try wire.readToEnd()
            return Seen(received: Wire.Received(bytes + rest.bytes, rest.ending), wasSilent: wasSilent)
        case .halfClose:
            let received = try wire.readToEnd()
            // Everything after our FIN is still read: more than the socket's buffers could hold.
            try wire.send([UInt8](repeating: 0x2E, count: 16 << 20))
            return Seen(received: received)
        case .send, .wait:
            wire.finish()
            let received = try wire.readToEnd()
            return Seen(received: received, duration: ContinuousClock.now - start)
        case .close, .reset, .abruptClose, .abruptReset:
            return Seen(received: try wire.readToEnd())
        }
    }

    private func check(_ seen: Seen, at place: Place, _ action: Action) {
        switch action {
        case .close, .abruptClose, .halfClose: #expect(seen.received == Wire.Received(place.before, .closed))
        case .reset: #expect(seen.received == Wire.Received(place.before, .reset))
        case .abruptReset:
            #expect(seen.received.ending == .reset && place.before.hasPrefix(seen.received.text))
        case .stall:
            #expect(seen.wasSilent)
            #expect(seen.received == Wire.Received(place.before, .closed))
        case .send: #expect(seen.received == Wire.Received(place.before + "<<>>" + place.after, .closed))
        case .wait:
            #expect(seen.received == Wire.Received(place.wire, .closed))
            #expect(seen.duration >= .milliseconds(40))
        }
    }

    private func journal(of place: Place, _ action: Action) -> [String] {
        let all = place.wire.utf8.count
        let ending =
            switch action {
            case .close, .abruptClose:
                ["c0 r0 sent \(place.status) \(place.offset)", "c0 closed by server: closed"]
            case .halfClose:
                [
                    "c0 r0 sent \(place.status) \(place.offset)",
                    "c0 violation bytes-after-request at \(String.request("GET /").utf8.count)",
                    "c0 closed by server: closed",
                ]
            case .reset, .abruptReset: ["c0 r0 sent \(place.status) \(place.offset)", "c0 closed by server: reset"]
            case .stall:
                ["c0 r0 aborted \(place.offset): the client closed the connection", "c0 closed by client: closed"]
            case .send: ["c0 r0 sent \(place.status) \(all + 4)", "c0 closed by client: closed"]
            case .wait: ["c0 r0 sent \(place.status) \(all)", "c0 closed by client: closed"]
            }
        return [
            "c0 opened main", "c0 r0 head GET /", "c0 r0 exchange 0 turn 0",
            "c0 r0 effect \(action.journalText) at \(place.position)",
        ] + ending
    }
}
