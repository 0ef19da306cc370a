internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario

extension SidecarFile {
    /// Opens the very file that was loaded, following no link.
    ///
    /// Throws ``ConnectionEnd/sourceFailed(_:)`` where another one stands there, or it was written since.
    func open() throws(ConnectionEnd) -> OpenFile {
        let file: OpenFile
        do throws(CallFailure) {
            file = try OpenFile(path: loaded?.realPath ?? path, followsLinks: loaded == nil)
        } catch {
            throw .sourceFailed("\(error)")
        }
        guard let loaded, let identity = file.identity, let change = loaded.identity.change(to: identity) else {
            return file
        }
        throw .sourceFailed(
            "\(path) has changed since it was loaded: \(change); load the fixtures again (serve --watch, or SIGHUP)")
    }

    /// The file was cut while it was sent.
    func isShort(now byteCount: Int) -> ConnectionEnd {
        .sourceFailed("\(path) has \(byteCount) bytes now, and had \(self.byteCount) when it was loaded")
    }
}
