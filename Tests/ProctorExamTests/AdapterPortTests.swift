import ProctorBase
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorExam
@testable import ProctorExamClients

/// The port at which an adapter over the network connects: who is let in, and what comes of a connection that ends.
@Suite(.limit(minutes: 5))
struct AdapterPortTests {
    private static let token = "0123456789abcdef"
    private static let greeting = #"{"adapter": "proctor", "version": 1, "token": "0123456789abcdef"}"#
    private static let accepted = #"{"proctor":"exam","version":1}"#

    /// An adapter's end of a connection.
    private struct Peer {
        let socket: Socket
        let loop: EventLoop

        func send(_ text: String) async throws {
            try await loop.run { try await socket.write(Array(text.utf8)) }
        }

        /// The next line without its line feed; what there is where the connection ends.
        func line() async throws -> String {
            let bytes = try await loop.run { () async throws -> [UInt8] in
                var bytes: [UInt8] = []
                while bytes.last != 0x0A, try await socket.read(upTo: 1, { bytes.append($0) }) != nil {}
                return bytes
            }
            return String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
        }

        func close() async throws { try await loop.run { socket.close() } }
    }

    private struct Bench {
        let port: AdapterPort
        let loop: EventLoop
        let notes: Locked<[String]>

        func connect() async throws -> Peer {
            let (address, loop) = (port.address.socket, loop)
            let socket = try await loop.run { try await Socket.connect(to: address, on: loop, within: 60_000_000_000) }
            return Peer(socket: socket, loop: loop)
        }

        /// A connection that was let in.
        func adapter() async throws -> Peer {
            let peer = try await connect()
            try await peer.send(greeting + "\n")
            #expect(try await peer.line() == accepted)
            return peer
        }

        func ask(
            _ text: String = "assignment", within deadline: Duration = .seconds(240)
        ) async -> (WatchedChild.Ending, String) {
            let output = Locked<[UInt8]>([])
            let settings = WatchedChild(command: [], environment: [:], deadline: deadline)
            let outcome = await port.ask(settings, Array(text.utf8)) { part in
                output.withLock { $0 += part }
                return true
            }
            return (outcome.ending, String(decoding: output.withLock { $0 }, as: UTF8.self))
        }
    }

