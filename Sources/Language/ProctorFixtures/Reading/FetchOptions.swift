import ProctorDocument
import ProctorProgram
import ProctorScenario

typealias FetchKey = PlainKey<Assignment.FetchOptions>

struct FetchOptionsKeys: Sendable {
    let mode = FetchKey(
        "mode", \.mode, .choice("a mode"), leftOut: "`cors`",
        says:
            "Whether what another origin sends may be read: with `cors` by its permission, with `no-cors` never, and with "
            + "`same-origin` another origin is not asked.")
    let credentials = FetchKey(
        "credentials", \.credentials, .choice("a credentials mode"), leftOut: "`same-origin`",
        says: "Whether cookies go with the request, and are taken from the reply.")
    let redirect = FetchKey(
        "redirect", \.redirect, .choice("a redirect mode"), leftOut: "`follow`",
        says: "Whether a redirect is followed, is an error, or is handed over without anything that could be read.")
    let referrerPolicy = FetchKey(
        "referrerPolicy", \.referrerPolicy, .choice("a referrer policy"),
        leftOut: "`strict-origin-when-cross-origin`",
        says: "The part of the page's URL in the Referer field (Referrer Policy §3).")
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
