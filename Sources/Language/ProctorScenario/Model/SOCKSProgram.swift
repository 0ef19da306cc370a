/// What a proxy of SOCKS says before its reply; by default what the documents ask for.
package struct SOCKSProgram: Sendable {
    /// The versions that it speaks, of 4 (with 4a) and 5.
    package var versions: Set<Int> = [4, 5]
    /// The password of each user; empty: no user is asked for, and any is accepted.
    package var users: [String: String] = [:]
    /// The method that it selects, whatever is offered; nil: by what is offered and by ``users``.
    package var method: UInt8?
    /// What is sent in place of the selection of a method; nil: the selection.
    package var selection: [BodyPiece]?
    /// What is sent in place of the reply to user and password; nil: the reply.
    package var login: [BodyPiece]?

    package init() {}
}
