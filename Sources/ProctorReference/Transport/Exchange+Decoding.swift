internal import ProctorCoding
internal import ProctorHTTP

/// Between framing and host: what of the content is coded is decoded, as fast as the host takes it and no faster.
extension Exchange {
    func beginDecoding(of head: ReplyHead) throws(ExchangeEnd) {
        guard head.framing != .none else { return }
        let codings = ReplyCodings(of: head)
        guard !codings.isEmpty else { return }
        do throws(CodingFailure) {
            decoding = try ContentDecoding(codings.content + codings.transfer)
        } catch {
            throw failure(of: error)
        }
    }

    /// Content that has arrived; nil: more has to be read first.
    func nextPiece() throws(ExchangeEnd) -> [UInt8]? {
        guard let decoding else { return arrival.hasContent ? arrival.takeContent() : nil }
        do throws(CodingFailure) {
            while true {
                if let piece = try decoding.next() { return piece }
                guard arrival.hasContent else { return nil }
                decoding.take(arrival.takeContent())
            }
        } catch {
            throw failure(of: error)
        }
    }

    /// The reply is whole; its coded content has to be, too.
    func finishDecoding() throws(ExchangeEnd) {
        do throws(CodingFailure) {
            try decoding?.finish()
        } catch {
            throw failure(of: error)
        }
    }
}
