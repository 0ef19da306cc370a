import ProctorBase
import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import ProctorTestSupport

/// Both ends of one handshake, and of a second one where the words say so.
struct Handshake: Sendable {
    let words: HandshakeWords
    let server: TLSServerContext
    let client: TLSClientContext

    private static var patience: UInt64 { Patience.whole.wholeNanoseconds }

    func lines(on loop: EventLoop) async throws -> [String] {
        if words.shown.contains("records") { return [try await records(on: loop)] }
        let first = try await play(on: loop, resuming: nil)
        guard words.has("again") else { return first.lines }
        let second = try await play(on: loop, resuming: first.client.ticket)
        // A session of OpenSSL that goes without an end takes its ticket with it.
        return withExtendedLifetime(first.client) { first.lines + ["then"] + second.lines }
    }

    private func play(on loop: EventLoop, resuming ticket: TLSTicket?) async throws -> (
        lines: [String], client: TLSSession
    ) {
        let sockets = try await Sockets.make(on: loop)
        defer { sockets.close() }
        let script = Script(words)
        let answers = words.has("trusts") || words.has("distrusts") ? Answers(words) : nil
        let ours = TLSSession(server: server, on: sockets.server, received: [])
        let theirs = TLSSession(
            client: client, on: sockets.client, host: words.value("host") ?? "localhost", resuming: ticket)
        let serving = Task(executorPreference: loop) { () -> HandshakeFailure? in
            do throws(HandshakeFailure) {
                try await ours.handshake(within: Self.patience, script: script)
                sockets.server.layer = ours
                return nil
            } catch {
                // The alert that it came to has been sent.
                sockets.server.halfClose()
                return error
            }
        }
        var clientFailure: HandshakeFailure?
        do throws(HandshakeFailure) {
            try await theirs.handshake(within: Self.patience, questions: answers)
            sockets.client.layer = theirs
        } catch {
            clientFailure = error
            sockets.client.halfClose()
        }
        let serverFailure = await serving.value
        var lines = ["server \(told(serverFailure))", "client \(told(clientFailure))"]
        if words.shown.contains("failed") { return (lines, theirs) }
        if serverFailure == nil, clientFailure == nil {
            lines += try await exchange(sockets, ours, theirs, on: loop)
        } else if clientFailure == nil {
            // In TLS 1.3 the client is through before the alert of the server comes.
            lines += await error { _ = try await sockets.client.take(1) }.map { ["client reads \($0)"] } ?? []
        }
        return (lines + facts(ours, theirs, script, answers), theirs)
    }

    /// Data there and back, and what the words want behind it.
    private func exchange(_ sockets: Sockets, _ ours: TLSSession, _ theirs: TLSSession, on loop: EventLoop) async throws
        -> [String]
    {
        var counts = [5]
        if words.has("alert"), !words.has("at") { counts.append(50_000) }
        for count in counts {
            let bytes = [UInt8](repeating: 5, count: count)
            try await sockets.client.write(bytes, within: Self.patience)
            let heard = try await sockets.server.take(count)
            try await sockets.server.write(heard, within: Self.patience)
            guard try await sockets.client.take(count) == bytes else { return ["other bytes came back"] }
        }
        if let times = words.value("ask").flatMap({ Int($0) }) {
            let alice = try TestAuthority.shared.client("alice")
            theirs.identityAfterHandshake = { $0.count == 1 ? alice : nil }
            let heard = Task(executorPreference: loop) { try await sockets.client.take(1) }
            for _ in 0..<times { try await ours.requestClientCertificate(within: Self.patience) }
            try await sockets.server.write([7], within: Self.patience)
            return try await heard.value == [7] ? [] : ["another byte came"]
        }
        if words.has("leave") {
            sockets.server.halfClose()
            return try await sockets.client.takeAll().isEmpty ? ["the server leaves"] : ["more came"]
        }
        guard !words.has("at"), let alert = words.value("alert").flatMap({ UInt8($0) }) else { return [] }
        guard ours.send(alert: alert) else { return ["no alert was sent"] }
        return await error { _ = try await sockets.client.take(1) }.map { ["client reads \($0)"] } ?? ["nothing came"]
    }

    private func error(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch { return told("\(error)") }
    }

