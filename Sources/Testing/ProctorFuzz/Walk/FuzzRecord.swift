import ProctorBase
import ProctorDocument

/// The lines of a file of fuzzing: one about the walk, then one for each mutant.
package enum FuzzRecord {
    /// What two walks must share so that one goes on with the other's file.
    package struct Header: Sendable, Equatable {
        package let seed: UInt64
        package let clients: [String]
        /// The ids of the scenarios.
        package let sources: [String]

        package init(seed: UInt64, clients: [String], sources: [String]) {
            (self.seed, self.clients, self.sources) = (seed, clients, sources)
        }
    }

    /// What an earlier walk has done.
    package struct Former: Sendable {
        package internal(set) var header: Header?
        /// The number of mutants that were asked.
        package internal(set) var count = 0
        package internal(set) var keys: [String: Int] = [:]
        package internal(set) var dividedCount = 0
        /// Bytes of whole lines; behind them a line broke off.
        package internal(set) var byteCount = 0

        package init() {}
    }

    package static func line(_ header: Header) -> [UInt8] {
        object { json in
            json.member("event", "fuzz")
            json.member("version", 1)
            json.member("seed", header.seed)
            json.texts("clients", header.clients)
            json.texts("scenarios", header.sources)
        }
    }

    /// `file` is the fixture that was kept.
    package static func line(_ result: MutantResult, file: String?) -> [UInt8] {
        object { json in
            json.member("event", "mutant")
            json.member("number", result.number)
            json.member("state", result.state.word)
            if case .known(let earlier) = result.state { json.member("like", earlier) }
            if let mutant = result.mutant {
                json.member("scenario", mutant.source.id)
                json.member("case", mutant.caseName)
                json.texts("mutations", mutant.mutations.map(\.text))
                json.texts("kinds", mutant.mutations.map(\.kind))
            }
            if let disagreement = result.disagreement {
                json.texts("about", disagreement.aspects.map(\.rawValue))
                json.member("groups", disagreement.text)
            }
            if let key = result.key { json.member("key", key) }
            if let file { json.member("file", file) }
            json.objects("answers", of: result.answers) { json, answer in
                json.member("client", answer.client)
                json.member("end", answer.word)
                switch answer.end {
                case .none(let reason): json.member("reason", reason)
                case .crashed(let signal): json.member("signal", signal)
                case .delivered, .error, .hung: break
                }
                if let status = answer.status { json.member("status", status) }
                if let url = answer.url { json.member("url", url) }
                if let content = answer.content {
                    let kept = content.utf8.prefix(contentByteLimit)
                    json.member("content", String(decoding: kept, as: UTF8.self))
                    if kept.count < content.utf8.count { json.member("contentByteCount", content.utf8.count) }
                }
                json.texts("requests", answer.requests)
            }
        }
    }

    /// What a line holds of the content of an answer.
    private static let contentByteLimit = 4_096

    private static func object(_ write: (inout JSONText) -> Void) -> [UInt8] {
        var json = JSONText()
        json.object { write(&$0) }
        json.lineEnd()
        return json.bytes
    }

    /// Reads what an earlier walk wrote; a last line without its end is left out.
    ///
    /// nil for a file of another kind.
    package static func read(_ bytes: [UInt8], file: String) -> Former? {
        var former = Former()
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            let root = Document.parseJSON(Array(bytes[start..<end]), file: file).root
            guard let entries = root?.entries else { return nil }
            let members = Dictionary(entries.map { ($0.key, $0.value) }) { first, _ in first }
            switch members["event"]?.text {
            case "fuzz":
                guard let seed = members["seed"]?.text.flatMap({ UInt64($0) }) else { return nil }
                former.header = Header(
                    seed: seed, clients: (members["clients"]?.items ?? []).compactMap(\.text),
                    sources: (members["scenarios"]?.items ?? []).compactMap(\.text))
            case "mutant":
                guard former.header != nil, let number = members["number"]?.text.flatMap({ Int($0) }) else {
                    return nil
                }
                former.count = max(former.count, number)
                if members["state"]?.text == "divided" {
                    former.dividedCount += 1
                    if let key = members["key"]?.text { former.keys[key] = number }
                }
            default: return nil
            }
            start = end + 1
        }
        former.byteCount = start
        return former
    }
}
