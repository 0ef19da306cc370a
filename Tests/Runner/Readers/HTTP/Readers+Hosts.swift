import ProctorHTTP
import ProctorReplies
import ProctorScenario
import ProctorTLSWire

@testable import ProctorServing

extension ReaderRunner {
    /// Hosts of authorities and of targets.
    static let hosts: [String: DataReader] = [
        // Host and port, and whether the host is this machine itself or a name.
        "authority": .whole { input, _ in
            // What stands around it is none of it.
            let bytes = Array("<".utf8) + input + Array(">".utf8)
            guard let place = HostAndPort(bytes.span, in: 1..<bytes.count - 1) else { return ["no port"] }
            return [
                "host \(ByteText.optional(Array(bytes[place.host])))", "port \(place.port.map(String.init) ?? "-")",
                place.isOwn(in: bytes.span) ? "own" : "name",
            ]
        },
        // The authority that a proxy cuts off, and what the origin gets; of a request for OPTIONS with `options`.
        "absolute-target": .whole { input, block in
            let form = AbsoluteTarget.originForm(of: input, isOptions: block.has("options"))
            let target = AbsoluteTarget(input.span, in: input.indices)
            let scheme = target.flatMap { Scheme(of: $0, in: input.span)?.rawValue } ?? "-"
            return [
                "\(scheme) \(ByteText.optional(target.map { Array(input[$0.authority]) }))",
                "sends \(ByteText.optional(form))",
            ]
        },
        // What the labels of a server name say, among the certificates `valid`, `expired` and `self-signed`; `-` is no name.
        "server-name": .line { text in
            let usual = TLSProgram()
            do throws(LabelRefusal) {
                let program = try ServerNameLabels.program(
                    for: text == "-" ? nil : text, profiles: ["valid", "expired", "self-signed"])
                let versions = (program.oldest, program.newest) == (usual.oldest, usual.newest)
                return
                    "\(program.certificate), \(versions ? "all" : "\(program.oldest.rawValue) to \(program.newest.rawValue)")"
                    + (program.applicationProtocols == usual.applicationProtocols
                        ? "" : ", \(program.applicationProtocols)")
            } catch { return "refused: \(error)" }
        },
    ]
}
