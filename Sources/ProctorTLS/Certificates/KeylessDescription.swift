// Whoever prints an identity, or fails a comparison of two, is shown everything but the private key.

extension ServerIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The profile and the length of the chain.
    public var description: String { "server identity '\(profile)', \(chain.count) certificates" }
    /// The same.
    public var debugDescription: String { description }
    /// Without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["profile": profile, "chain": chain, "serial": serial, "freshUntil": freshUntil])
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the length of the chain.
    public var description: String { "client identity '\(name)', \(chain.count) certificates" }
    /// The same.
    public var debugDescription: String { description }
    /// Without the key.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "chain": chain, "keyPath": keyPath])
    }
}
