import ProctorBase
import Testing

@testable import ProctorTLSWire

/// Feeds a reader in every way in which bytes can come, and compares the outcomes.
private func verify(_ bytes: [UInt8], _ wanted: ClientHelloReader.Outcome, limit: Int = 65_536) {
    func read(_ pieces: [ArraySlice<UInt8>]) -> (ClientHelloReader.Outcome, [UInt8]) {
        var reader = ClientHelloReader(limit: limit)
        var outcome = ClientHelloReader.Outcome.needsMore
        for piece in pieces { outcome = reader.read(Array(piece).span) }
        return (outcome, reader.received)
    }
    let whole = read([bytes[...]])
    #expect(whole.0 == wanted)
    #expect(whole.1 == bytes)
    let single = read(bytes.map { [$0][...] })
    #expect(single.0 == wanted)
    #expect(single.1 == bytes)
    for split in bytes.indices {
        let parts = read([bytes[..<split], bytes[split...]])
        #expect(parts.0 == wanted, "split at \(split)")
    }
    // What comes behind is kept and changes nothing.
    if wanted != .needsMore {
        let more = read([(bytes + [22, 3, 1, 0])[...]])
        #expect(more.0 == wanted)
        #expect(more.1.count == bytes.count + 4)
    }
}

private func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
}

private func vector(_ bytes: [UInt8], _ count: Int) -> [UInt8] { number(bytes.count, count) + bytes }

private func ext(_ type: Int, _ content: [UInt8]) -> [UInt8] { number(type, 2) + vector(content, 2) }

private func message(
    suites: [Int] = [0x1301, 0xC02F], identifier: [UInt8] = [], extensions: [UInt8]? = nil, version: Int = 0x0303
) -> [UInt8] {
    let body =
        number(version, 2) + [UInt8](repeating: 7, count: 32) + vector(identifier, 1)
        + vector(suites.flatMap { number($0, 2) }, 2) + vector([0], 1) + (extensions.map { vector($0, 2) } ?? [])
    return [1] + vector(body, 3)
}

private func record(_ bytes: [UInt8], type: UInt8 = 22) -> [UInt8] { [type, 3, 1] + vector(bytes, 2) }

@Suite struct ClientHelloTests {
    private static let extensions: [UInt8] =
        ext(0x2A2A, []) + ext(0, vector([0] + vector(Array("localhost".utf8), 2), 2))
        + ext(16, vector(vector(Array("h2".utf8), 1) + vector(Array("http/1.1".utf8), 1), 2))
        + ext(10, vector(number(0x0A0A, 2) + number(29, 2), 2)) + ext(13, vector(number(0x0403, 2), 2))
        + ext(43, vector(number(0x0304, 2) + number(0x0303, 2), 1)) + ext(35, [])

    private static var full: ClientHello {
        var hello = ClientHello()
        hello.legacyVersion = 0x0303
        hello.versions = [0x0304, 0x0303]
        hello.cipherSuites = [0x1301, 0xC02F]
        hello.serverName = Array("localhost".utf8)
        hello.applicationProtocols = [Array("h2".utf8), Array("http/1.1".utf8)]
        hello.extensions = [0x2A2A, 0, 16, 10, 13, 43, 35]
        hello.groups = [0x0A0A, 29]
        hello.signatureSchemes = [0x0403]
        hello.byteCount = message(identifier: [1, 2], extensions: extensions).count
        return hello
    }

    @Test func `everything that is offered is read`() {
        verify(record(message(identifier: [1, 2], extensions: Self.extensions)), .complete(Self.full))
    }

    @Test func `it may come in many records`() {
        let bytes = message(identifier: [1, 2], extensions: Self.extensions)
        verify(bytes.flatMap { record([$0]) }, .complete(Self.full))
        verify(record(Array(bytes[..<3])) + record(Array(bytes[3...])), .complete(Self.full))
    }

    @Test func `without extensions the version is the one of the head`() {
        var hello = ClientHello()
        hello.legacyVersion = 0x0301
        hello.versions = [0x0301]
        hello.cipherSuites = [0x002F]
        hello.byteCount = message(suites: [0x2F], version: 0x0301).count
        verify(record(message(suites: [0x2F], version: 0x0301)), .complete(hello))
        hello.wantsResumption = true
        hello.byteCount += 1
        verify(record(message(suites: [0x2F], identifier: [1], version: 0x0301)), .complete(hello))
    }

    @Test func `a ticket or a pre-shared key asks for an earlier session`() {
        for (entry, wants) in [(ext(35, [1]), true), (ext(35, []), false), (ext(41, [0]), true)] {
            var reader = ClientHelloReader()
            let versions = ext(43, vector(number(0x0304, 2), 1))
            let outcome = reader.read(record(message(identifier: [9], extensions: versions + entry)).span)
            guard case .complete(let hello) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(hello.wantsResumption == wants)
        }
    }

    @Test func `what is no TLS is known by its first byte`() {
        for text in ["GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\r\n", "PRI * HTTP/2.0"] {
            verify(Array(text.utf8), .notTLS)
        }
    }

    @Test func `wrong records are refused in a sentence`() {
        let hello = message()
        verify([22, 2, 0], .refused("a record says version 2.0, where 3.1 to 3.4 is TLS (RFC 8446 §5.1)"))
        verify(
            [22, 3, 1, 0x40, 1], .refused("a record of 16385 bytes; one of a handshake has 1 to 16384 (RFC 8446 §5.1)"))
        verify([22, 3, 1, 0, 0], .refused("a record of 0 bytes; one of a handshake has 1 to 16384 (RFC 8446 §5.1)"))
        verify([23], .refused("a record of type 23 where a ClientHello begins (RFC 8446 §5.1)"))
        verify(
            record(Array(hello[..<9])) + [23],
            .refused("a record of type 23 in the middle of a ClientHello (RFC 8446 §5.1)"))
        verify([0x80, 46, 1, 3, 1], .refused("a ClientHello of SSL 2, which a client must not send (RFC 6176 §3)"))
        verify(record([2, 0, 0, 0]), .refused("a handshake message of type 2 where a ClientHello, type 1, begins"))
        verify(record(hello + [0, 0]), .refused("2 bytes behind the ClientHello in its record"))
        verify(record([1, 0, 1, 0]), .refused("a ClientHello of 256 bytes; at most 255 are read"), limit: 255)
    }

    @Test func `a message that is cut anywhere is refused, whatever its length says`() {
        let whole = Array(message(identifier: [1, 2], extensions: Self.extensions)[4...])
        var refused = 0
        for count in 0..<whole.count {
            var reader = ClientHelloReader()
            switch reader.read(record([1] + vector(Array(whole[..<count]), 3)).span) {
            case .refused(let sentence):
                #expect(sentence.hasSuffix("does not fit its length (RFC 8446 §4.1.2)"))
                refused += 1
            // Behind the compression methods everything may be left out.
            case .complete(let hello): #expect(hello.extensions.isEmpty)
            default: Issue.record("at \(count)")
            }
        }
        #expect(refused == whole.count - 1)
    }

    @Test func `any byte may be any other, and nothing traps`() {
        let bytes = record(message(identifier: [1, 2], extensions: Self.extensions))
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                var reader = ClientHelloReader()
                _ = reader.read(changed.span)
                #expect(reader.received == changed)
            }
        }
    }
}
