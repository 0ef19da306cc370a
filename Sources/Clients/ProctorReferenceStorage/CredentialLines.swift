internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReference

/// A credential that outlives its session, with its protection space.
struct StoredCredential {
    let space: LoadChallenge.ProtectionSpace
    let credential: LoadCredential

    init(_ space: LoadChallenge.ProtectionSpace, _ credential: LoadCredential) {
        (self.space, self.credential) = (space, credential)
    }

    init(_ object: StoredObject) throws(StorageProblem) {
        let origin = try object.text("origin")
        guard let url = try? ClientURL("\(origin)/") else {
            throw StorageProblem(sentence: "\"\(origin)\" is no origin; expected one like http://example.org:8080")
        }
        space = LoadChallenge.ProtectionSpace(
            kind: try object.text("kind"), origin: url.origin, realm: try object.text("realm"),
            isProxy: try object.flag("isProxy"))
        credential =
            object.has("token")
            ? LoadCredential(token: try object.text("token"), persistence: .permanent)
            : LoadCredential(
                user: try object.text("user"), password: try object.text("password"), persistence: .permanent)
    }

    func write(to line: inout JSONText) {
        line.member("kind", space.kind)
        line.member("origin", "\(space.origin.scheme.rawValue)://\(space.origin.authority)")
        line.member("realm", space.realm)
        line.member("isProxy", space.isProxy)
        if let token = credential.token {
            line.member("token", token)
        } else {
            line.member("user", credential.user)
            line.member("password", credential.password)
        }
    }
}
