import ProctorBase
import ProctorDocument

extension ProfileReader {
    /// Above the leaf.
    func readChain(_ map: MappingReader, _ profile: inout Profile) {
        if let node = map["anchor"], let anchor = sink.choice(node, "an anchor", among: Profile.Anchor.self) {
            profile.anchor = anchor
        }
        if let node = map["sends"], let sends = sink.choice(node, "what is sent", among: Profile.Sending.self) {
            profile.sends = sends
        }
        guard let node = map["issuers"], let items = sink.list(node, "issuers", limit: 20) else { return }
        var names: Set<String> = []
        for item in items {
            guard let issuer = issuer(item) else { continue }
            if names.insert(issuer.name).inserted {
                profile.issuers.append(issuer)
            } else {
                sink.report(item, "there are two issuers \(quoted(issuer.name))")
            }
        }
    }

    /// A name alone, or a mapping of what is special.
    private func issuer(_ node: Node) -> Profile.Issuer? {
        if node.text != nil { return name(node).map { Profile.Issuer(name: $0) } }
        let keys = ["name", "key", "digest", "validity", "authority", "path-length"]
        guard let map = MappingReader(node, "an issuer", keys: keys, shape: "or its name alone", sink: sink),
            let name = map.required("name").flatMap(name)
        else { return nil }
        var issuer = Profile.Issuer(name: name)
        if let node = map["key"], let key = sink.choice(node, "a key", among: Profile.KeyKind.self) { issuer.key = key }
        if let node = map["digest"], let digest = sink.choice(node, "a digest", among: Profile.Digest.self) {
            issuer.digest = digest
        }
        if let node = map["validity"], let validity = validity(node) { issuer.validity = validity }
        if let node = map["authority"], let isAuthority = sink.boolean(node, "whether it may sign") {
            issuer.isAuthority = isAuthority
        }
        issuer.pathLength = map["path-length"].flatMap { sink.integer($0, "a path length", in: 0...100) }
        return issuer
    }

    private func name(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "the name of an issuer") else { return nil }
        let isGood = text.utf8.count <= 20 && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
        if !isGood { sink.report(node, "expected an issuer's name of a-z and 0-9, found \(quoted(text))") }
        return isGood ? text : nil
    }

    /// What is said of a certificate after it was signed.
    func readRevocation(_ map: MappingReader, _ profile: inout Profile) {
        profile.revocation = map["revocation"].flatMap { sink.choice($0, "a status", among: Profile.Status.self) }
        profile.staple = map["staple"].flatMap { sink.choice($0, "a staple", among: Profile.Staple.self) }
        profile.mustStaple = map["must-staple"].flatMap { sink.boolean($0, "whether a staple is promised") } ?? false
    }
}
