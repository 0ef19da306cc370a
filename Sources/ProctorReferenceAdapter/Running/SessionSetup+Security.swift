internal import ProctorBase
internal import ProctorLoop
internal import ProctorReference
internal import ProctorTrace

extension SessionSetup {
    /// Whom a session trusts, and who it is, from the files that the assignment names.
    func security(breaking: Breakage?) throws(CallFailure) -> ReferenceSecurity {
        var security = ReferenceSecurity()
        if let trust { security.anchors = [try TextFile.bytes(of: trust)] }
        if let identity { security.identity = try identity.loaded() }
        security.fault = breaking?.securityFault
        return security
    }
}

extension Assignment.Identity {
    /// Reads both PEM files.
    func loaded() throws(CallFailure) -> LoadIdentity {
        let chain = try TextFile.bytes(of: certificate)
        let key = try TextFile.bytes(of: key)
        do throws(LoadError) {
            return try LoadIdentity(
                certificatePEM: String(decoding: chain, as: UTF8.self), keyPEM: String(decoding: key, as: UTF8.self))
        } catch {
            throw CallFailure(call: "reading the identity \(name)", code: 0, text: error.sentence)
        }
    }
}

/// Files that an assignment names.
private enum TextFile {
    /// Longer than any certificate with its chain, and the bound for what is read.
    private static let byteLimit = 4 << 20

    static func bytes(of path: String) throws(CallFailure) -> [UInt8] {
        let file = try OpenFile(path: path)
        return try file.bytes(from: 0, byteCount: min(file.byteCount, byteLimit))
    }
}
