import ProctorExam
import ProctorGrading
import ProctorHTTP
import ProctorReferenceAdapter
import ProctorScenario
import ProctorTestSupport
import Testing

/// A guard catches who sends credentials wrongly, and names the part; the next request shows who keeps cookies wrongly; no
/// callback rule does.
@Suite(.serialized, .limit(minutes: 10))
struct BrokenWireTests {
    struct Proof: Sendable, CustomTestStringConvertible {
        let label: String
        /// `SCENARIO#CASE`, of the library or of ``OwnScenario``.
        let id: String
        var testDescription: String { "\(label) in \(id)" }

        init(_ label: String, _ id: String) {
            self.label = label
            self.id = id
        }

        static let all: [Proof] = [
            Proof("nonce-count-stays", "own/credentials#counted"),
            Proof("nonce-count-in-two-digits", "own/credentials#digest"),
            Proof("nonce-count-in-quotes", "own/credentials#digest"),
            Proof("no-cnonce", "own/credentials#digest"),
            Proof("no-realm", "own/credentials#digest"),
            Proof("uri-without-query", "own/credentials#digest"),
            Proof("opaque-not-returned", "own/credentials#digest"),
            Proof("response-of-zeros", "own/credentials#digest"),
            Proof("stale-is-asked-about", "own/credentials#stale"),
            Proof("basic-without-padding", "own/credentials#basic"),
            Proof("basic-in-the-clear", "own/credentials#basic"),
            Proof("bearer-under-another-name", "own/credentials#bearer"),
            Proof("credential-sent-twice", "own/credentials#basic"),
            Proof("ntlm-proof-of-zeros", "auth/ntlm/every-answer#use"),
            Proof("ntlm-version-1", "auth/ntlm/every-answer#use"),
            Proof("ntlm-mic-of-zeros", "auth/ntlm/challenge-with-a-time#mic"),
            Proof("ntlm-reserved-flag", "auth/ntlm/every-answer#use"),
            Proof("ntlm-on-another-connection", "auth/ntlm/every-answer#use"),
            Proof("negotiate-proof-of-zeros", "auth/negotiate/stub-in-three-legs#use"),
            Proof("negotiate-mic-of-zeros", "auth/negotiate/stub-as-second-choice#two-legs"),
            Proof("negotiate-kerberos-alone", "auth/negotiate/every-answer#use"),
            Proof("negotiate-cut-token", "auth/negotiate/every-answer#use"),
            Proof("negotiate-on-another-connection", "auth/negotiate/stub-in-three-legs#use"),
            Proof("negotiate-any-server", "auth/negotiate/server-proves-nothing#wrong"),
            Proof("credential-follows-the-redirect", "own/origins#across"),
            Proof("proxy-credential-to-the-origin", "own/proxy#both"),
            Proof("proxy-credential-in-the-other-field", "own/proxy#both"),
            Proof("every-server-is-trusted", "tls/cert/expired#default"),
            Proof("no-client-certificate", "tls/client/required#identity"),
            Proof("old-tls-alone", "tls/cert/valid#default"),
            Proof("no-session-is-resumed", "own/handshake#resumed"),
            Proof("origin-credential-in-connect", "proxy/connect-tells-nothing-of-the-request#fields-of-the-caller"),
            Proof("proxy-credential-in-the-tunnel", "proxy/connect-asked-for-basic#use"),
            Proof("origin-form-to-the-proxy", "proxy/get-in-absolute-form#get"),
            Proof("tunnel-of-another-origin", "proxy/tunnels-are-for-one-origin#two-hosts"),
            Proof("refused-tunnel-is-the-reply", "proxy/connect-answered-401#get"),
            Proof("connect-without-port", "proxy/host-of-connect#either"),
            Proof("proxy-connection", "proxy/proxy-connection-is-not-sent#plain"),
            Proof("holds-dead-connections", "fault/failed-load-is-given-up#broken-length"),
            Proof("cookies-end-at-a-redirect", "own/cookies#redirect"),
            Proof("cookies-of-a-whole-site", "own/cookie-hosts#sibling"),
            Proof("cookies-live-for-ever", "own/cookies#deleted"),
            Proof("secure-cookies-in-the-clear", "tls/redirect/secure-cookie-stays-secure#https-then-http"),
            Proof("cookies-to-every-path", "own/cookies#path"),
            Proof("cookies-last-first", "own/cookies#order"),
            Proof("set-cookie-joined-by-commas", "own/cookies#order"),
            Proof("one-field-for-each-cookie", "cookie/several-fields#joined"),
            Proof("cookies-of-success-alone", "own/cookies#not-found"),
            Proof("rewriting-told-as-a-redirect", "canonical/empty-path#get"),
            Proof("sends-the-stream-once", "protocol/body-again#wrong-then-right"),
            Proof("cleans-up-in-deinit", "protocol/let-go#connection-goes-at-the-stop"),
            Proof("allows-to-store-everything", "protocol/storage#reply-says-no-store"),
            Proof("classes-asked-backwards", "protocol/order#both-accept"),
            Proof("fields-last-line-wins", "plain/header-lines-repeated#joined"),
            Proof("field-names-matter", "plain/header-of-the-reply#in-any-case"),
            Proof("charset-is-forgotten", "plain/type-with-charset#encoding"),
            Proof("change-is-forgotten", "cache/caller-changes-it#data"),
            Proof("reload-says-nothing", "cache/reload-tells-caches-on-the-way#reload-all"),
            Proof("fresh-is-never-asked", "cache/revalidate-asks-in-any-case#confirmed"),
            Proof("head-is-ignored", "cache/head-refreshes#same-validator"),
            Proof("notes-are-forgotten", "cache/caller-adds-notes#found-again"),
            Proof("deleted-by-hand-stays", "cookie/deleted-by-hand#one"),
            Proof("stops-without-the-method", "redirect/without-the-method#data"),
            Proof("says-nothing-of-a-rewriting", "canonical/told-before-it-is-sent#slash"),
            Proof("announces-another-url", "canonical/told-before-it-is-sent#slash"),
            Proof("storage-against-its-will", "auth/basic/old-questions#no-storage"),
            Proof("file-of-a-failure-stays", "download/left-after-a-failure#deleted"),
            Proof("file-is-overwritten", "download/place#without-overwriting"),
            Proof("decoded-file-is-resumed", "download/left-after-a-failure#decoded"),
            Proof("no-resume-data", "download/left-after-a-failure#kept"),
            Proof("temporary-file-stays", "download/newsstand#file-of-the-callback"),
            Proof("starts-when-made", "shape/schedule#not-before-its-start"),
            Proof("collects-the-stream-first", "upload/written-piece-by-piece#sent-while-it-is-written"),
            Proof("one-task-at-a-time", "session/several-at-once#three"),
            Proof("more-connections-than-allowed", "session/connections-per-host#two"),
            Proof("data-of-another-task", "session/several-at-once#bodies-do-not-mix"),
            Proof("one-error-for-all", "session/several-at-once#one-fails"),
            Proof("form-values-unescaped", "upload/form-of-values#ampersand-puts-no-field"),
            Proof("query-values-unescaped", "url/query-of-values#ampersand-puts-no-parameter"),
            Proof("decodes-into-the-wrong-fork", "coding/decoded-on-disk#macbinary"),
            Proof("decodes-what-it-may-not", "coding/decoded-on-disk#left"),
            Proof("sse-no-last-event-id", "sse/ends-by-the-last-chunk#again"),
            Proof("sse-retries-failures", "sse/500-ends-it#again"),
            Proof("sse-reads-any-type", "sse/type-is-text#again"),
            Proof("sse-ignores-retry", "sse/retry#again"),
            Proof("sse-counts-open-events", "sse/event-without-an-end#again"),
            Proof("sse-loses-types", "sse/event-name-is-of-its-event#again"),
            Proof("sse-loses-ids", "sse/number-stays#reads"),
            Proof("sse-joins-data", "sse/every-byte-by-itself#again"),
            Proof("ws-constant-key", "ws/open/key-is-new-each-time#two"),
            Proof("ws-other-version", "ws/http/401-without-an-answer#none"),
            Proof("ws-takes-any-accept", "ws/refused/accept-in-hexadecimal#refused"),
            Proof("ws-takes-any-upgrade", "ws/refused/connection-without-upgrade#refused"),
            Proof("ws-takes-any-protocol", "ws/refused/protocol-nobody-asked-for#refused"),
            Proof("ws-takes-any-extension", "ws/refused/extension-nobody-asked-for#refused"),
            Proof("ws-opens-early", "ws/refused/accept-in-hexadecimal#refused"),
            Proof("ws-connects-unasked", "ws/http2/not-permitted#open"),
            Proof("ws-no-mask", "ws/close/messages-that-came-before#close"),
            Proof("ws-constant-mask", "ws/frame/masks-are-fresh#keys"),
            Proof("ws-long-lengths", "ws/close/messages-that-came-before#close"),
            Proof("ws-splits-messages", "ws/http/over-tls#tls"),
            Proof("ws-no-pong", "ws/pings/behind-the-clients-close#answer"),
            Proof("ws-empty-pong", "ws/pings/behind-the-clients-close#answer"),
            Proof("ws-no-close-reply", "ws/close/1000#close"),
            Proof("ws-sends-after-close", "ws/pings/behind-the-clients-close#answer"),
            Proof("ws-no-close", "ws/close/by-the-client#close"),
            Proof("ws-fails-silently", "ws/deflate/bit-in-a-continuation#code"),
            Proof("ws-takes-reserved-bits", "ws/deflate/bit-without-agreement#code"),
            Proof("ws-takes-unknown-opcodes", "ws/frame/opcode-11#fails"),
            Proof("ws-takes-masked-frames", "ws/frame/masked-ping#fails"),
            Proof("ws-takes-invalid-text", "ws/utf-8/above-the-end#fails"),
            Proof("ws-takes-long-control-frames", "ws/frame/ping-of-126-bytes#code"),
            Proof("ws-takes-fragmented-control-frames", "ws/frame/ping-in-fragments#code"),
            Proof("ws-takes-stray-continuations", "ws/fragmented/continuation-of-nothing#code"),
            Proof("ws-takes-any-close-code", "ws/close/of-one-byte#close"),
            Proof("ws-takes-any-length", "ws/frame/length-in-16-bits#code"),
            Proof("ws-delivers-fragments", "ws/fragmented/all-empty#receive"),
            Proof("ws-never-inflates", "ws/deflate/binary#inflate"),
            Proof("ws-forgets-kind", "ws/deflate/bit-in-a-continuation#fails"),
            Proof("ws-delivers-after-close", "ws/close/messages-behind-it#close"),
            Proof("ws-takes-any-end", "ws/lost/between-messages#lost"),
            Proof("socks-code-ignored", "proxy/socks/old-is-rejected#identd-differs"),
            Proof("socks-unacceptable-ignored", "proxy/socks/no-method-is-acceptable#closes"),
            Proof("socks-refusal-ignored", "proxy/socks/login-is-refused-with-255#no-tunnel"),
            Proof("socks-no-password", "proxy/socks/password#wrong"),
            Proof("socks-looks-up", "proxy/socks/certificate-of-nobody#refused"),
            Proof("socks-sends-names", "proxy/socks/name-looked-up-by-the-client#socks5"),
            Proof("socks-forgets-user", "proxy/socks/old-user-is-refused#another"),
            Proof("socks-reserved", "proxy/socks/certificate-of-nobody#refused"),
            Proof("socks-login-version", "proxy/socks/password#wrong"),
            Proof("socks-goes-straight", "proxy/socks/no-method-is-acceptable#closes"),
            Proof("address-first-alone", "addresses/first-is-refused#get"),
            Proof("address-one-after-the-other", "own/addresses#silent"),
            Proof("address-one-family-first", "own/addresses#families"),
            Proof("address-ipv4-first", "own/asked#ipv6"),
            Proof("address-waits-for-all", "own/asked#late"),
            Proof("dns-any-id", "addresses/dns/reply-with-another-id#get"),
            Proof("dns-any-question", "addresses/dns/reply-to-another-name#get"),
            Proof("dns-any-sender", "addresses/dns/reply-from-another-port#get"),
            Proof("dns-truncated", "addresses/dns/truncated#get"),
            Proof("dns-asks-once", "addresses/dns/first-question-is-lost#get"),
            Proof("dns-no-aliases", "addresses/dns/alias#get"),
            Proof("https-record-last", "addresses/https-record/least-number-is-preferred#get"),
            Proof("https-record-port", "addresses/https-record/port#get"),
            Proof("https-record-mandatory", "addresses/https-record/unknown-mandatory-key#get"),
            Proof("pac-goes-directly", "proxy/pac/one-proxy#get"),
            Proof("pac-last-way-first", "proxy/pac/several-the-first-answers#get"),
            Proof("pac-first-way-alone", "proxy/pac/several-the-first-is-gone#next-proxy"),
        ]
    }

