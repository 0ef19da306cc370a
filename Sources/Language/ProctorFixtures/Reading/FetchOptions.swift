import ProctorDocument
import ProctorProgram
import ProctorScenario

typealias FetchKey = PlainKey<Assignment.FetchOptions>

struct FetchOptionsKeys: Sendable {
    let mode = FetchKey("mode", \.mode, .choice("a mode"))
    let credentials = FetchKey("credentials", \.credentials, .choice("a credentials mode"))
    let redirect = FetchKey("redirect", \.redirect, .choice("a redirect mode"))
    let referrerPolicy = FetchKey("referrerPolicy", \.referrerPolicy, .choice("a referrer policy"))
}

extension ScenarioReader {
    static let fetchOptionsTable = Table("what a page says to fetch", FetchOptionsKeys())
    private static let plainKeys = fetchOptionsTable.plainKeys(of: Assignment.FetchOptions.self)

    func fetchOptions(_ node: Node) -> ClientProgram.FetchOptions? {
        guard let keys = Self.fetchOptionsTable.open(node, self) else { return nil }
        var options = ClientProgram.FetchOptions()
        keys.read(Self.plainKeys, into: &options)
        return options
    }
}
