import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.BiConsumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
 *
 * The times are of System.nanoTime, which reads CLOCK_MONOTONIC on Linux; elsewhere they are compared with one another.
 */
final class Proctor {
    /** Milliseconds before the deadline at which the kit gives up. */
    private static final long MARGIN = 200;
    private static final boolean IS_MANY = "many".equals(System.getenv("PROCTOR_ASSIGNMENTS"));
    private static final String CLOCK = System.getProperty("os.name").equals("Linux") ? "monotonic" : "other";
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false);

    /** One client. {@code refuse} and {@code run} may throw Unimplemented; lists are words with spaces between them. */
    record Adapter(
        String client, String revision, String version, String abilities, String facts, String moments,
        Consumer<Part> refuse, BiConsumer<Part, Trace> run, String lanes) {
        /** A client without callbacks. */
        Adapter(
            String client, String revision, String version, String abilities, String facts, String moments,
            Consumer<Part> refuse, BiConsumer<Part, Trace> run) {
            this(client, revision, version, abilities, facts, moments, refuse, run, "harness");
        }

        boolean has(String ability) { return List.of(abilities.split("\\s+")).contains(ability); }
    }

    /** The program asks for what cannot be told to the client. */
    @SuppressWarnings("serial")
    static final class Unimplemented extends RuntimeException {
        final int task;

        Unimplemented(int task, String reason) {
            super(reason);
            this.task = task;
        }
    }

    /** Writes lines from any thread; each has left the process when the call returns. */
    static final class Trace {
        private int count = 0;
        private final Set<Integer> open = new TreeSet<>();

        void event(String name, int task) { event(name, task, "facts", null); }

        /** {@code key} is facts or arg; a value of null is left out. */
        synchronized void event(String name, int task, String key, Object value) {
            if (name.equals("resume")) open.add(task);
            if (name.equals("result")) open.remove(task);
            put("seq", ++count, "ns", System.nanoTime(), "lane", "harness", "task", task, "ev", name, key, told(value));
        }

        /** Facts without those whose texts would not fit a line. */
        private static Object told(Object value) {
            if (!(value instanceof Map<?, ?> facts)) return value;
            var told = new LinkedHashMap<Object, Object>(facts);
            told.values().removeIf(one -> one instanceof String text && text.length() > Part.BODY_LIMIT);
            return told;
        }

        /** A callback of a lane, task or handler; a family, an arg and facts of null are left out. */
        synchronized void callback(String lane, String name, int task, String family, String arg, Object facts) {
            put("seq", ++count, "ns", System.nanoTime(), "lane", lane, "task", task, "ev", name, "family", family,
                "arg", arg, "facts", told(facts));
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
            "lanes", List.of(adapter.lanes.split("\\s+")), "facts", List.of(adapter.facts.split("\\s+")),
            "abilities", List.of(adapter.abilities.split("\\s+")), "scenario", assignment.text("scenario"),
            "case", assignment.text("case"), "run", assignment.text("run"));
        var trace = new Trace();
        var timer = new Timer(true);
        timer.schedule(new TimerTask() {
            public void run() { trace.giveUp(); }
        }, Math.max(100, assignment.number("deadline") - MARGIN));
        try {
            check(adapter, assignment);
            adapter.refuse.accept(assignment);
            adapter.run.accept(assignment, trace);
        } catch (Unimplemented error) {
            trace.event("unimplemented", error.task, "arg", error.getMessage());
        }
        timer.cancel();
    }

    /** Throws for the first part of a program that the client lacks, or cannot be told before a step. */
    private static void check(Adapter adapter, Part assignment) {
        for (var word : assignment.list("needs")) {
            if (!adapter.has((String) word)) throw new Unimplemented(0, "needs: " + adapter.client + " has no " + word);
        }
        var steps = assignment.parts("steps");
        for (int task = 0; task < steps.size(); task++) {
            var reason = refusal(adapter, steps.get(task), steps.get(task).part("cancelAt"));
            if (reason != null) throw new Unimplemented(task, "steps[" + task + "]." + reason.formatted(adapter.client));
        }
    }

    private static String refusal(Adapter adapter, Part step, Part moment) {
        var answers = step.met("onChallenge", "challengeCount").stream().map(one -> one.text("answer")).toList();
        boolean logsIn = adapter.has("basic") || adapter.has("digest") || adapter.has("bearer");
        if (answers.contains("use") && !logsIn) return "onChallenge: %s answers no challenge";
        if (!step.has("beforehand") && !adapter.has("challenges-in-turn")) {
            return "beforehand: %s is told no such answers before a load";
        }
        var event = moment.has("event") ? moment.text("event") : "";
        boolean isLate = event.equals("response") && moment.number("count") > 1;
        if (isLate || !event.isEmpty() && !List.of(adapter.moments.split(" ")).contains(event)) {
            return "cancelAt: %s can't be cancelled then";
        }
        // A question in whose callback the load is cancelled is not answered.
        var answer = step.has("onResponse") && !event.equals("response") ? step.text("onResponse") : "allow";
        if (!List.of("allow", "cancel").contains(answer)) return "onResponse: %s can't say " + answer;
        return step.has("download") ? "download: %s decides nothing about a file" : null;
    }
}