    // MARK: What is told

    private func told(_ failure: HandshakeFailure?) -> String {
        guard let failure else { return "complete" }
        return words.shown.contains("failed") ? "failed" : told("\(failure)")
    }

    /// Each version of OpenSSL has other words for the alert that came.
    private func told(_ text: String) -> String { text.contains("(SSL alert number") ? "an alert" : text }

    private func facts(_ ours: TLSSession, _ theirs: TLSSession, _ script: Script, _ answers: Answers?) -> [String] {
        let (server, client) = (ours.report, theirs.report)
        var lines: [String] = []
        func show(_ word: String, _ text: @autoclosure () -> String) {
            if words.shown.contains(word) { lines.append("\(word) \(text())") }
        }
        func both<Value: Equatable>(_ one: Value, _ other: Value, _ text: (Value) -> String) -> String {
            one == other ? text(one) : "\(text(one)) and \(text(other))"
        }
        func text(_ value: some CustomStringConvertible) -> String { "\(value)" }
        show("version", both(server.version, client.version) { $0?.rawValue ?? "none" })
        show("cipher", both(server.cipherSuiteName, client.cipherSuiteName) { $0 ?? "none" })
        show("group", both(server.groupName, client.groupName) { $0 ?? "none" })
        show(
            "protocol",
            both(server.applicationProtocol, client.applicationProtocol) { $0.map { ByteText.inLine($0) } ?? "none" })
        show("name", both(server.serverName, client.serverName) { $0 ?? "none" })
        show(
            "resumed",
            both(server.isResumed, client.isResumed, text) + (theirs.ticket == nil ? " without a ticket" : ""))
        show("trust", client.trust.map { "\($0.verdict)" } ?? "none")
        show(
            "chain",
            "of \(client.peerChain.count)\(client.peerChain == client.trust?.chain ? ", as it was judged" : "")")
        show("identity", identity(server))
        show("asked", text(client.wasAskedForCertificate))
        show("truncated", text(client.wasTruncated))
        show("positions", script.positions.map(\.rawValue).joined(separator: " "))
        if let answers { lines += answers.lines }
        return lines + server.alerts.map { "server \(told($0))" } + client.alerts.map { "client \(told($0))" }
    }

    private func told(_ alert: TLSAlert) -> String {
        "\(alert.isOurs ? "sent" : "got") \(alert.isFatal ? "fatal" : "warning") \(alert.name)"
    }

    private func identity(_ report: TLSReport) -> String {
        let known = ["alice", "stranger"].first { name in
            (try? TestAuthority.shared.client(name).chain) == report.peerChain
        }
        let verdict = report.clientRefusal.map { ", \($0)" } ?? ""
        return (report.peerChain.isEmpty ? "none" : known ?? "of \(report.peerChain.count)") + verdict
    }

    // MARK: Records

    /// What is on the wire when a server ends its handshake: types of records, and of handshake messages where they can be read.
    private func records(on loop: EventLoop) async throws -> String {
        let others = try await Sockets.make(on: loop)
        let session = TLSSession(client: client, on: others.client, host: "localhost")
        let asking = Task(executorPreference: loop) { try? await session.handshake(within: Self.patience) }
        let hello = try await others.server.read(within: Self.patience) { $0.array } ?? []
        others.server.close()
        await asking.value
        others.close()
        let sockets = try await Sockets.make(on: loop)
        defer { sockets.close() }
        let ours = TLSSession(server: server, on: sockets.server, received: hello)
        let failure = await error { try await ours.handshake(within: Self.patience, script: Script(words)) }
        sockets.server.close()
        let bytes = try await sockets.client.takeAll()
        var (place, names): (Int, [String]) = (0, [])
        while place + 5 <= bytes.count {
            let length = Int(bytes[place + 3]) << 8 + Int(bytes[place + 4])
            let isWhole = place + 5 + length <= bytes.count
            names.append("\(bytes[place])" + (bytes[place] == 22 && isWhole ? ":\(bytes[place + 5])" : ""))
            if !isWhole { names.append("cut") }
            place += 5 + length
        }
        return "\(failure ?? "complete"), \(names.isEmpty ? "nothing" : names.joined(separator: " "))"
    }
}
