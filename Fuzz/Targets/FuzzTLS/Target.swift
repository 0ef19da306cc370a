import FuzzSupport

/// Input: one byte that says what OpenSSL reads, and the rest.
///
/// 0 the certificate of a client, 1 a client's real one with changes (a place of two bytes, a byte), 2 a request of OCSP, 3 files of
/// a fixture: certificates, a zero byte, a key; 4 real ones with changes, whose count of changes of the first is a byte before them,
/// 5 a ClientHello with changes, of TLS 1.3 where the byte before them is even, 6 handshake messages behind one (a type, a length
/// of two bytes, content), 7 a client's chain behind one: the real chain with changes, as for files.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let world = World.only
    switch input.byte() & 7 {
    case 0: world.readCertificate(input.remaining)
    case 1: world.readCertificate(input.changed(world.client.chain[0]))
    case 2: check(!world.authority.ocspResponse(to: input.remaining).isEmpty, "no answer")
    case 3:
        let certificates = input.section(endingWith: 0)
        world.useFiles(certificates, input.remaining)
    case 4:
        let certificates = input.changed(Array(world.identity.chainPEM.utf8), upTo: Int(input.byte()))
        world.useFiles(certificates, input.changed(Array(world.identity.keyPEM.utf8)))
    case 5:
        let hello = HandshakeBytes.hello(ofVersion13: input.byte() & 1 == 0)
        world.shakeHands([HandshakeBytes.record(1, input.changed(hello))])
    case 6:
        var records = [HandshakeBytes.record(1, HandshakeBytes.hello(ofVersion13: false))]
        while !input.remaining.isEmpty, records.count < 12 {
            let type = input.byte()
            let length = input.number() & 0x7FF
            records.append(
                HandshakeBytes.record(type, (0..<min(length, input.remaining.count)).map { _ in input.byte() }))
        }
        world.shakeHands(records)
    default:
        let entries = world.client.chain.flatMap { certificate in
            let changed = input.changed(certificate, upTo: Int(input.byte()))
            return HandshakeBytes.number(changed.count, ofBytes: 3) + changed
        }
        world.shakeHands([
            HandshakeBytes.record(1, HandshakeBytes.hello(ofVersion13: false)),
            HandshakeBytes.record(11, HandshakeBytes.number(entries.count, ofBytes: 3) + entries),
        ])
    }
    return 0
}

extension FuzzInput {
    /// The bytes, of which some are replaced; each change is taken from the input.
    mutating func changed(_ bytes: [UInt8], upTo most: Int = .max) -> [UInt8] {
        var (bytes, count) = (bytes, 0)
        while !remaining.isEmpty, count < most {
            bytes[number() % bytes.count] = byte()
            count += 1
        }
        return bytes
    }
}

/// What a client sends in the clear.
enum HandshakeBytes {
    static func number(_ value: Int, ofBytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A message in a record of its own.
    static func record(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
        let message = [type] + number(body.count, ofBytes: 3) + body
        return [22, 3, 1] + number(message.count, ofBytes: 2) + message
    }

    /// The body of a ClientHello of TLS 1.2, behind which a client's messages are in the clear, or of TLS 1.3.
    static func hello(ofVersion13 isNewest: Bool) -> [UInt8] {
        func entry(_ type: Int, _ content: [UInt8]) -> [UInt8] {
            number(type, ofBytes: 2) + number(content.count, ofBytes: 2) + content
        }
        let share = number(36, ofBytes: 2) + [0, 0x1D, 0, 32] + [UInt8](repeating: 9, count: 32)
        let list =
            entry(0, [0, 12, 0, 0, 9] + Array("localhost".utf8)) + entry(10, [0, 4, 0, 0x1D, 0, 0x17])
            + entry(11, [1, 0]) + entry(13, [0, 8, 4, 3, 8, 4, 4, 1, 8, 7])
            + entry(16, [0, 9, 8] + Array("http/1.1".utf8))
            + entry(23, []) + entry(35, []) + (isNewest ? entry(43, [2, 3, 4]) + entry(51, share) : [])
        return [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 8, 0xC0, 0x2B, 0xC0, 0x2F, 0x13, 1, 0, 0x9C, 1, 0]
            + number(list.count, ofBytes: 2) + list
    }
}
