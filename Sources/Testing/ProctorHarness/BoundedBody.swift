internal import Testing

/// Runs the body of an exam in a task that can be cancelled without the test's task.
enum BoundedBody {
    /// How long a cancelled body may run before a message names it.
    private static let farewell = Duration.seconds(5)

    /// Always waits for the body's end, because the body may use values on the caller's stack.
    static func run<Result>(
        _ exam: Exam, at place: SourceLocation, isolation: isolated (any Actor)?,
        _ body: @escaping (Exam) async throws -> Result
    ) async -> Swift.Result<Result, any Error> {
        let lent = Lent(body)
        let task = Task {
            // Runs on the caller's actor, as the body does.
            _ = isolation
            do {
                return Lent(Swift.Result<Result, any Error>.success(try await lent.value(exam)))
            } catch {
                return Lent(Swift.Result<Result, any Error>.failure(error))
            }
        }
        let watchdog = Task {
            guard await exam.waitOutPatience() else { return }
            await exam.cutShort { task.cancel() }
            guard (try? await Task.sleep(for: farewell)) != nil else { return }
            exam.tellEndlessBody(at: place)
        }
        let ending = await withTaskCancellationHandler {
            await task.value.value
        } onCancel: {
            task.cancel()
        }
        watchdog.cancel()
        await watchdog.value
        return ending
    }
}

/// A value that one task uses while its owner waits for that task.
///
/// `@unchecked`: the owner uses the value only before the task begins and after the task has ended.
private struct Lent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
