internal import ProctorBase
internal import ProctorLoop
internal import ProctorRecorder

extension KeptBody {
    /// What a download left in its file; nil when it can't be read.
    init?(ofFile path: String) {
        do throws(CallFailure) {
            let file = try OpenFile(path: path)
            let start = try file.bytes(from: 0, byteCount: min(file.byteCount, Self.limit))
            self.init(start, byteCount: file.byteCount)
        } catch {
            return nil
        }
    }
}
