/// What stands behind `Negotiate` (RFC 4559 §4.1, RFC 4178 §4.2).
package enum SPNEGOMessage: Sendable, Equatable {
    case initial(NegTokenInit)
    case response(NegTokenResp)
    /// A token of a mechanism that is not SPNEGO, such as one of Kerberos alone (RFC 2743 §3.1).
    case bare(MechanismID)
}

/// The client's first token (§4.2.1).
package struct NegTokenInit: Sendable, Equatable {
    /// In the client's order of preference; never empty where it was read.
    package var mechanisms: [MechanismID]
    /// The encoding of the list, over which the MIC of the list is computed (§5).
    package var listBytes: [UInt8]
    /// The first message of the first mechanism; nil: left out.
    package var token: [UInt8]?
    package var mic: [UInt8]?

    package init(mechanisms: [MechanismID], token: [UInt8]? = nil, mic: [UInt8]? = nil) {
        self.mechanisms = mechanisms
        listBytes = SPNEGOWriter.list(mechanisms)
        (self.token, self.mic) = (token, mic)
    }
}

/// Every other token, of both ends (§4.2.2).
package struct NegTokenResp: Sendable, Equatable {
    package var state: State?
    /// The mechanism that the server selects; in its first token.
    package var mechanism: MechanismID?
    package var token: [UInt8]?
    package var mic: [UInt8]?

    package init(
        state: State? = nil, mechanism: MechanismID? = nil, token: [UInt8]? = nil, mic: [UInt8]? = nil
    ) {
        (self.state, self.mechanism, self.token, self.mic) = (state, mechanism, token, mic)
    }

    package enum State: UInt8, Sendable, CaseIterable {
        case completed, incomplete, rejected, requestMIC

        /// As RFC 4178 names it.
        package var name: String {
            switch self {
            case .completed: "accept-completed"
            case .incomplete: "accept-incomplete"
            case .rejected: "reject"
            case .requestMIC: "request-mic"
            }
        }
    }
}
