import ProctorHTTP

@testable import ProctorJournal

/// What a journal can say of TLS, with and without everything that may be left out, and with what a peer may put in.
enum TLSNoteSamples {
    static let hello = ClientHelloNote(
        versions: ["1.3", "1.2"], cipherSuites: ["TLS_AES_128_GCM_SHA256", "0xC0FF", "GREASE"],
        serverName: "expired.proctor.test", applicationProtocols: ["h2", "http/1.1"],
        extensions: ["server_name", "GREASE"], groups: ["x25519"], byteCount: 517)

    static let emptyHello = ClientHelloNote(
        versions: [], cipherSuites: [], serverName: nil, applicationProtocols: [], extensions: [], groups: [],
        byteCount: 0)

    static let oddHello = ClientHelloNote(
        versions: ["\"\\"], cipherSuites: ["\u{1B}[2J"], serverName: "Jäsøn\n\u{2028}\u{0}",
        applicationProtocols: ["", "\u{7F}"], extensions: ["ü"], groups: ["\u{FEFF}"], byteCount: 1 << 40)

    static let handshake = HandshakeNote(
        version: "1.3", cipherSuite: "TLS_AES_128_GCM_SHA256", group: "x25519", applicationProtocol: "http/1.1",
        serverName: "localhost", isResumed: false, certificate: "valid", clientCertificate: "alice")

    static let resumed = HandshakeNote(
        version: "1.2", cipherSuite: "TLS_RSA_WITH_AES_128_CBC_SHA", isResumed: true, certificate: "rsa512")

    static let alert = AlertNote(by: .client, isFatal: true, number: 48, name: "unknown_ca")

    static let events: [JournalEvent] = [
        .clientHello(hello), .clientHello(emptyHello), .clientHello(oddHello), .secured(handshake), .secured(resumed),
        .handshakeFailed(moment: "certificate", reason: "the client sent alert 48 (unknown_ca)"),
        .handshakeFailed(moment: "", reason: "\u{1B}\"ü\n"), .alert(alert),
        .alert(AlertNote(by: .server, isFatal: false, number: 0, name: "close_notify")),
        .alert(AlertNote(by: .server, isFatal: true, number: .max, name: "alert 255")),
    ]
}

/// Entries about names, proxies and cookies, with everything that can stand in them.
enum CookieNoteSamples {
    static let notes = [
        SetCookieNote(field: Array("a=1; Path=/a".utf8), outcome: .stored, revisedOutcome: nil, remarks: []),
        SetCookieNote(
            field: [0x62, 0x3D, 0xFF], outcome: .replaced, revisedOutcome: .ignored,
            remarks: [#"a "remark""#, "another"]),
    ]

    static let verdict = CookieVerdict(
        sent: [Array("a=2".utf8), [0xFF]], expected: Array("a=1".utf8), conformsTo: [],
        differences: [
            CookieDifference(.wrongValue, Array("a".utf8), sentence: #"it is "2""#, section: "RFC 6265 §5.4"),
            CookieDifference(.severalFields, [], sentence: "two fields", section: "RFC 6265 §5.4"),
            CookieDifference(.unknown, [0xFE], sentence: "no reply set it", section: "RFC 6265 §5.4"),
        ])

    static let silent = CookieVerdict(sent: [], expected: nil, conformsTo: [.rfc6265, .rfc6265bis], differences: [])

    static let odd = CookieVerdict(sent: [], expected: [0xFF], conformsTo: [.rfc6265bis], differences: [])

    static let open = CookieVerdict(
        sent: [], expected: Array("a=1".utf8), conformsTo: [.rfc6265], differences: [], undecidedCount: 2)

    static let torn = CookieVerdict(
        sent: [Array("a=1".utf8)], expected: Array("a=1".utf8), conformsTo: [.rfc6265], differences: [],
        otherwise: CookieReading(
            .rfc6265bis, expected: [0xFF],
            differences: [CookieDifference(.refused, Array("a".utf8), sentence: "no", section: "RFC 6265bis §5.6")]))

    static let events: [JournalEvent] = [
        .routed(origin: "main", by: .host), .routed(origin: "main", by: .absolute), .routed(origin: "s", by: .tunnel),
        .tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 12), .cookiesSet(notes),
        .cookiesSet([]), .cookiesJudged(verdict), .cookiesJudged(silent), .cookiesJudged(odd), .cookiesJudged(open),
        .cookiesJudged(torn),
    ]
}
