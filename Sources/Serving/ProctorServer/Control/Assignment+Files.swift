internal import ProctorBase
internal import ProctorLoop
import ProctorProgram

extension Assignment {
    /// The assignment with data: URLs (RFC 2397) in place of paths, for a client on another machine; reads the files.
    func withFilesAsBytes() throws(ControlError) -> Assignment {
        var assignment = self
        if let trust = session.trust {
            assignment.session.trust = try Self.dataURL(trust, Self.pem)
        }
        if let identity = session.identity { assignment.session.identity = try identity.withFilesAsBytes() }
        for (index, step) in steps.enumerated() {
            for (number, answer) in step.onChallenge.enumerated() {
                guard case .identity(.some(let identity)) = answer else { continue }
                assignment.steps[index].onChallenge[number] = .identity(try identity.withFilesAsBytes())
            }
        }
        return assignment
    }

    fileprivate static let pem = "application/x-pem-file"
    /// The most bytes of one file; certificates and keys have a few thousand.
    private static let byteLimit = 1 << 20

    fileprivate static func dataURL(_ path: String, _ type: String) throws(ControlError) -> String {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            guard file.byteCount <= byteLimit else {
                throw CallFailure(call: "reading \(path)", code: 0, text: "it has more than \(byteLimit) bytes")
            }
            let bytes = try file.bytes(from: 0, byteCount: file.byteCount)
            return "data:\(type);base64,\(Base64Text.encode(bytes))"
        } catch {
            throw ControlError(503, "no-tls", message: "a file of the assignment can't be read: \(error)")
        }
    }
}

extension Assignment.Identity {
    fileprivate func withFilesAsBytes() throws(ControlError) -> Assignment.Identity {
        Assignment.Identity(
            name: name, certificate: try Assignment.dataURL(certificate, Assignment.pem),
            key: try Assignment.dataURL(key, Assignment.pem),
            pkcs12: try Assignment.dataURL(pkcs12, "application/x-pkcs12"), passphrase: passphrase)
    }
}
