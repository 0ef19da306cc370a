import ProctorBase

/// User and password as the Basic scheme sends them (RFC 7617).
public struct BasicCredential: Sendable, Equatable {
    /// Without a colon, which would end it.
    public let user: String
    /// Anything but controls.
    public let password: String

    /// Why user and password can't be sent this way.
    public enum Refusal: String, Error, Sendable, CustomStringConvertible {
        /// RFC 7617 §2: what stands behind the first colon is the password.
        case colonInUser = "the user has a colon, which Basic can't send; expected a name without one (RFC 7617 §2)"
        /// RFC 7617 §2 forbids them in both.
        case control = "user or password has a control character; expected none (RFC 7617 §2)"

        /// For a person.
        public var description: String { rawValue }
    }

    /// Refuses what the server would read as another user or password.
    public init(user: String, password: String) throws(Refusal) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUser }
        guard !user.utf8.contains(where: \.isControl), !password.utf8.contains(where: \.isControl) else {
            throw .control
        }
        self.user = user
        self.password = password
    }

    /// The value of Authorization or Proxy-Authorization: UTF-8 in base64, whatever charset the challenge names.
    ///
    /// UTF-8 is the only charset that a challenge may name (§2.1), and what is usual where none is named.
    public var fieldValue: String { "Basic " + Base64Text.of("\(user):\(password)".utf8) }
}
