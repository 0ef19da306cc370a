internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// The content of a request as a script reads it: what was read before it ran, then what comes.
struct ContentPieces<Carrier: Wire> {
    private let request: StageRequest<Carrier>
    private let sendsContinue: Bool
    /// Bytes that the script has.
    private var position = 0

    init(of request: StageRequest<Carrier>, _ part: PlayedPart, for head: RequestHead) {
        self.request = request
        let exchange = request.stage.compiled.exchanges[part.exchange].exchange
        sendsContinue = head.expectsContinue && exchange.expectation == .continue
    }

    /// At most `limit` further bytes as they come; nothing at the end.
    ///
    /// After the reply has begun, malformed content ends the connection without a refusal.
    mutating func next(upTo limit: Int, isAnswered: Bool) async throws(ConnectionEnd) -> StepResult {
        let piece = try await piece(upTo: limit, isAnswered: isAnswered)
        position += piece.count
        return piece.isEmpty ? .nothing : .bytes(piece)
    }

    private func piece(upTo limit: Int, isAnswered: Bool) async throws(ConnectionEnd) -> [UInt8] {
        let input = request.input
        if input.request.contentByteCount > position {
            let kept = input.request.keptContent
            guard kept.count > position else {
                throw .unanswerable(
                    "the script reads content of which only the first \(kept.count) bytes were kept; with reads: none it "
                        + "gets all of it as it comes")
            }
            return Array(kept[position..<min(position + limit, kept.count)])
        }
        guard input.request.hasUnreadContent else { return [] }
        if sendsContinue, !input.request.wasContinued { try await request.content.sendContinue() }
        input.request.piece = []
        defer { input.request.piece = nil }
        try await request.content.receive(.some(after: position, upTo: limit), isAnswered: isAnswered)
        return input.request.piece ?? []
    }
}

extension StepResult {
    /// The effect as the journal has it: `read 5 bytes`.
    var played: PlayedEffect {
        let details = if case .bytes(let bytes) = self { "\(bytes.count) bytes" } else { "the end" }
        return PlayedEffect(.read, details, at: "script")
    }
}
