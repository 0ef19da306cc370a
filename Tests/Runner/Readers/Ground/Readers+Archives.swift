import Foundation
import ProctorBase

@testable import ProctorCoding

@testable import ProctorForkedFiles
extension ReaderRunner {
    static let archives: [String: DataReader] = [
        // Entries of a tar archive: `a/; a/one = CONTENT; run * = CONTENT; l ->` (a folder, a file, one that can be run, a link), and
        // behind ` > ` changes of its bytes.
        "tar": .whole { input, _ in
            let parts = Parts.of(input, by: " > ")
            let plain = TarText.bytes(parts.first ?? []) + [UInt8](repeating: 0, count: 1_024)
            let bytes = try ChangedBytes.apply(parts.count > 1 ? Parts.text(parts[1]) : "", to: plain)
            let files: [TarArchive.File]
            do throws(CodingFailure) { files = try TarArchive(parsing: bytes).files } catch {
                return ["refused \(error.kind) at \(error.offset): \(error.sentence)"]
            }
            for count in stride(from: 0, to: plain.count, by: 13)
            where (try? TarArchive(parsing: Array(plain.prefix(count)))) != nil {
                return ["the first \(count) bytes are an archive too"]
            }
            return files.map {
                "\($0.path)\($0.isExecutable ? " *" : "") at \($0.range.lowerBound) = \(ByteText.inLine(bytes[$0.range]))"
            }
        },
        // `one`, `two` or `three`, and words: `flags N`, `data N`, `resource N` (bytes), `name-length N`, `type T`, `created N`,
        // `modified N`; behind ` > ` changes.
        "macbinary": .line { text in try MacBinaryTrial(text).line() },
        // A whole archive in hexadecimal, with changes.
        "macbinary-bytes": .text { text, _ in
            let bytes = try ChangedBytes.bytes(text)
            let archive = try MacBinary(parsing: bytes)
            let file = archive.file
            return [
                "version \(archive.version)",
                "\(Parts.text(file.name)) \(Parts.text(file.type)) \(Parts.text(file.creator))",
                "flags \(String(file.flags, radix: 16))", "\(file.data.count) and \(file.resource.count) bytes",
                archive.bytes == bytes ? "written as it was" : "written otherwise",
            ]
        },
        // `DATA | RESOURCE` of a file, written and read again.
        "binhex": .whole { input, block in
            let forks = try Parts.exactly(2, input, by: " | ", block)
            let file = try ForkedFile(
                name: Array("Read Me".utf8), type: Array("TEXT".utf8), creator: Array("ttxt".utf8), flags: 0x2100,
                data: forks[0], resource: forks[1])
            let bytes = BinHex(file).bytes
            let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst(2).dropLast()
            guard lines.dropLast().allSatisfy({ $0.count == 64 }), 2...65 ~= lines.last?.count ?? 0 else {
                return ["lines of another length"]
            }
            guard try BinHexRuns.unpack(BinHexRuns.pack(forks[0]), limit: forks[0].count) == forks[0] else {
                return ["other runs"]
            }
            // A letter around it, with other ends of lines.
            let other = Array("Dear: all\r\n:not this\r\n".utf8) + bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
            for text in [bytes, other + Array("regards\r\n:::".utf8)] where try BinHex(parsing: text).file != file {
                return ["another file"]
            }
            return ["comes back in \(lines.count) lines"] + (bytes.count < 200 ? Self.damage(bytes, file) : [])
        },
        "binhex-text": .whole { input, _ in
            do throws(CodingFailure) { return ["a file of \(try BinHex(parsing: input).file.data.count) bytes"] } catch
            {
                return ["\(error.kind): \(error.sentence)"]
            }
        },
        // `pack HEX`, or `unpack HEX` within 300 bytes; `crc TEXT`.
        "binhex-runs": .line { text in
            let words = text.split(separator: " ", maxSplits: 1)
            let rest = words.count > 1 ? words[1] : ""
            if words[0] == "crc" { return String(CRC16.checksum(of: Array(rest.utf8)), radix: 16) }
            let bytes = try ByteText.hexadecimal(rest)
            if words[0] == "pack" { return BinHexRuns.pack(bytes).hexadecimal }
            do throws(CodingFailure) { return try BinHexRuns.unpack(bytes, limit: 300).hexadecimal } catch {
                return "\(error.kind): \(error.sentence)"
            }
        },
    ]

