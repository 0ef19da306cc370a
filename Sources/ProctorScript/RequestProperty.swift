/// What a script may ask of its `request`, by the name that it says.
package enum RequestProperty: String, CaseIterable, Sendable {
    case method, target, path, version, scheme
    case header, fields, body, json, query
    case queryList = "query_list"
    case form
    case formList = "form_list"
    case cookie, captures, connection, number, peer, tls, base, origin

    private static let all = allCases

    static var count: Int { all.count }

    /// From 1: under it Lua keeps what was asked for.
    init?(number: Int64) {
        guard 1...Int64(Self.all.count) ~= number else { return nil }
        self = Self.all[Int(number) - 1]
    }

    /// A table of Lua with the number of each name.
    static var luaTable: String {
        "{ " + all.enumerated().map { "\($1.rawValue) = \($0 + 1)" }.joined(separator: ", ") + " }"
    }
}
