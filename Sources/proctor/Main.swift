internal import ProctorExam

/// The entry point; all other code is a function of arguments, environment and output.
@main
struct Main {
    static func main() {
        let process = ProcessContext.current()
        if let trouble = StartCheck.trouble() {
            process.output.note(trouble)
            process.exit(.failure)
        }
        QuitSignal.actAsTermination()
        guard let thread = FirstThread() else {
            process.output.note("no file descriptor is left for this process (see ulimit -n)")
            process.exit(.failure)
        }
        // Known before the first child is started.
        if let name = process.arguments.first, ["exam", "adapter", "run"].contains(name) { LeftProcesses.adopt() }
        // A server waits most of its time; other commands compute, on all processors.
        let executor: any TaskExecutor = process.arguments.first == "serve" ? thread : globalConcurrentExecutor
        // Ends the process, and so never outlives its owner.
        _ = Task(executorPreference: executor) {
            let code = await CommandLine.run(
                arguments: process.arguments, environment: process.environment, output: process.output)
            process.exit(code)
        }
        thread.run()
    }
}
