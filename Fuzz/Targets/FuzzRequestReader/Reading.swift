import FuzzReading
import ProctorHTTP

/// Feeds the pieces to a reader of requests.
func events(of pieces: [[UInt8]], limits: RequestLimits, endsWithFIN: Bool) -> [Seen<RequestHead>] {
    var reader = RequestReader(RequestRules(limits))
    return pieces.events(
        next: { reader.next($0, at: &$1).map(given) }, end: { reader.finish().map(given) }, endsWithFIN: endsWithFIN)
}

private func given(_ event: RequestEvent) -> Given<RequestHead> {
    switch event {
    case .head(let head): .other(.head(head))
    case .content(let range): .content(range)
    case .chunk(let byteCount, let extensions): .other(.chunk(byteCount: byteCount, extensions: extensions))
    case .trailers(let fields): .other(.trailers(fields))
    case .violation(let violation): .other(.violation(violation))
    case .end: .other(.end)
    case .refused(let violation): .other(.refused(violation))
    }
}
