import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// Journal lines about TLS: written, read back, and refused where they say what cannot be.
struct JournalTLSTests {
    private static func line(_ members: String) -> [UInt8] { Array(#"{"seq":1,"ns":2,\#(members)}"#.utf8) }

    private static func text(_ events: [JournalEvent]) -> String {
        let entries = events.enumerated().map { index, event in
            JournalEntry(sequence: UInt64(index + 1), nanoseconds: 9, connection: 0, request: nil, event: event)
        }
        return String(decoding: JournalEncoder().lines(entries), as: UTF8.self)
    }

    @Test func `every event has its golden line`() {
        let head = #"{"seq":7,"ns":81230,"connection":2,"ev":"#
        let rows: [(JournalEvent, String)] = [
            (
                .clientHello(TLSNoteSamples.hello),
                #""clientHello","versions":["1.3","1.2"],"cipherSuites":["TLS_AES_128_GCM_SHA256","0xC0FF","GREASE"],"#
                    + #""serverName":"expired.proctor.test","applicationProtocols":["h2","http/1.1"],"#
                    + #""extensions":["server_name","GREASE"],"groups":["x25519"],"byteCount":517}"#
            ),
            (
                .secured(TLSNoteSamples.handshake),
                #""secured","version":"1.3","cipherSuite":"TLS_AES_128_GCM_SHA256","group":"x25519","#
                    + #""applicationProtocol":"http/1.1","serverName":"localhost","isResumed":false,"#
                    + #""certificate":"valid","clientCertificate":"alice"}"#
            ),
            (
                .secured(TLSNoteSamples.resumed),
                #""secured","version":"1.2","cipherSuite":"TLS_RSA_WITH_AES_128_CBC_SHA","isResumed":true,"#
                    + #""certificate":"rsa512"}"#
            ),
            (
                .handshakeFailed(moment: "certificate", reason: "the client left"),
                #""handshakeFailed","moment":"certificate","reason":"the client left"}"#
            ),
            (.alert(TLSNoteSamples.alert), #""alert","by":"client","isFatal":true,"number":48,"name":"unknown_ca"}"#),
        ]
        for (event, rest) in rows { #expect(JournalEncoderTests.line(event) == head + rest + "\n") }
    }

    @Test func `every event comes back as it was`() throws {
        let read = try JournalLines(Array(Self.text(TLSNoteSamples.events).utf8), file: "j")
        #expect(read.unknownCount == 0 && read.entries.count == TLSNoteSamples.events.count)
        #expect(Self.text(read.entries.map(\.event)) == Self.text(TLSNoteSamples.events))
        guard case .clientHello(let hello) = read.entries[2].event, case .secured(let resumed) = read.entries[4].event
        else {
            Issue.record("\(read.entries)")
            return
        }
        #expect(hello == TLSNoteSamples.oddHello)
        #expect(resumed == TLSNoteSamples.resumed)
    }

    @Test func `keys of later versions are passed over`() throws {
        let line = #""ev":"alert","by":"client","isFatal":true,"number":48,"name":"x","level":[2,{"a":1}]"#
        #expect(try JournalLines(Self.line(line), file: "j").entries.count == 1)
    }

    @Test(arguments: [
        (#""ev":"clientHello""#, "an entry needs the key 'versions'"),
        (
            #""ev":"clientHello","versions":[1],"cipherSuites":[],"applicationProtocols":[],"extensions":[],"groups":[],"byteCount":1"#,
            "'versions' is a list of texts"
        ), (#""ev":"secured","version":"1.3","cipherSuite":"x""#, "an entry needs the key 'isResumed'"),
        (
            #""ev":"secured","version":"1.3","cipherSuite":"x","isResumed":1,"certificate":"valid""#,
            "'isResumed' is true or false"
        ),
        (
            #""ev":"secured","version":"1.3","cipherSuite":"x","isResumed":true,"certificate":"valid","group":4"#,
            "'group' is a text"
        ), (#""ev":"handshakeFailed","moment":"end""#, "an entry needs the key 'reason'"),
        (#""ev":"alert","by":"nobody","isFatal":true,"number":4,"name":"x""#, "'by' is no 'nobody'"),
        (
            #""ev":"alert","by":"client","isFatal":true,"number":256,"name":"x""#,
            "'number' of an alert is a whole number from 0 to 255"
        ),
        (
            #""ev":"alert","by":"client","isFatal":true,"number":-1,"name":"x""#,
            "'number' is a whole number from 0 to 9007199254740992"
        ),
    ]) func `an impossible value is refused with its place`(_ members: String, _ sentence: String) {
        #expect { try JournalLines(Self.line(members), file: "j") } throws: { error in
            (error as? TraceReadingError)?.sentence == sentence
        }
    }
}
