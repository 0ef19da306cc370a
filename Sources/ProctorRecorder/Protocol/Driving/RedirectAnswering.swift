#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A URLProtocol that wants to know when its redirect is refused.
///
/// Foundation's URLProtocol has no call for that: a loading system of Apple's follows by itself and stops the object. One
/// that can refuse, as a ``ProtocolDriver`` does, has to say so; a class that does not conform just goes on (R51).
public protocol RedirectAnswering: URLProtocol {
    /// The redirect that the object told of last is not followed: it may deliver that response itself (R5).
    ///
    /// Called on the client thread, at most once for a redirect, after the call that told of it has returned.
    func redirectRefused()
}
