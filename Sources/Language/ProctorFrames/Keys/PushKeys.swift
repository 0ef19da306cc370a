internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// `{ push: { … } }` under `do:`.
struct PushKeys: Sendable {
    let target = Key<[UInt8]>("target", isRequired: true) {
        node, reader in reader.sink.text(node, "a target").flatMap { reader.pushedTarget($0, node) }
    }
    let method = UsualKey("method", Shape<PushedRequest.Method>.choice("a method that can be pushed"), usual: .get)
    let fields = Key("fields", Shape<[ReplyField]>.fields("the fields of the request"))
}

extension ScenarioReader {
    static let pushTable = Table("a pushed request", PushKeys())

    func pushedRequest(_ node: Node) -> PushedRequest? {
        guard let keys = Self.pushTable.open(node, self), !keys.hasUnknownKeys else { return nil }
        let target = keys[\.target]
        let method = keys[\.method]
        let fields = keys[\.fields]
        if keys.has(\.fields), fields == nil { return nil }
        guard let target else { return nil }
        return PushedRequest(method: method, target: target, fields: fields ?? [])
    }

    /// A target in origin-form.
    func pushedTarget(_ text: String, _ node: Node) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.longestPushedTarget,
            bytes.allSatisfy({ 0x21...0x7E ~= $0 })
        else {
            return sink.refuse(
                node,
                text.isEmpty
                    ? "push needs the target that is promised"
                    : "a pushed target begins with / and has up to \(Self.longestPushedTarget) visible ASCII bytes, "
                        + "found \(quoted(text))", hint: "like do: push /style.css")
        }
        return bytes
    }

    private static let longestPushedTarget = 8_192
}
