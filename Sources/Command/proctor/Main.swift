internal import ProctorExam
internal import ProctorLoop

/// The entry point; all other code is a function of arguments, environment and output.
@main
struct Main {
    static func main() {
        let process = ProcessContext.current()
        if let trouble = StartCheck.trouble() {
            process.output.message(trouble)
            process.exit(.failure)
        }
        Heap.boundUnused()
        SignalMask.unblockAll()
        QuitSignal.actAsTermination()
        guard let thread = FirstThread() else {
            process.output.message("no file descriptor is left for this process (see ulimit -n)")
            process.exit(.failure)
        }
        // The command is known before the first child is started.
        let runsOthers = ["exam", "adapter", "run", "mcp", "fuzz"]
        if let name = process.arguments.first, runsOthers.contains(name) { LeftProcesses.adopt() }
        // A server mostly waits; other commands compute, and use all processors.
        let executor: any TaskExecutor = process.arguments.first == "serve" ? thread : globalConcurrentExecutor
        // This task ends the process.
        _ = Task(executorPreference: executor) {
            let code = await CommandLine.run(
                arguments: process.arguments, environment: process.environment, output: process.output)
            process.exit(code)
        }
        thread.run()
    }
}
