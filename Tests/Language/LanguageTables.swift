@testable internal import ProctorAWS4
@testable internal import ProctorArchives
@testable internal import ProctorBearer
@testable internal import ProctorDescriptions
@testable internal import ProctorEventStreams
@testable internal import ProctorFixtures
@testable internal import ProctorFrames
@testable internal import ProctorGRPC
@testable internal import ProctorNameServer
@testable internal import ProctorNegotiation
@testable internal import ProctorSOCKSProxy
@testable internal import ProctorWebSocketServing
@testable internal import ProctorWebhooks

/// The mappings of the language by their structs of keys, as the readers have them.
struct LanguageTables {
    /// The struct of the keys.
    let keys: String
    let rows: [Row]
    /// The name of its table in Docs/format; nil: it has none of its own.
    let page: String?

    private init<Keys: Sendable>(_ keys: @autoclosure () -> Keys, as page: String? = nil, named name: String? = nil) {
        self.keys = name ?? String(describing: Keys.self)
        self.page = page
        rows = Table("", keys()).rows
    }

    static func hasKeys(_ name: String) -> Bool { byName[name] != nil }

    static func rows(of keys: String) -> [Row] {
        guard let table = byName[keys] else { preconditionFailure("there is no struct of keys '\(keys)'") }
        return table.rows
    }

    /// The tables of Docs/format that have all keys of a mapping, and that of the effect that waits for an event.
    static let pages: [(name: String, rows: [Row])] =
        all.compactMap { table in table.page.map { ($0, table.rows) } } + [
            (
                "sync point",
                rows(of: "MappedEffectKeys").filter { ["await", "task", "count", "within"].contains($0.name) }
            )
        ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.keys, $0) })

    private static let all = ofExchanges + ofBodies + ofWires + ofGuards + ofClients + ofModules

    private static let ofExchanges: [LanguageTables] = [
        .init(ScenarioReader.Keys(), as: "scenario"), .init(RequestKeys(), as: "request"), .init(PathKeys()),
        .init(RequestConditionKeys()), .init(PartPatternKeys(), as: "part of a request"),
        .init(ConditionKeys(), as: "condition"), .init(JSONWordKeys(), as: "json"), .init(ContentKeys(), as: "content"),
        .init(SecurityConditionKeys(), as: "condition on tls"), .init(ExchangeKeys(), as: "exchange"),
        .init(TimesKeys()), .init(TurnsKeys()), .init(CatchKeys()), .init(PortionKeys()), .init(StateAddKeys()),
        .init(CaseKeys(), as: "case"), .init(CookieKeys()), .init(FactKeys()),
        .init(ToleranceKeys(), as: "tolerances"), .init(ReplyKeys(), as: "reply"), .init(InterimKeys()),
        .init(PaceKeys(), as: "pace"), .init(TunnelKeys(), as: "tunnel"),
    ]

    private static let ofBodies: [LanguageTables] = [
        .init(ChunkKeys(), as: "chunks"), .init(SliceKeys()), .init(CodingKeys(), as: "coding"), .init(GzipKeys()),
        .init(DeflateKeys()), .init(BrotliKeys()), .init(ZstdKeys()), .init(IdentityKeys()),
        .init(MultipartKeys(), as: "multipart"), .init(PartKeys()), .init(MadeBodyKeys(), as: "made body"),
        .init(OpaqueStepKeys(), as: "opaque"), .init(ByteKeys(), as: "bytes"), .init(MacBinaryKeys(), as: "archive"),
        .init(BinHexKeys()),
    ]

    private static let ofWires: [LanguageTables] = [
        .init(OriginKeys(), as: "origin"), .init(LimitKeys(), as: "limits"), .init(TLSKeys(), as: "tls"),
        .init(ForcedProtocolKeys()), .init(GivenCertificateKeys()), .init(ReplyEffectKeys(), as: "effect"),
        .init(ConnectionEffectKeys(), as: "connection effect"), .init(InlineEffectKeys()), .init(MappedEffectKeys()),
        .init(FrameKeys(), as: "frame"), .init(SettingKeys(), as: "settings"), .init(PushKeys(), as: "push"),
        .init(HTTP2Keys(), as: "h2"), .init(HTTP3Keys(), as: "h3"), .init(HTTP3SettingKeys(), as: "http3-settings"),
        .init(StreamBytesKeys(), as: "stream"),
    ]

    private static let ofGuards: [LanguageTables] = [
        .init(GuardKeys(), as: "guard"), .init(GuardEndKeys()), .init(TokenKeys()), .init(BasicKeys()),
        .init(BearerKeys()), .init(DigestKeys(), as: "digest"), .init(NonceKeys()), .init(NTLMKeys(), as: "ntlm"),
        .init(NegotiateKeys(), as: "negotiate"), .init(MessageKeys("the scheme"), as: "messages"),
        .init(AWS4Keys(), as: "aws4"), .init(MessageKeys("NTLM"), named: "NTLMMessageKeys"),
        .init(MessageKeys("Negotiate"), named: "NegotiateMessageKeys"),
    ]

    private static let ofClients: [LanguageTables] = [
        .init(ClientKeys(), as: "client"), .init(VerbatimKeys()), .init(ConversationActKeys(), as: "conversation"),
        .init(ByteActKeys(), as: "bytes-acts"),
        .init(MomentKeys(), as: "moment"), .init(ScheduleKeys(), as: "schedule"),
        .init(FetchOptionsKeys(), as: "fetch"), .init(DownloadFileKeys(), as: "download file"),
        .init(SessionKeys(), as: "session"), .init(ProtocolClassKeys(), as: "protocol class"),
        .init(ProtocolCallKeys()), .init(ActByHandKeys()), .init(RedirectAnswerKeys()), .init(ChangeKeys()),
        .init(WillCacheAnswerKeys()), .init(CachedChangeKeys()), .init(ChallengeAnswerKeys()), .init(CredentialKeys()),
    ]

    private static let ofModules: [LanguageTables] = [
        .init(ServiceKeys(), as: "expect"), .init(SOCKSKeys(), as: "socks"), .init(SOCKSReplyKeys(), as: "socks-reply"),
        .init(DNSKeys(), as: "dns"), .init(DNSServiceKeys(), as: "https"), .init(WebhookKeys()), .init(SigningKeys()),
        .init(EventStreamKeys(), as: "event stream"), .init(StreamItemKeys(), as: "event"),
        .init(DescriptorKeys(), as: "grpc"), .init(CallKeys(), as: "call"), .init(CallStepKeys(), as: "call step"),
        .init(CallStatusKeys(), as: "call status"),
        .init(WebSocketKeys(), as: "websocket"), .init(DeflateWishKeys(), as: "websocket deflate"),
        .init(WebSocketTurnKeys(), as: "websocket turn"), .init(WebSocketFrameKeys(), as: "websocket frame"),
        .init(WebSocketExpectationKeys(), as: "websocket expectation"),
    ]
}
