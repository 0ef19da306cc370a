import ProctorBase
import ProctorHTTP
import ProctorHTTPClient

extension ReaderRunner {
    /// Redirects and caches.
    static let caching: [String: DataReader] = [
        // `METHOD URL | fields > STATUS | fields`: the request that follows.
        "redirect": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " > ", block)
            let request = try CachingLines.Message(parts[0], block)
            let reply = try CachingLines.Message(parts[1], block)
            let decision = RedirectDecision(
                status: try Parts.number(Array(reply.words[0].utf8), block), replyFields: reply.fields,
                method: request.words[0], url: try ClientURL(request.words[1]), fields: request.fields)
            switch decision {
            case .none: return ["no redirect"]
            case .unusable(let refusal): return ["not followed: \(refusal)"]
            case .follow(let next):
                return ["\(next.method) \(next.url.text)", next.keepsContent ? "with content" : "without content"]
                    + next.fields.map(CachingLines.text)
            }
        },
        // `STATUS | fields` of a reply of second 10,000: how long it is fresh, and why.
        "freshness": .whole { input, block in
            let freshness = Freshness(of: try CachingLines.reply(input, block))
            return ["\(freshness.lifetime)", "\(freshness.source)"]
        },
        // The same: its age, by `requested N`, `received N`, `now N`.
        "age": .whole { input, block in
            let stored = try CachingLines.reply(input, block)
            let now = block.number(ofWord: "now") ?? 10_000
            let freshness = Freshness(of: stored)
            guard stored.fields(servedAt: now).all(named: "Age").map(\.value) == ["\(freshness.age(at: now))"] else {
                return ["served with another Age"]
            }
            return ["\(freshness.age(at: now))", freshness.isFresh(at: now) ? "fresh" : "stale"]
        },
        // Seconds of a directive of Cache-Control: `seconds of max-age`.
        "seconds": .whole { input, block in
            let directives = CacheDirectives(Parts.of(input).map { HTTPField(name: "Cache-Control", bytes: $0) })
            return [directives.seconds(of: block.value(of: "of") ?? "").map(String.init) ?? "-"]
        },
        // `METHOD | fields > STATUS | fields`, by http and by https.
        "cache-storage": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " > ", block)
            let request = try CachingLines.Message(parts[0], block)
            let reply = try CachingLines.Message(parts[1], block)
            let status = try Parts.number(Array(reply.words[0].utf8), block)
            let mayStore = CacheStorage.mayStore(
                method: request.words[0], requestFields: request.fields, status: status, replyFields: reply.fields)
            let policies = HTTPScheme.allCases.map { scheme in
                CacheStorage.policy(
                    scheme: scheme, method: request.words[0], requestFields: request.fields, status: status,
                    replyFields: reply.fields)
            }
            if policies.contains(where: { ($0 != .notAllowed) != mayStore }) { return ["policy and mayStore differ"] }
            return policies.map(\.rawValue)
        },
        // `METHOD | fields > STATUS | fields > SECONDS since it came`.
        "cache-decision": .whole { input, block in
            let parts = try Parts.exactly(3, input, by: " > ", block)
            let request = try CachingLines.Message(parts[0], block)
            let decision = CacheDecision(
                method: request.words[0], requestFields: request.fields,
                reply: parts[1].isEmpty ? nil : try CachingLines.reply(parts[1], block),
                now: 10_000 + (try Parts.number(parts[2], block)))
            return switch decision {
            case .serve: ["serve"]
            case .load: ["load"]
            case .refuse: ["refuse"]
            case .validate(let fields): ["validate"] + fields.map(CachingLines.text)
            }
        },
        // Fields of the reply, of its request and of the next one, with ` > ` between them.
        "vary": .whole { input, block in
            let parts = try Parts.exactly(3, input, by: " > ", block).map(Parts.fields)
            guard
                let stored = CachedReply(
                    status: 200, fields: parts[0], requestFields: parts[1], requestedAt: 10_000, receivedAt: 10_000)
            else { return ["not kept"] }
            guard stored.variant.selects(parts[1]) else { return ["not selected by its own request"] }
            let isSelected = stored.variant.selects(parts[2])
            guard CachedReply.select([stored], for: parts[2]) == (isSelected ? 0 : nil) else { return ["two answers"] }
            return [isSelected ? "selected" : "not selected"]
        },
        // Fields that a kept reply is asked by.
        "validation": .whole { input, block in
            try CachingLines.reply([0x32, 0x30, 0x30] + (input.isEmpty ? [] : Array(" | ".utf8)) + input, block)
                .validationFields.map(CachingLines.text)
        },
        // Fields of a kept reply and of a 304.
        "confirmation": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " > ", block)
            let stored = try CachingLines.reply(Array("200 | ".utf8) + parts[0], block)
            return [stored.isConfirmed(by: Parts.fields(parts[1])) ? "confirmed" : "not confirmed"]
        },
        // `METHOD URL > STATUS | fields`: what is no longer kept.
        "invalidation": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " > ", block)
            let request = try CachingLines.Message(parts[0], block)
            let reply = try CachingLines.Message(parts[1], block)
            let keys = CacheKey.invalidated(
                by: request.words[0], to: try ClientURL(request.words[1]),
                status: try Parts.number(Array(reply.words[0].utf8), block), replyFields: reply.fields)
            return keys.isEmpty ? ["nothing"] : keys.map { ByteText.inLine($0.bytes) }
        },
    ]
}

enum CachingLines {
    /// Words, and fields behind them: `GET http://h/ | Accept: a`.
    struct Message {
        let words: [String]
        let fields: [HTTPField]

        init(_ input: [UInt8], _ block: Block) throws {
            let parts = Parts.of(input)
            words = Parts.text(parts.first ?? []).split(separator: " ", omittingEmptySubsequences: false)
                .map(String.init)
            fields = parts.dropFirst().map(Parts.field)
            guard !words.isEmpty else { throw RowError(block.line, "expected words and fields, as in GET | Accept: a") }
        }
    }

    static func text(_ field: HTTPField) -> String { "\(field.name): \(ByteText.inLine(field.bytes))" }

    static func reply(_ input: [UInt8], _ block: Block) throws -> CachedReply {
        let message = try Message(input, block)
        guard
            let reply = CachedReply(
                status: try Parts.number(Array(message.words[0].utf8), block), fields: message.fields,
                requestFields: [], requestedAt: block.number(ofWord: "requested") ?? 10_000,
                receivedAt: block.number(ofWord: "received") ?? 10_000)
        else { throw RowError(block.line, "such a reply is not kept") }
        return reply
    }
}
