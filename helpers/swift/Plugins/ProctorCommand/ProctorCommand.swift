import Foundation
import PackagePlugin

/// `swift package proctor …`: the program with the words behind it, in the folder of the package.
@main
struct ProctorCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let owner = getppid()
        let path = try context.tool(named: "proctor").path.string
        guard chdir(context.package.directory.string) == 0 else { throw CocoaError(.fileNoSuchFile) }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, path, nil, nil, &words, environ) == 0 else { throw CocoaError(.executableLoad) }
        // This thread waits without a suspension: as soon as it is free, the library of plugins ends a process whose SwiftPM is gone.
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            if getppid() != owner { kill(process, SIGTERM) }
            usleep(20_000)
        }
        if status != 0 {
            let code = status & 0x7f == 0 ? status >> 8 : status & 0x7f
            Diagnostics.error("proctor \(arguments.first ?? "") ends with \(code)")
        }
    }
}
