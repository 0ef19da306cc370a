import ProctorBase
import ProctorJournal

/// Describes a request without an exchange, and the request that the nearest exchange wants.
struct MissWords {
    /// `the second request`.
    let owner: String
    let method: String
    let target: String
    let miss: Miss
    /// Whether an earlier request used the nearest exchange, so that no more can be said of what is wanted.
    var hasCome = false

    static let unanswered = ", which no exchange answers"

    /// Without an exchange to compare with: `the second request was GET /b, which no exchange answers`.
    var sentence: String {
        guard miss.nearestExchange == nil, let why = miss.differences.first else {
            return "\(owner) was \(method) \(target)\(Self.unanswered)"
        }
        return "\(owner) was \(method) \(target)\(Self.unanswered): \(why)"
    }

    /// With what the nearest exchange wants, for a case that says nothing of the request: `the second request was POST
    /// /done; wanted GET /done`.
    var sentenceByExchange: String {
        let name = "\(method) \(target)"
        guard miss.nearestExchange != nil, let first = miss.differences.first else { return sentence }
        if let wanted = Self.wanted(of: miss, insteadOf: name) {
            return "\(owner) was \(name)" + (hasCome ? Self.unanswered : "; wanted \(wanted)")
        }
        if first.hasPrefix("turns: ") { return "\(owner) was \(name) again: \(first.dropFirst(7))" }
        if first.hasPrefix("order: ") { return "\(owner) was \(name) too early: \(first.dropFirst(7))" }
        guard let colon = first.firstRange(ofText: ": wanted "),
            let comma = first[colon.upperBound...].firstRange(ofText: ", got ")
        else { return "\(owner) was \(name), but \(first)" }
        let (what, wanted) = (first[..<colon.lowerBound], first[colon.upperBound..<comma.lowerBound])
        return "\(owner), \(name), had \(Self.difference(what, got: first[comma.upperBound...], wanted: wanted))"
    }

    /// `the header Accept "text/html"; wanted "text/plain"`.
    private static func difference(_ what: Substring, got: Substring, wanted: Substring) -> String {
        if ["none", "nothing", "no content"].contains(got) { return "no \(what); wanted \(wanted)" }
        let content = "content that is "
        if got.hasPrefix(content) { return "a \(what) that is \(got.dropFirst(content.count)); wanted \(wanted)" }
        // Of bytes the first that differ say more than their numbers.
        let parts = [" from byte ", " on wanted ", ", got "].reduce(into: [got]) { parts, mark in
            guard let rest = parts.popLast(), let place = rest.firstRange(ofText: mark) else { return }
            parts += [rest[..<place.lowerBound], rest[place.upperBound...]]
        }
        guard parts.count == 4 else { return "the \(what) \(got); wanted \(wanted)" }
        return parts[1] == "0"
            ? "the \(what) \(parts[3]); wanted \(parts[2])"
            : "\(parts[3]) from byte \(parts[1]) of the \(what) on; wanted \(parts[2])"
    }

    /// Sentences that the 404 was Proctor's own reply, and what the nearest exchange wants, where one is near.
    static func remarks(on miss: Miss, _ name: String?) -> [String] {
        let own = "no exchange answers the request, so Proctor itself replied"
        guard let nearest = miss.nearestExchange else { return [own] }
        let request = name.flatMap { Self.wanted(of: miss, insteadOf: $0) }.map { ", \($0)" }
        // Without another method or target, the sentence of the finding tells the first difference.
        let rest = miss.differences.filter { !$0.hasPrefix("method: ") && !$0.hasPrefix("target: ") }
            .dropFirst(request == nil ? 1 : 0)
        return [own, (["nearest is exchange \(nearest)\(request ?? "")"] + rest).joined(separator: "; ")]
    }

    /// The request that the nearest exchange wants: `GET /done`; nil when the difference is in other parts.
    static func wanted(of miss: Miss, insteadOf name: String) -> String? {
        guard let space = name.firstIndex(of: " ") else { return nil }
        let (method, target) = (String(name[..<space]), String(name[name.index(after: space)...]))
        let wantedMethod = wanted("method", of: miss, got: method)
        let wantedTarget = wanted("target", of: miss, got: target)
        guard wantedMethod != nil || wantedTarget != nil else { return nil }
        return "\(wantedMethod ?? method) \(wantedTarget ?? target)"
    }

    private static func wanted(_ part: String, of miss: Miss, got: String) -> String? {
        let prefix = "\(part): wanted "
        guard let difference = miss.differences.first(where: { $0.hasPrefix(prefix) }) else { return nil }
        let rest = difference.dropFirst(prefix.count)
        return rest.firstRange(ofText: ", got \(got)").map { String(rest[..<$0.lowerBound]) } ?? String(rest)
    }
}
