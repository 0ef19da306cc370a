import ProctorBase
import ProctorWebSocket
import Testing

@Suite struct ReaderTests {
    private static let client = Verifier(role: .client)

    @Test func `events come in the order of their bytes`() throws {
        let frames: [WebSocketFrame] = [.text("ab", isFinal: false), .ping("p"), .more("c"), .close(1000, "r")]
        var events = Self.client.events(of: frames.flatMap(\.bytes))
        let heads = events.compactMap { event -> Int? in if case .frame(_, let offset) = event { offset } else { nil } }
        #expect(heads == [0, 4, 7, 10])
        events.removeAll { if case .frame = $0 { true } else { false } }
        #expect(
            events == [
                .messageBegan(.text, isCompressed: false), .content(Array("ab".utf8)), .frameEnded,
                .ping(Array("p".utf8)), .frameEnded, .content(Array("c".utf8)), .frameEnded, .messageEnded,
                .close(.normalClosure, reason: Array("r".utf8)), .frameEnded,
            ])
    }

    @Test func `a head has all of its bits`() throws {
        let frame = WebSocketFrame(
            Opcode(rawValue: 0xF), isFinal: false, reserved: [.rsv2], maskingKey: MaskingKey(0x0A0B_0C0D),
            payload: repeated(200))
        guard case .frame(let head, offset: 0)? = Verifier().events(of: frame.bytes).first else {
            Issue.record("no frame")
            return
        }
        #expect(!head.isFinal && head.reserved == .rsv2 && head.opcode.rawValue == 15 && !head.opcode.isKnown)
        #expect(
            head.maskingKey == MaskingKey(0x0A0B_0C0D) && head.lengthForm == .medium && head.payloadByteCount == 200)
    }

    @Test func `a server reads masked frames and a client others`() {
        var masked = WebSocketFrame.text("Hello")
        masked.maskingKey = MaskingKey(7)
        let cases: [(WebSocketRole, WebSocketFrame, WebSocketViolation.Kind?)] = [
            (.server, masked, nil), (.server, .text("Hello"), .maskMissing), (.client, masked, .maskPresent),
            (.client, .text("Hello"), nil),
        ]
        for (role, frame, kind) in cases {
            let events = Verifier(role: role).events(of: frame.bytes)
            #expect(events.summaries.last == "text Hello")
            #expect(events.violations.map(\.kind) == (kind.map { [$0] } ?? []))
            #expect(events.violations.allSatisfy { $0.offset == 1 && $0.closeCode == .protocolError })
        }
    }

    @Test func `several violations of a head come in the order of its bytes`() {
        let frame = WebSocketFrame(.ping, isFinal: false, reserved: .rsv2, payload: repeated(3))
            .departing { $0.lengthForm = .long }
        let violations = Verifier().events(of: frame.bytes).violations
        #expect(
            violations.map(\.kind) == [.reservedBit, .controlFrameFragmented, .maskMissing, .lengthNotMinimal])
        #expect(violations.map(\.offset) == [0, 0, 1, 2])
    }

    @Test func `where the bytes end, what is missing is said`() {
        func end(_ bytes: [UInt8]) -> WebSocketViolation? { Self.client.reading(of: bytes).end }
        #expect(end([])?.kind == .endedWithoutClose && end([])?.offset == 0)
        #expect(end([0x81])?.kind == .endedWithinFrame && end([0x81, 0x01])?.kind == .endedWithinFrame)
        #expect(end([0x81, 0x7E, 0x01])?.offset == 3)
        #expect(end([0x01, 0x01, 0x61])?.kind == .endedWithinMessage)
        #expect(end(WebSocketFrame.text("a").bytes)?.kind == .endedWithoutClose)
        #expect(end(WebSocketFrame.close(1000).bytes) == nil)
        #expect(end(WebSocketFrame.close(1000).bytes + [0x81, 0x02])?.kind == .endedWithinFrame)
        #expect(end([])?.closeCode == nil && end([])?.section == "RFC 6455 §7.1.5")
    }

    @Test func `a violation has the code that answers it`() {
        func code(_ frames: [WebSocketFrame]) -> CloseCode? {
            Verifier(role: .client, limits: LimitRows.small).events(of: frames.flatMap(\.bytes)).violations.first?
                .closeCode
        }
        #expect(code([.more("a")]) == .protocolError && code([.text(bytes: [0xFF])]) == .invalidPayload)
        #expect(code([.text("123456789")]) == .messageTooBig && code([.close(1000), .text("a")]) == nil)
        #expect(code([.close(5000)]) == nil && code([.close(1005)]) == .protocolError)
    }

    @Test func `a bomb costs no more than its bound`() throws {
        var reader = WebSocketReader(role: .client, limits: LimitRows.small, compression: DeflateDirection())
        let bomb = CompressionRows.rows.first { $0.name.hasPrefix("9 a bomb") }?.frames.first?.bytes ?? []
        var largest = 0
        var position = 0
        while let event = reader.next(bomb.span, at: &position) {
            if case .content(let bytes) = event { largest = max(largest, bytes.count) }
        }
        #expect(bomb.count > 1_000 && largest <= LimitRows.small.messageByteCount)
    }
}