    /// Cuts and changes that are read as something else.
    private static func damage(_ bytes: [UInt8], _ file: ForkedFile) -> [String] {
        // The last two bytes are the colon and the end of its line.
        for count in 0..<bytes.count - 1 where (try? BinHex(parsing: Array(bytes.prefix(count)))) != nil {
            return ["the first \(count) bytes are a file too"]
        }
        for place in bytes.indices {
            for byte in [UInt8(ascii: "!"), 0x90, 0, 0x3A] where byte != bytes[place] {
                var changed = bytes
                changed[place] = byte
                // What means nothing may change: the end of the announcement, the version, and bits that fill up the last character.
                if let other = try? BinHex(parsing: changed), other.file != file {
                    return ["another file by byte \(place)"]
                }
            }
        }
        return []
    }
}

/// Headers as POSIX describes them, with their sums.
private enum TarText {
    static func bytes(_ text: [UInt8]) -> [UInt8] {
        Parts.of(text, by: "; ").flatMap { entry in
            let parts = Parts.of(entry, by: " = ")
            var path = Parts.text(parts[0])
            let content = parts.count > 1 ? parts[1] : []
            let (isLink, isExecutable) = (path.hasSuffix(" ->"), path.hasSuffix(" *"))
            if isLink { path.removeLast(3) }
            if isExecutable { path.removeLast(2) }
            let isFolder = path.hasSuffix("/") && parts.count == 1
            return header(
                path, content.count, isExecutable || isFolder ? "0000755" : "0000644",
                isFolder ? "5" : isLink ? "2" : "0")
                + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
        }
    }

    private static func header(_ path: String, _ byteCount: Int, _ mode: String, _ kind: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func write(_ text: String, at place: Int) {
            header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
        }
        func octal(_ number: Int, _ count: Int) -> String {
            let digits = String(number, radix: 8)
            return String(repeating: "0", count: count - digits.count) + digits
        }
        write(path, at: 0)
        write(mode, at: 100)
        write(octal(byteCount, 11), at: 124)
        write(kind, at: 156)
        write("ustar\u{0}00", at: 257)
        write(String(repeating: " ", count: 8), at: 148)
        write(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
        return header
    }
}

private struct MacBinaryTrial {
    private let words: [String]
    private let changes: String

    init(_ text: String) {
        let parts = text.components(separatedBy: " > ")
        words = parts[0].split(separator: " ").map(String.init)
        changes = parts.count > 1 ? parts[1] : ""
    }

    private func value(_ word: String) -> String? {
        words.firstIndex(of: word).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }

    private func number(_ word: String) -> Int? { value(word).flatMap { Int($0) } }

    func line() throws -> String {
        let version: MacBinary.Version = words[0] == "one" ? .one : words[0] == "two" ? .two : .three
        func fork(_ word: String) -> [UInt8] {
            (0..<(number(word) ?? 0)).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
        }
        let archive: MacBinary
        do throws(CodingFailure) {
            let name = number("name-length").map { [UInt8](repeating: 0x61, count: $0) } ?? Array("Read Me".utf8)
            let file = try ForkedFile(
                name: name, type: Array((value("type") ?? "TEXT").utf8), creator: Array("ttxt".utf8),
                flags: UInt16(number("flags") ?? 0x2100), created: number("created") ?? 1_700_000_000,
                modified: number("modified") ?? -1_000_000_000, data: fork("data"), resource: fork("resource"))
            archive = try MacBinary(file, version: version)
        } catch { return "refused \(error.kind): \(error.sentence)" }
        guard changes.isEmpty else { return read(try ChangedBytes.apply(changes, to: archive.bytes), archive) }
        let bytes = archive.bytes
        var lines = [read(bytes, archive), "\(bytes.count) bytes", bytes.prefix(128).hexadecimal]
        // Zeros behind the last fork may be missing.
        let (data, resource) = (number("data") ?? 0, number("resource") ?? 0)
        let whole = 128 + (resource == 0 ? data : (data + 127) / 128 * 128 + resource)
        for count in stride(from: 0, to: whole, by: 3) {
            let told = read(Array(bytes.prefix(count)), archive)
            if !told.hasPrefix("refused truncated") { lines.append("the first \(count) bytes: \(told)") }
        }
        let unmeaning = (0..<128).filter { place in
            var changed = bytes
            changed[place] ^= 0xFF
            return (try? MacBinary(parsing: changed)) == archive
        }
        lines.append(
            "means nothing: "
                + IndexSet(unmeaning).rangeView.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: " "))
        return lines.joined(separator: "; ")
    }

    private func read(_ bytes: [UInt8], _ archive: MacBinary) -> String {
        do throws(CodingFailure) { return try MacBinary(parsing: bytes) == archive ? "comes back" : "another" } catch {
            return "refused \(error.kind) at \(error.offset): \(error.sentence)"
        }
    }
}
