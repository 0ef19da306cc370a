/// One act of a scripted URLProtocol: what it tells its client, or how it waits.
public struct ProtocolCall: Sendable, Equatable {
    /// What it does.
    public let act: Act
    /// On a thread that is not the client thread (R48).
    public let isOnOtherThread: Bool

    /// What a scripted URLProtocol can do.
    public enum Act: Sendable, Equatable {
        /// With a status from 300 to 399.
        case redirect(status: Int, target: Template)
        /// A head with nothing but a content type in it, and what a cache may do with it; nil: not said.
        case response(status: Int, mime: String?, storage: Storage?)
        case data(String)
        case finish
        case fail(domain: String, code: Int)
        case challenge(kind: String)
        case cancelChallenge
        case cachedResponseIsValid
        /// Lets the run loop run that long.
        case wait(Duration)
        /// Keeps the thread that long without its run loop.
        case block(Duration)
        case awaitAnswer
        case awaitStop
    }

    /// What a protocol says of storing its response, which is `not-allowed` where it says nothing.
    public enum Storage: String, Sendable, CaseIterable {
        case allowed, memory
        case notAllowed = "not-allowed"
    }

    /// An act as it is.
    public init(_ act: Act, isOnOtherThread: Bool = false) {
        self.act = act
        self.isOnOtherThread = isOnOtherThread
    }
}
