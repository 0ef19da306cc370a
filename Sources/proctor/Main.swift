/// The entry point; all other code is a function of arguments, environment and output.
@main
struct Main {
    static func main() async {
        let process = ProcessContext.current()
        if let trouble = StartCheck.trouble() {
            process.output.note(trouble)
            process.exit(.failure)
        }
        let code = await CommandLine.run(
            arguments: process.arguments, environment: process.environment, output: process.output)
        process.exit(code)
    }
}
