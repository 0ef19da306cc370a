internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A user's own delegate, which gives the answers and must not notice that it is watched.
struct UserDelegate: Sendable {
    typealias ChallengeHandler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    let object: any URLSessionDelegate

    init(_ object: any URLSessionDelegate) { self.object = object }
}
