internal import ProctorBase
internal import ProctorExam
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The program of an intermediary from its start to its end, with its ports and its folder; its owner calls ``endProgram()``.
///
/// Safe from any thread.
final class RunningIntermediary: Sendable {
    let ports: PortBlock
    /// Where it listens with TLS; nil: nowhere.
    let secure: ByteConversation.SecureEnd?
    private let folder: ClientFolder
    private let stop: ChildStop
    private let ended: Task<WatchedChild.Outcome, Never>

    /// Writes the files of the recipe, where `{upstream}` is `upstream`, and starts the program, which ends at the deadline of
    /// `child` at the latest.
    ///
    /// `identity` is for a recipe with TLS, and `quic` speaks to one with HTTP/3.
    init(
        _ recipe: Recipe, at ports: PortBlock, upstream: String, identity: PEMIdentity?, quic: (any QUICTransport)?,
        child: WatchedChild
    ) throws(CallFailure) {
        let folder = try ClientFolder(.storage)
        let stop = ChildStop()
        var child = child
        do throws(CallFailure) {
            if let identity {
                try NewFile.write(Array(identity.text.utf8).span, to: "\(folder.path)/identity.pem")
            }
            let values = Self.values(ports, upstream: upstream, folder: folder.path, recipe)
            for file in recipe.files {
                try NewFile.write(Array(Recipe.fill(file.text, values).utf8).span, to: "\(folder.path)/\(file.name)")
            }
            child.command = recipe.command.map { Recipe.fill($0, values) }
        } catch {
            folder.remove()
            throw error
        }
        child.stop = stop
        secure = identity.map { ByteConversation.SecureEnd(address: ports.secure, root: $0.root, quic: quic) }
        (self.ports, self.folder, self.stop) = (ports, folder, stop)
        ended = Task { [child] in await child.run { _ in true } }
    }

    /// Whether the program has ended, by itself or since it was told to.
    var hasEnded: Bool { stop.hasEnded }

    /// Tells the program to end; ``endProgram()`` waits for that.
    func requestEnd() { stop.request() }

    /// Ends the program, and removes its folder.
    func endProgram() async -> WatchedChild.Outcome {
        stop.request()
        let outcome = await ended.value
        folder.remove()
        return outcome
    }

    private static func values(
        _ ports: PortBlock, upstream: String, folder: String, _ recipe: Recipe
    ) -> [String: String] {
        func number(_ address: SocketAddress) -> String { address.port.map { "\($0)" } ?? "" }
        return [
            "{listen}": ports.listen.description, "{port}": number(ports.listen),
            "{tls-listen}": ports.secure.description, "{tls-port}": number(ports.secure),
            "{identity}": "\(folder)/identity.pem", "{upstream}": upstream,
            "{upstream-host}": upstream.split(separator: ":").first.map(String.init) ?? "",
            "{upstream-port}": upstream.split(separator: ":").last.map(String.init) ?? "", "{folder}": folder,
            "{recipe}": recipe.folder, "{user}": user, "{spare}": number(ports.spare),
        ]
    }

    private static var user: String {
        geteuid() == 0
            ? "root" : unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "nobody"
    }
}