    @Test func `every variant has its proof`() {
        let here = Breakage.wire.map(\.label).filter { label in
            !BrokenStorageTests.proofs.contains { $0.label == label }
        }
        #expect(here == Proof.all.map(\.label))
        #expect(Set(Breakage.wire.map(\.label)).count == Breakage.wire.count)
        #expect(Set(Breakage.wire.map(\.name)).count == Breakage.wire.count)
    }

    /// Each case once in each shape.
    private static let sittings = Dictionary(
        Breakage.wire.flatMap { variant in
            Proof.all.filter { $0.label == variant.label }.map { ("\($0.id) \(variant.shape)", ($0.id, variant.shape)) }
        }, uniquingKeysWith: { first, _ in first }
    ).sorted { $0.key < $1.key }.map(\.value)

    @Test(arguments: Extent.of(sittings, stride: 4)) func `the whole client passes the case`(
        id: String, shape: ReferenceShape
    ) async throws {
        let (verdict, timeline) = try await Self.sit(id, as: shape, breaking: nil)
        #expect(verdict.outcome == .pass, "\(verdict)\n\(timeline)")
    }

    @Test(arguments: Extent.of(Proof.all, stride: 4)) func `the broken client is refused, and the fault is named`(
        proof: Proof
    ) async throws {
        let variant = try #require(Breakage.wire.first { $0.label == proof.label })
        let (verdict, timeline) = try await Self.sit(proof.id, as: variant.shape, breaking: variant)
        let said: Comment = "\(variant.name): \(verdict)\n\(timeline)"
        #expect(verdict.outcome == .fail, said)
        #expect(verdict.brokenRules == [], said)
        if let fault = variant.fault {
            let naming = verdict.findings.filter { $0.weight == .failure && "\($0)".contains(fault.rawValue) }
            #expect(!naming.isEmpty, said)
        }
    }

    private static func sit(
        _ id: String, as shape: ReferenceShape, breaking breakage: Breakage?
    ) async throws -> (verdict: CaseVerdict, timeline: Timeline) {
        let exam = try await id.hasPrefix("own/") ? OwnScenario.exam.value : ExamServer.shared.value
        let entries = exam.scenarios.flatMap { scenario in
            scenario.sittings.map { ExamEntry(scenario: scenario, item: $0) }
        }
        let entry = try #require(entries.first { "\($0.id)" == id }, "there is no case \(id)")
        return try await exam.sit(entry, as: shape, breaking: breakage)
    }
}
