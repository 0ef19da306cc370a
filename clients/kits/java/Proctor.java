import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/adapters.md).
 *
 * The times are of System.nanoTime, which reads CLOCK_MONOTONIC on Linux; elsewhere they are compared with one another.
 */
final class Proctor {
    /** Milliseconds before the deadline at which the kit gives up. */
    private static final long MARGIN = 200;
    private static final boolean IS_MANY = "many".equals(System.getenv("PROCTOR_ASSIGNMENTS"));
    private static final String CLOCK = System.getProperty("os.name").equals("Linux") ? "monotonic" : "other";
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false);

    /** The abilities that parts of a program take, by their keys. */
    private static final Map<String, String> NEEDS = Arrays.stream("""
        endAt session-end, cache cache, without callbacks, challengeMethods callbacks, proxy proxy, trust trust,
        connectionsPerHost connection-limit, requestTimeout time-limit-silence, resourceTimeout time-limit-total,
        ownScheme own-scheme, identity identity, protocols url-protocol, onCanAuthenticate callbacks,
        onCredentialStorage callbacks, onShouldDecode callbacks, onCanonicalize callbacks, download callbacks,
        answerAfter answer-later, cancelAt cancel, suspendAt suspend, resume resume, producesResumeData resume,
        together several-loads, timeout time-limit-silence, schedule scheduling, protocolScript url-protocol,
        form encodes-values, query encodes-values, byHand store-access""".split(",\\s+"))
        .collect(Collectors.toMap(row -> row.split(" ")[0], row -> row.split(" ")[1]));

    /** One client. {@code refuse} and {@code run} may throw Unimplemented. */
    record Adapter(
        String client, String revision, String version, String abilities, String facts, Consumer<Part> refuse,
        BiConsumer<Part, Trace> run) {}

    /** The program asks for what cannot be told to the client. */
    @SuppressWarnings("serial")
    static final class Unimplemented extends RuntimeException {
        final int task;

        Unimplemented(int task, String reason) {
            super(reason);
            this.task = task;
        }
    }

    /** Writes lines of the lane harness from any thread; each has left the process when the call returns. */
    static final class Trace {
        private int count = 0;
        private final Set<Integer> open = new TreeSet<>();

        void event(String name, int task) { event(name, task, "facts", null); }

        /** {@code key} is facts or arg; a value of null is left out. */
        synchronized void event(String name, int task, String key, Object value) {
            if (name.equals("resume")) open.add(task);
            if (name.equals("result")) open.remove(task);
            put("seq", ++count, "ns", System.nanoTime(), "lane", "harness", "task", task, "ev", name, key, value);
        }

        private synchronized void giveUp() {
            var message = "the step had not ended at the deadline";
            var facts = Map.of("error", "timedOut", "domain", "adapter", "message", message);
            for (var task : List.copyOf(open)) event("result", task, "facts", facts);
            if (IS_MANY) write("\n");
            Runtime.getRuntime().halt(0);
        }
    }

    private static void put(Object... pairs) {
        var line = new LinkedHashMap<String, Object>();
        for (int at = 0; at < pairs.length; at += 2) {
            if (pairs[at + 1] != null) line.put((String) pairs[at], pairs[at + 1]);
        }
        write(Json.text(line) + "\n");
    }

    private static void write(String text) {
        OUT.writeBytes(text.getBytes(UTF_8));
        if (OUT.checkError()) leave(74, "the trace could not be written");
    }

    private static void leave(int code, String complaint) {
        if (complaint != null) System.err.println(complaint);
        Runtime.getRuntime().halt(code);
    }

    /** The whole program: it answers --version, or does what comes on standard input. */
    static void serve(Adapter adapter, String[] words) throws IOException {
        if (words.length == 1 && words[0].equals("--version")) {
            write(adapter.client + " " + adapter.version + "\n");
            leave(0, null);
        } else if (words.length > 0) {
            leave(64, adapter.client + " adapter: unknown argument '" + words[0] + "'; expected none or --version");
        }
        var in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        if (IS_MANY) {
            for (String line; (line = in.readLine()) != null; write("\n")) perform(adapter, line);
        } else {
            perform(adapter, new String(System.in.readAllBytes(), UTF_8));
        }
        leave(0, null);
    }

    private static void perform(Adapter adapter, String text) {
        Part assignment = null;
        try {
            assignment = Part.of(new Json(text).value());
        } catch (RuntimeException error) {
            leave(64, adapter.client + " adapter: the assignment can't be read: " + error.getMessage());
        }
        boolean isTimed = assignment.number("version") == 1 && assignment.number("deadline") > 0;
        if (!isTimed || assignment.list("steps").isEmpty()) {
            leave(64, adapter.client + " adapter: no assignment of version 1 with a deadline and steps");
        }
        put("trace", "proctor", "version", 1, "client", adapter.client, "clientVersion", adapter.version,
            "adapter", adapter.client, "adapterVersion", adapter.revision, "clock", CLOCK, "unit", "ns",
            "lanes", List.of("harness"), "facts", List.of(adapter.facts.split("\\s+")),
            "abilities", List.of(adapter.abilities.split("\\s+")), "scenario", assignment.text("scenario"),
            "case", assignment.text("case"), "run", assignment.text("run"));
        var trace = new Trace();
        var timer = new Timer(true);
        timer.schedule(new TimerTask() {
            public void run() { trace.giveUp(); }
        }, Math.max(100, assignment.number("deadline") - MARGIN));
        try {
            refuse(adapter, assignment.part("session"), "session", 0);
            var steps = assignment.parts("steps");
            for (int task = 0; task < steps.size(); task++) {
                refuse(adapter, steps.get(task), "steps[" + task + "]", task);
            }
            adapter.refuse.accept(assignment);
            adapter.run.accept(assignment, trace);
        } catch (Unimplemented error) {
            trace.event("unimplemented", error.task, "arg", error.getMessage());
        }
        timer.cancel();
    }

    /** Throws for the first key that takes what the client has not; the rest the exam finds by itself. */
    private static void refuse(Adapter adapter, Part part, String path, int task) {
        for (var key : part.keys().keySet()) {
            var need = NEEDS.get(key);
            if (need == null || !part.has(key) || List.of(adapter.abilities.split("\\s+")).contains(need)) continue;
            throw new Unimplemented(task, path + "." + key + ": " + adapter.client + " lacks " + need);
        }
    }
}
