/// The properties of `request`, by the names that scripts use.
package enum RequestProperty: String, CaseIterable, Sendable {
    case method, target, path, version, scheme
    case header, fields, body
    /// The bytes as they came, where `body` is without its codings.
    case codedBody = "body.coded"
    case json, query
    case queryList = "query_list"
    case form
    case formList = "form_list"
    case cookie, captures, connection, number, peer, tls, base, origin

    private static let all = allCases

    static var count: Int { all.count }

    /// Numbers count from 1; Lua caches a property under its number.
    init?(number: Int64) {
        guard 1...Int64(Self.all.count) ~= number else { return nil }
        self = Self.all[Int(number) - 1]
    }

    /// A Lua table with the number of each name.
    static var luaTable: String {
        "{ " + all.enumerated().map { "[\"\($1.rawValue)\"] = \($0 + 1)" }.joined(separator: ", ") + " }"
    }
}
