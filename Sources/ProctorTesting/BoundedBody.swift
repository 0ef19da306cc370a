internal import Testing

/// Runs the body of an exam so that it can be cancelled without cancelling the test.
enum BoundedBody {
    /// How long a cancelled body may go on before a person is told that it does.
    private static let farewell = Duration.seconds(5)

    /// Waits for the body's end in any case, for it may use what stands on the caller's stack.
    static func run<Result>(
        _ exam: Exam, at place: SourceLocation, isolation: isolated (any Actor)?,
        _ body: @escaping (Exam) async throws -> Result
    ) async -> Swift.Result<Result, any Error> {
        let lent = Lent(body)
        let task = Task {
            // On the actor of the caller, as a body that is called by it.
            _ = isolation
            do {
                return Lent(Swift.Result<Result, any Error>.success(try await lent.value(exam)))
            } catch {
                return Lent(Swift.Result<Result, any Error>.failure(error))
            }
        }
        let watchdog = Task {
            guard (try? await Task.sleep(for: exam.patience)) != nil else { return }
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

/// A value that a task alone uses while its owner waits for the task.
///
/// Not checked by the compiler: the owner touches it before the task begins and after it has ended.
private struct Lent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
