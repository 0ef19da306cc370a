import ProctorBase

// The objects within an assignment: their keys, in the order in which they are written.

extension Assignment.Bytes: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .optional("text", \.text), .optional("base64", \.base64), .optional("count", \.count),
    ]

    init() { self.init(text: nil) }
}

extension Assignment.Identity: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .always("name", \.name), .always("certificate", \.certificate), .always("key", \.key),
        .always("pkcs12", \.pkcs12), .always("passphrase", \.passphrase),
    ]

    init() { self.init(name: "", certificate: "", key: "", pkcs12: "", passphrase: "") }
}

extension Assignment.NamedHost: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .always("name", \.name), .always("port", \.port), .always("address", \.address),
        .optional("addresses", \.addresses),
    ]

    init() { self.init(name: "", port: 0, address: "") }
}

extension Assignment.DownloadFileProgram: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .optional("deletesFileUponFailure", \.deletesFileUponFailure), .optional("destination", \.destination),
        .optional("overwrites", \.overwrites),
    ]
}

extension Assignment.Schedule: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .always("start", \.start), .always("on", \.place), .always("mode", \.mode),
    ]
}

extension Assignment.FetchOptions: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .optional("mode", \.mode), .optional("credentials", \.credentials), .optional("redirect", \.redirect),
        .optional("referrerPolicy", \.referrerPolicy),
    ]
}

/// The JSON of an answer that may change a request: the answer's word, and the parts of the changed request.
struct ChangeForm: AssignmentObject {
    var answer = ""
    var method: String?
    var url: String?
    var headers: [[String]] = []

    static let keys: [AssignmentKey<Self>] = [
        .always("answer", \.answer), .optional("method", \.method), .optional("url", \.url),
        .unless([], "headers", \.headers),
    ]
}

/// An answer of which one word changes the request.
protocol ChangingAnswer: AssignmentForm where Form == ChangeForm {
    static func change(method: String?, url: String?, headers: [[String]]) -> Self
    init?(word: String)
    static var usual: Self { get }
}

extension ChangingAnswer {
    static func read(_ form: ChangeForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        if form.answer == "change" { return .change(method: form.method, url: form.url, headers: form.headers) }
        if let known = Self(word: form.answer) { return known }
        unknown.append(Assignment.UnknownWord(key: key, word: form.answer))
        return usual
    }
}

extension AnswerToRedirect: AssignmentWritable, AssignmentValue, AssignmentForm, ChangingAnswer
where Address == String, Fields == [[String]] {
    static var usual: Self { .follow }

    var form: ChangeForm {
        guard case .change(let method, let url, let headers) = self else { return ChangeForm(answer: word) }
        return ChangeForm(answer: word, method: method, url: url, headers: headers)
    }
}

extension AnswerToRewriting: AssignmentWritable, AssignmentValue, AssignmentForm, ChangingAnswer
where Address == String, Fields == [[String]] {
    static var usual: Self { .accept }

    var form: ChangeForm {
        guard case .change(let method, let url, let headers) = self else { return ChangeForm(answer: word) }
        return ChangeForm(answer: word, method: method, url: url, headers: headers)
    }
}

struct ChallengeForm: AssignmentObject {
    var answer = ""
    var user: String?
    var password: String?
    var token: String?
    var persistence: Assignment.Credential.Persistence?
    var identity: Assignment.Identity?

    static let keys: [AssignmentKey<Self>] = [
        .always("answer", \.answer), .optional("user", \.user), .optional("password", \.password),
        .optional("token", \.token), .optional("persistence", \.persistence), .optional("identity", \.identity),
    ]

    init() {}

    init(answer: String, _ credential: Assignment.Credential?) {
        self.answer = answer
        guard let credential else { return }
        token = credential.token
        if token == nil { (user, password) = (credential.user, credential.password) }
        persistence = credential.persistence
    }
}

extension AnswerToChallenge: AssignmentWritable, AssignmentValue, AssignmentForm
where Identity == Assignment.Identity? {
    var form: ChallengeForm {
        var form = ChallengeForm(answer: word, credential)
        if case .identity(let identity) = self { form.identity = identity }
        return form
    }

    /// Where the user is missing, it is empty.
    static func read(_ form: ChallengeForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        if form.answer == "identity" { return .identity(form.identity) }
        let credential = Assignment.Credential(
            user: form.user ?? "", password: form.password ?? "", token: form.token,
            persistence: form.persistence ?? .none)
        if let known = Self(word: form.answer) ?? Self(word: form.answer, credential) { return known }
        unknown.append(Assignment.UnknownWord(key: key, word: form.answer))
        return .performDefault
    }
}

extension Beforehand: AssignmentWritable {
    func write(to json: inout JSONText, in _: SessionSetup) {
        json.open("{")
        json.member("follow", follow)
        if let credential {
            json.key("credential")
            json.open("{")
            for (key, value) in credential.parts { json.member(named: key, value) }
            json.close("}")
        }
        json.close("}")
    }
}

extension Assignment.Credential {
    fileprivate var parts: [(String, String)] {
        token.map { [("token", $0)] } ?? [("user", user), ("password", password)]
    }
}

