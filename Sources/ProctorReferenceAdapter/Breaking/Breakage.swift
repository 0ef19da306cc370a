package import ProctorRecorder
package import ProctorReference

/// One way in which the client is broken on purpose: what stands in the way of what it should do.
///
/// Each hook makes a filter for one load or one delegate; nil leaves that part as it is.
public struct Breakage: Sendable {
    /// What `--break` calls it and the header of its trace names: `R12`, or a word like `nonce-count-stays`.
    public let label: String
    /// What it does wrong, in a few words.
    public let name: String
    /// As which API it does it; in others it may do nothing wrong.
    public let shape: ReferenceShape
    /// Between the loader and its surroundings, in every shape.
    package var makeActionFilter: (@Sendable () -> any ActionFilter)?
    /// Before the delegate, handler or client of each shape.
    private var callFilters: [ReferenceShape: @Sendable () -> any CallFilter] = [:]
    /// Redirects that a session follows, in place of 20.
    package var redirectLimit: Int?
    /// What is done wrong while a connection is secured, in every shape.
    package var securityFault: ReferenceSecurity.Fault?
    /// What is done wrong with cookies, in every shape.
    package var cookieFault: CookieFault?
    /// What is done wrong on the way to a server, in every shape.
    package var transportFault: TransportFault?
    /// Whether a URLProtocol asks its client whether a server is trusted.
    package var forwardsTrust = false
    /// Whether a URLProtocol goes on when it is stopped.
    package var ignoresStop = false
    /// What the loading system around a URLProtocol does wrong; its duties are not the protocol's.
    package var driverFault: ProtocolProgram.Fault?

    /// Breaks nothing before a hook is set.
    package init(_ label: String, _ name: String, as shape: ReferenceShape = .session) {
        self.label = label
        self.name = name
        self.shape = shape
    }

    /// What makes the filter before the delegate of that shape; nil where its calls are not changed.
    package func makeCallFilter(of shape: ReferenceShape) -> (@Sendable () -> any CallFilter)? { callFilters[shape] }

    /// `change` is given each call of that shape, and keeps what it wants to remember of one load.
    mutating func changeCalls<Memory: Sendable>(
        of shape: ReferenceShape, keeping memory: Memory, _ change: @escaping CallChange<Memory>.Change
    ) {
        callFilters[shape] = { CallChange(memory: memory, change: change) }
    }

    /// Everything that this client can be told to do wrong: rules in the order of their numbers, then what the wire shows.
    public static let all = BrokenRule.all.map(\.breakage) + BrokenWire.all.map(\.breakage)
}
