internal import ProctorBase
internal import ProctorReplies
internal import ProctorScript
internal import ProctorSigning

/// The keys of one run, and those that a script or a peer gives as JSON Web Keys (RFC 7517); safe from any thread.
struct ScriptKeys {
    let seed: RunSeed

    func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure> {
        do throws(ScriptFailure) {
            let known = try find(key)
            switch act {
            case .show(let withPrivate): return .success(try show(known, withPrivate: withPrivate))
            case .sign(let text): return .success(.text(try sign(text, by: known)))
            case .verify(let text, let signature): return .success(.flag(known.verifies(signature, of: text)))
            }
        } catch {
            return .failure(error)
        }
    }

    private func find(_ key: ScriptKey) throws(ScriptFailure) -> SigningKey {
        let name = String(decoding: key.algorithm, as: UTF8.self)
        guard let algorithm = SignatureAlgorithm(rawValue: name) else {
            throw ScriptFailure(
                "the algorithm \"\(EscapedText.escape(key.algorithm, limit: 50))\" is unknown; there are "
                    + SignatureAlgorithm.names)
        }
        switch key.source {
        case .text(let name):
            guard let key = DerivedKey.key(algorithm, seed: seed.value, name: name) else {
                throw ScriptFailure("the system's OpenSSL has no \(algorithm.rawValue)")
            }
            return key
        case .table(let members): return try read(members, algorithm)
        default: throw ScriptFailure("a JSON Web Key is a table with \"kty\"")
        }
    }

    /// Members that a key of this kind does not have are ignored (RFC 7517 §4).
    private func read(
        _ members: [ScriptValue.Member], _ algorithm: SignatureAlgorithm
    ) throws(ScriptFailure) -> SigningKey {
        var parameters: KeyParameters = [:]
        for member in members {
            let name = String(decoding: member.key, as: UTF8.self)
            switch name {
            case "kty", "crv":
                let expected = name == "kty" ? algorithm.keyType : algorithm.curve
                guard let expected, member.value != .text(expected) else { continue }
                throw ScriptFailure("\"\(name)\" of the key is not \"\(expected)\", as \(algorithm.rawValue) has it")
            case "n", "e", "d", "p", "q", "dp", "dq", "qi", "x", "y", "k":
                guard case .text(let text) = member.value, text.count <= Self.textLimit,
                    let bytes = try? Base64Text.decodeURL(text)
                else {
                    throw ScriptFailure(
                        "\"\(name)\" of the key is no base64url of at most \(Self.textLimit) characters")
                }
                parameters[name] = bytes
            default: break
            }
        }
        guard members.contains(where: { $0.key == Array("kty".utf8) }) else {
            throw ScriptFailure("the key has no \"kty\"")
        }
        do throws(KeyRefusal) {
            return try SigningKey(algorithm, parameters)
        } catch {
            throw ScriptFailure(error.sentence)
        }
    }

    /// The most characters of one member of a JSON Web Key.
    private static let textLimit = 8192

    private func show(_ key: SigningKey, withPrivate: Bool) throws(ScriptFailure) -> ScriptValue {
        guard withPrivate || key.algorithm != .hs256 else {
            throw ScriptFailure("a secret for HS256 has no public key; key.private gives the secret")
        }
        guard !withPrivate || key.isPrivate else { throw ScriptFailure("this key is public") }
        var members = ["kty": key.algorithm.keyType]
        members["crv"] = key.algorithm.curve
        for (name, bytes) in key.shown(withPrivate: withPrivate) { members[name] = Base64Text.encodeURL(bytes) }
        return .table(members.sorted { $0.key < $1.key }.map { .init(Array($0.key.utf8), .text($0.value)) })
    }

    private func sign(_ text: [UInt8], by key: SigningKey) throws(ScriptFailure) -> [UInt8] {
        if let signature = key.sign(text) { return signature }
        throw ScriptFailure(
            key.isPrivate
                ? "a text of \(text.count) bytes can't be signed; at most \(SigningKey.textByteLimit) are permitted"
                : "the key is public; a private one signs")
    }
}
