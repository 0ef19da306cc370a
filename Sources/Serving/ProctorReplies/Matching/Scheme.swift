package import ProctorHTTP
package import ProctorScenario

/// The scheme of a connection's URLs; ProctorHTTP has another type `Origin`.
package typealias Scheme = ProctorScenario.Origin.Scheme

extension Scheme {
    /// Nil for other schemes than `http` and `https`; `bytes` are those that the target was found in.
    package init?(of target: AbsoluteTarget, in bytes: Span<UInt8>) {
        let name = bytes.extracting(target.scheme)
        if name.equalsIgnoringCase("http") {
            self = .http
        } else if name.equalsIgnoringCase("https") {
            self = .https
        } else {
            return nil
        }
    }
}
