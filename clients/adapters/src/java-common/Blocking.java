import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One step of a client whose calls block: what the client has in the end, and the moments at which it is cancelled. */
final class Blocking {
    /** Bytes of a body that are read at once. */
    static final int PIECE = 64 << 10;

    /** Does a load; throws what the client throws. */
    interface Client { void perform(Blocking load) throws Exception; }

    final Part step;
    final int task;
    private final String client;
    private final boolean hasSockets;
    private final Proctor.Trace trace;
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private long byteCount = 0;
    private int pieces = 0;

    Blocking(String client, Part session, Part step, int task, Proctor.Trace trace) {
        this.client = client;
        hasSockets = !session.has("proxy")
            && session.parts("names").stream().anyMatch(one -> one.text("address").startsWith("unix:"));
        this.step = step;
        this.task = task;
        this.trace = trace;
    }

    /** Does the steps in order, those that are together each on a thread of its own. */
    static void run(String name, Part session, List<Part> steps, Proctor.Trace trace, Client client) throws Exception {
        var running = new ArrayList<FutureTask<Void>>();
        for (int task = 0; task < steps.size(); task++) {
            if (!isTogether(steps, task)) finish(running);
            var load = new Blocking(name, session, steps.get(task), task, trace);
            trace.event("resume", task);
            if (!isTogether(steps, task) && !isTogether(steps, task + 1)) {
                load.run(client);
                continue;
            }
            running.add(new FutureTask<>(() -> load.run(client), null));
            var thread = new Thread(running.get(running.size() - 1));
            thread.setDaemon(true);
            thread.start();
        }
        finish(running);
    }

    /** Whether the step begins beside the one before. */
    private static boolean isTogether(List<Part> steps, int task) { return task < steps.size() && steps.get(task).has("together"); }

    private static void finish(List<FutureTask<Void>> running) throws Exception {
        for (var one : running) {
            try {
                one.get();
            } catch (ExecutionException error) {
                if (error.getCause() instanceof Proctor.Unimplemented reason) throw reason;
                throw error;
            }
        }
        running.clear();
    }

    /** Does the load, and tells of its result. */
    private void run(Client of) {
        try {
            of.perform(this);
        } catch (Proctor.Unimplemented error) {
            throw error;
        } catch (Exception | StackOverflowError | OutOfMemoryError error) {
            if (hasSockets && Failures.isUnknownHost(error)) cannot("url", "reaches no Unix socket, and a redirect leads to one");
            Failures.add(facts, error, client);
        }
        Part.addBody(facts, body.toByteArray(), byteCount);
        trace.event("result", task, "facts", facts);
    }

    /** Milliseconds of silence after which the client gives up, or {@code otherwise}. */
    static long silence(Part session, Part step, long otherwise) {
        long own = step.number("timeout"), common = session.number("requestTimeout");
        return own > 0 ? own : common > 0 ? common : otherwise;
    }

    /** The size of a read: at a single byte each piece is one that came. */
    int size() { return step.has("cancelAt") ? 1 : PIECE; }

    void cannot(String key, String reason) {
        throw new Proctor.Unimplemented(task, "steps[" + task + "]." + key + ": " + client + " " + reason);
    }

    /** {@code find} looks a field up; null for none. */
    void head(String url, int status, Function<String, String> find) {
        var coding = find.apply("Content-Encoding");
        if (coding != null && !coding.strip().isEmpty() && !coding.strip().equalsIgnoreCase("identity")) {
            cannot("url", "does not undo the coding " + coding + ", which the content has");
        }
        if (url != null) facts.put("url", url);
        facts.put("status", status);
        var type = find.apply("Content-Type");
        var mime = type == null ? "" : type.split(";", 2)[0].strip().toLowerCase();
        if (!mime.isEmpty()) facts.put("mime", mime);
        var names = step.list("fieldNames");
        if (!names.isEmpty()) {
            facts.put("header", names.stream().map(name -> (String) name).filter(name -> find.apply(name) != null)
                .map(name -> name + ": " + find.apply(name)).collect(Collectors.joining("\n")));
        }
    }

    /** Cancels, and throws, where the program says so at the head. */
    void cancelAtHead(Runnable cancel) {
        if ("cancel".equals(step.text("onResponse")) || isMoment(1, "response")) leave(cancel);
    }

    /** Takes a piece of the body; cancels, and throws, where the program says so. */
    void take(byte[] bytes, int count, Runnable cancel) {
        byteCount += count;
        if (byteCount <= Part.BODY_LIMIT) body.write(bytes, 0, count);
        if (isMoment(++pieces, "data", "progress")) leave(cancel);
    }

    private boolean isMoment(int count, String... events) {
        var moment = step.part("cancelAt");
        return Arrays.asList(events).contains(moment.text("event")) && moment.number("count") == count;
    }

    private void leave(Runnable cancel) {
        trace.event("cancel", task);
        cancel.run();
        throw new CancellationException("the load was cancelled");
    }
}
