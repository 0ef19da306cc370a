import Foundation
import ProctorTestSupport
import Testing

@testable import ProctorBook

/// The book as a folder of pages.
struct BookSiteTests {
    @Test func `every link of every page leads to a file, and to an anchor of it`() async throws {
        let files = BookSite(try await SampleBook.shipped()).files()
        let texts = Dictionary(uniqueKeysWithValues: files.map { ($0.path, String(decoding: $0.bytes, as: UTF8.self)) })
        let anchors = texts.mapValues { Set(Self.values(of: "id", in: $0)) }
        #expect(texts.count > 60)
        for (path, text) in texts where path.hasSuffix(".html") {
            for target in Self.values(of: "href", in: text) + Self.values(of: "src", in: text) {
                if target.contains("://") || target.hasPrefix("data:") || target.hasPrefix("mailto:") { continue }
                let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                var segments = path.split(separator: "/").dropLast().map(String.init)
                for segment in parts[0].split(separator: "/") {
                    if segment == ".." {
                        #expect(segments.popLast() != nil, "\(path): \(target)")
                    } else {
                        segments.append(String(segment))
                    }
                }
                let file = parts[0].isEmpty ? path : segments.joined(separator: "/")
                #expect(texts[file] != nil, "\(path): \(target)")
                if parts.count > 1 { #expect(anchors[file]?.contains(parts[1]) == true, "\(path): \(target)") }
            }
        }
    }

    @Test func `the data of the search is the entries of the search`() throws {
        let book = try SampleBook.book()
        let file = try #require(BookSite(book).files().first { $0.path == "book-data.js" })
        let prefix = Array("globalThis.proctorBook = ".utf8)
        #expect(file.bytes.starts(with: prefix) && file.bytes.suffix(2) == Array(";\n".utf8)[...])
        let json = Data(file.bytes.dropFirst(prefix.count).dropLast(2))
        let data = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        let entries = try #require(data["entries"] as? [[String: Any]])
        #expect(entries.count == BookSearch(book).entries.count)
        #expect(entries.contains { $0["address"] as? String == "cookbook/slow.html#a-slow-start" })
        #expect((data["empty"] as? [String])?.contains("my") == true)
        #expect((data["synonyms"] as? [[String: Any]])?.contains { $0["word"] as? String == "self signed" } == true)
    }

    /// The values of an attribute, with what was escaped in them.
    private static func values(of name: String, in text: String) -> [String] {
        text.components(separatedBy: " \(name)=\"").dropFirst().map { part in
            part.prefix { $0 != "\"" }.replacingOccurrences(of: "&amp;", with: "&")
                .replacingOccurrences(of: "&#39;", with: "'")
        }
    }
}