struct MomentForm: AssignmentObject {
    var event = ""
    var count = 1

    static let keys: [AssignmentKey<Self>] = [.always("event", \.event), .always("count", \.count)]
}

extension Assignment.Moment: AssignmentForm {
    var form: MomentForm {
        if case .event(_, let count) = self { MomentForm(event: word, count: count) } else { MomentForm(event: word) }
    }

    static func read(_ form: MomentForm, key _: String, _: inout [Assignment.UnknownWord]) -> Self? {
        Self(form.event, count: form.count)
    }
}

struct ProtocolCallForm: AssignmentObject {
    var call = ""
    var argument: String?
    var isOnOtherThread = false
    var headers: [[String]] = []
    var version: String?

    static let keys: [AssignmentKey<Self>] = [
        .always("call", \.call), .optional("argument", \.argument), .always("isOnOtherThread", \.isOnOtherThread),
        .unless([], "headers", \.headers), .optional("version", \.version),
    ]
}

extension ScriptedProtocolCall: AssignmentWritable, AssignmentValue, AssignmentForm where Target == String {
    var form: ProtocolCallForm {
        ProtocolCallForm(
            call: name, argument: argument, isOnOtherThread: isOnOtherThread, headers: headers, version: version)
    }

    /// A call that can't be read stays in the script, and fails when its turn comes.
    static func read(_ form: ProtocolCallForm, key _: String, _: inout [Assignment.UnknownWord]) -> Self? {
        var call = Self(form.call, form.argument, isOnOtherThread: form.isOnOtherThread)
        call.headers = form.headers
        call.version = form.version
        return call
    }
}

struct ActByHandForm: AssignmentObject {
    var act = ""
    var text: String?

    static let keys: [AssignmentKey<Self>] = [.always("act", \.act), .optional("text", \.text)]
}

extension ActByHand: AssignmentForm {
    var form: ActByHandForm { ActByHandForm(act: word, text: text) }

    static func read(_ form: ActByHandForm, key: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        let act = Self(word: form.act, text: form.text)
        if act == nil { unknown.append(Assignment.UnknownWord(key: key, word: form.act)) }
        return act
    }
}

struct ProtocolClassForm: AssignmentObject {
    var name = ""
    var takes = ""
    var place = ""

    static let keys: [AssignmentKey<Self>] = [
        .always("name", \.name), .always("takes", \.takes), .always("place", \.place),
    ]
}

extension ProtocolClass: AssignmentForm {
    var form: ProtocolClassForm { ProtocolClassForm(name: name, takes: takes.text, place: place.rawValue) }

    /// Where `takes` is unknown, the word is kept and the class takes no request.
    static func read(_ form: ProtocolClassForm, key _: String, _ unknown: inout [Assignment.UnknownWord]) -> Self? {
        let takes = Takes(form.takes)
        if takes == nil { unknown.append(Assignment.UnknownWord(key: "takes", word: form.takes)) }
        let place = Place(rawValue: form.place)
        if place == nil { unknown.append(Assignment.UnknownWord(key: "place", word: form.place)) }
        return Self(form.name, takes: takes ?? .none, place: place ?? .session)
    }
}

extension Assignment.CachedChange: AssignmentObject {
    static let keys: [AssignmentKey<Self>] = [
        .computed("answer") { _, _ in "change" }, .optional("body", \.body), .optional("storage", \.storage),
        .optional("notes", \.notes),
    ]

    init() { self.init(body: nil) }
}

extension Assignment.WillCacheAnswer: AssignmentValue {
    func write(to json: inout JSONText, in session: SessionSetup) {
        guard case .change(let change) = self else { return json.string(word) }
        change.write(to: &json, in: session)
    }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        guard let word = try? decoder.singleValueContainer().decode(String.self) else {
            return .change(try Assignment.CachedChange.object(from: decoder, key: key, &unknown))
        }
        let known = plain.first { $0.word == word }
        if known == nil { unknown.append(Assignment.UnknownWord(key: key, word: word)) }
        return known
    }
}

extension Assignment.DecodeAnswer: AssignmentValue {
    /// Written as a list by type, with `*` for all other types.
    func write(to json: inout JSONText, in _: SessionSetup) {
        json.open("{")
        if case .byType(let types) = self {
            for entry in types { json.member(named: entry.type, entry.isDecoded ? "decode" : "leave") }
        }
        json.member("*", self == .decode ? "decode" : "leave")
        json.close("}")
    }

    static func read(
        from decoder: any Decoder, key: String, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Self? {
        let written = try decoder.singleValueContainer().decode([String: String].self)
        for word in Set(written.values).subtracting(["decode", "leave"]).sorted() {
            unknown.append(Assignment.UnknownWord(key: key, word: word))
        }
        let types = written.filter { $0.key != "*" }.sorted { $0.key < $1.key }
        return types.isEmpty
            ? Self(word: written["*"] ?? "leave") ?? .leave
            : .byType(types.map { Assignment.DecodedType(type: $0.key, isDecoded: $0.value == "decode") })
    }
}