    private func withPort(
        patience: Duration = .seconds(240), _ body: (Bench) async throws -> Void
    ) async throws {
        let address = try #require(AdapterAddress("tcp://127.0.0.1:0"))
        let port = try await AdapterPort.open(at: address, token: Self.token, patience: patience)
        let notes = Locked<[String]>([])
        port.onNote { sentence in notes.withLock { $0.append(sentence) } }
        let loop = try EventLoop(name: "peer")
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(Bench(port: port, loop: loop, notes: notes)))
        } catch {
            result = .failure(error)
        }
        await port.close()
        loop.stop()
        try result.get()
    }

    @Test func `an adapter with the token is given an assignment, and its trace is read to the empty line`()
        async throws
    {
        try await withPort { bench in
            let peer = try await bench.adapter()
            for number in 1...3 {
                async let asked = bench.ask("assignment \(number)")
                #expect(try await peer.line() == "assignment \(number)")
                // Split anywhere, also within the end.
                try await peer.send("head")
                try await peer.send("er\n{}\n")
                try await peer.send("\n")
                let (ending, output) = await asked
                #expect(ending == .exited(0))
                #expect(output == "header\n{}\n")
            }
            #expect(await bench.port.hasAdapter())
            #expect(bench.notes.withLock { $0 }.isEmpty)
            try await peer.close()
        }
    }

    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let said: String
        /// What the answer and the note say.
        let words: String
    }

    /// All kinds of them are in Tests/Data/readers/value.
    private static let strangers = [
        Stranger(
            testDescription: "another token", said: greeting.replacing("abcdef", with: "abcdeg"),
            words: "its token is not that of this exam"),
        Stranger(
            testDescription: "a line without end", said: String(repeating: "x", count: AdapterGreeting.lineLimit),
            words: "which is no greeting of an adapter"),
    ]

    @Test(arguments: strangers)
    func `who shows no token, or speaks something else, is told so and let in no more than before`(
        _ stranger: Stranger
    ) async throws {
        try await withPort { bench in
            let peer = try await bench.connect()
            try await peer.send(stranger.said + "\n")
            let answer = try await peer.line()
            #expect(answer.hasPrefix(#"{"proctor":"exam","version":1,"refused":""#) && answer.contains(stranger.words))
            #expect(try await peer.line() == "", "the connection stays open")
            let notes = bench.notes.withLock { $0 }
            let words = stranger.words
            #expect(!answer.contains("abcdef") && !notes.contains { $0.contains("abcdef") })
            #expect(notes.count == 1 && notes[0].contains("was refused: ") && notes[0].contains(words), "\(notes)")
            // The right one is let in behind it.
            let adapter = try await bench.adapter()
            #expect(await bench.port.hasAdapter())
            try await peer.close()
            try await adapter.close()
        }
    }

    @Test func `connections that say nothing keep no adapter out`() async throws {
        try await withPort { bench in
            var silent: [Peer] = []
            for _ in 0..<300 { silent.append(try await bench.connect()) }
            let adapter = try await bench.adapter()
            #expect(await bench.port.hasAdapter())
            // The first ones had been silent longest.
            #expect(try await silent[0].line() == "")
            for peer in silent { try await peer.close() }
            try await adapter.close()
        }
    }

    @Test func `an adapter whose connection ends within a trace is told of, with why`() async throws {
        try await withPort { bench in
            let peer = try await bench.adapter()
            async let asked = bench.ask()
            _ = try await peer.line()
            try await peer.send("header\n{\"ev\":")
            try await peer.close()
            let (ending, _) = await asked
            #expect(
                ending
                    == .disconnected(
                        "the connection to the adapter was lost in the middle of this case: the adapter's side closed it"
                    ))
            #expect(!bench.port.isAbandoned)
        }
    }

    @Test func `an assignment of which nothing was written goes to the next connection`() async throws {
        try await withPort { bench in
            let first = try await bench.adapter()
            async let asked = bench.ask()
            _ = try await first.line()
            try await first.close()
            let second = try await bench.adapter()
            #expect(try await second.line() == "assignment")
            try await second.send("header\n\n")
            let (ending, output) = await asked
            #expect(ending == .exited(0) && output == "header\n")
            try await second.close()
        }
    }

    @Test func `connections that end without a word are tried three times`() async throws {
        try await withPort { bench in
            async let asked = bench.ask()
            for _ in 1...AdapterPort.mostIdleConnections {
                let peer = try await bench.adapter()
                _ = try await peer.line()
                try await peer.close()
            }
            let (ending, _) = await asked
            #expect(
                ending
                    == .disconnected(
                        "3 connections of the adapter ended before it began the trace of this case; the last one: "
                            + "the adapter's side closed it"))
        }
    }

    @Test func `a later connection takes the place of one that is dead without a sign of it`() async throws {
        try await withPort { bench in
            let first = try await bench.adapter()
            async let asked = bench.ask()
            _ = try await first.line()
            let second = try await bench.adapter()
            #expect(try await second.line() == "assignment")
            try await second.send("header\n\n")
            let (ending, output) = await asked
            #expect(ending == .exited(0) && output == "header\n")
            #expect(try await first.line() == "", "the former connection stays open")
            #expect(bench.notes.withLock { $0.contains { $0.contains("takes the place of the former one") } })
            try await first.close()
            try await second.close()
        }
    }

    @Test func `an adapter that says nothing until the deadline hangs, and its connection is closed`() async throws {
        try await withPort { bench in
            let peer = try await bench.adapter()
            let (ending, _) = await bench.ask(within: .milliseconds(50))
            guard case .hung(let milliseconds) = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(milliseconds >= 50)
            #expect(try await peer.line() == "assignment")
            #expect(try await peer.line() == "", "the connection stays open")
            try await peer.close()
        }
    }

    @Test func `bytes behind the empty line, or before an assignment, end the connection`() async throws {
        try await withPort { bench in
            let first = try await bench.adapter()
            async let asked = bench.ask()
            _ = try await first.line()
            try await first.send("header\n\nmore\n")
            let (ending, output) = await asked
            #expect(ending == .exited(0) && output == "header\n")
            #expect(try await first.line() == "", "the connection stays open")
            async let again = bench.ask()
            let second = try await bench.adapter()
            _ = try await second.line()
            try await second.send("header\n\n")
            #expect(await again.0 == .exited(0))
            try await first.close()
            try await second.close()
        }
    }

    @Test func `an adapter that writes more than its reader takes loses its connection`() async throws {
        try await withPort { bench in
            let peer = try await bench.adapter()
            let settings = WatchedChild(command: [], environment: [:], deadline: .seconds(240))
            async let asked = bench.port.ask(settings, Array("assignment".utf8)) { _ in false }
            #expect(try await peer.line() == "assignment")
            try await peer.send("header\n")
            #expect(await asked.ending == .refused)
            #expect(try await peer.line() == "", "the connection stays open")
            try await peer.close()
        }
    }

    @Test func `where no adapter comes in time, none is waited for again`() async throws {
        try await withPort(patience: .milliseconds(30)) { bench in
            #expect(await !bench.port.hasAdapter())
            #expect(bench.port.isAbandoned)
            let (ending, _) = await bench.ask()
            #expect(ending == .disconnected("no adapter was connected to \(bench.port.address) within 0 s"))
        }
    }

    @Test func `an exam that is cancelled waits no longer`() async throws {
        try await withPort { bench in
            let task = Task { await bench.ask() }
            task.cancel()
            let (ending, _) = await task.value
            guard case .disconnected = ending else {
                Issue.record("\(ending)")
                return
            }
            #expect(!bench.port.isAbandoned)
        }
    }

    @Test func `a port that is taken is an error`() async throws {
        try await withPort { bench in
            await #expect(throws: CallFailure.self) {
                _ = try await AdapterPort.open(at: bench.port.address, token: Self.token, patience: .seconds(1))
            }
        }
    }
}
