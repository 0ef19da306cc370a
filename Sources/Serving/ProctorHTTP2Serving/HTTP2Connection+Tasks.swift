internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop
internal import ProctorServing

/// The tasks in which answers wait and output is written; they end with the connection.
extension HTTP2Connection {
    /// Whether an answer or the output waits for a task.
    var needsTask: Bool { tasks.hasNew || output.needsWriter }

    /// Serves the connection as long as tasks of it run, or to its end.
    func serveByTasks() async {
        let held = LoopBound(AnswerTasks.Holder(), on: socket.loop)
        held.value.connection = self
        defer { held.value.connection = nil }
        await withDiscardingTaskGroup { group in
            while true {
                sendOut()
                if output.needsWriter {
                    tasks.runningCount += 1
                    group.addTask { await held.value.connection?.write() }
                }
                for _ in 0..<tasks.beginAll() { group.addTask { await held.value.connection?.runNext() } }
                if presentEnd != nil {
                    await finish()
                    group.cancelAll()
                    return
                }
                guard tasks.runningCount > 0 else { return }
                await readOnce()
            }
        }
    }

    /// A task ends; behind the last one the connection waits without the group.
    private func endTask() {
        tasks.runningCount -= 1
        if tasks.runningCount == 0, streams.isEmpty { wakeReader() }
    }

    private func runNext() async {
        defer { endTask() }
        let next = tasks.takeNext()
        do throws(ConnectionEnd) {
            try await next.rest.finish()
            // The connection waits no longer than a reply may that is kept now.
            if next.stream.kept != nil { wakeReader() } else { closeIfDone(next.stream) }
        } catch {
            endStream(next.stream, error)
        }
        flush()
    }

    /// The answer of a stream has ended with an error.
    func endStream(_ stream: MultiplexedStream, _ error: ConnectionEnd) {
        guard end == nil else { return }
        switch error {
        case .streamReset, .streamEnded: streams[stream.id] = nil
        // Other streams may still be answered.
        case .peerClosed where input.hasEnded: streams[stream.id] = nil
        case .timedOut: reset(stream, .cancel)
        case .sourceFailed, .unanswerable: reset(stream, .internalError)
        case .refused: reset(stream, .protocolError)
        case .stopped, .peerClosed, .peerReset, .serverCloses, .tunnelEnded, .serverEnded, .insecure:
            close(with: error)
        }
        wakeReader()
    }

    private func write() async {
        defer { endTask() }
        do throws(ConnectionEnd) {
            repeat {
                try await output.write()
                wakeStreams()
            } while !output.isEmpty && !output.isWriting && end == nil
            if isLeaving || input.hasEnded { wakeReader() }
        } catch {
            close(with: error)
        }
    }
}
