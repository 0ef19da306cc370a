internal import Foundation
internal import ProctorTrace

/// What a download left in its file, read while the file is there.
struct DownloadedFile {
    /// nil when the file can't be read.
    let byteCount: Int?
    /// At most as many as a `result` takes.
    let start: [UInt8]

    /// `bytes`, and `crc32` where all of it was read.
    var facts: EventFacts {
        byteCount.map { KeptBody(start, byteCount: $0).contentFacts } ?? []
    }

    init(_ location: URL) {
        guard let handle = try? FileHandle(forReadingFrom: location), let end = try? handle.seekToEnd() else {
            byteCount = nil
            start = []
            return
        }
        byteCount = Int(clamping: end)
        _ = try? handle.seek(toOffset: 0)
        start = [UInt8]((try? handle.read(upToCount: KeptBody.limit)) ?? Data())
        try? handle.close()
    }
}
