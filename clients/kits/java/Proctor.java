import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
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
 * The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/adapters.md).
 *
 * The times are of System.nanoTime, which reads CLOCK_MONOTONIC on Linux; elsewhere they are compared with one another alone.
 * What the client lacks by its abilities is left to the exam, which says so whatever the trace holds.
 */
final class Proctor {
    /** Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent. */
    static final int BODY_LIMIT = 640 << 10, UPLOAD_LIMIT = 256 << 20;
    /** Milliseconds before the deadline at which the kit gives up. */
    private static final long MARGIN = 200;
    private static final boolean IS_MANY = "many".equals(System.getenv("PROCTOR_ASSIGNMENTS"));
    private static final String CLOCK = System.getProperty("os.name").equals("Linux") ? "monotonic" : "other";
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false);

    /** One client. {@code refuse} and {@code run} may throw Unimplemented. */
    record Adapter(
        String client, String revision, String version, String abilities, String facts, Consumer<Part> refuse,
        BiConsumer<Part, Trace> run) {}

    /** The program asks for what cannot be told to the client. */
    static final class Unimplemented extends RuntimeException {
        final int task;

        Unimplemented(int task, String reason) {
            super(reason);
            this.task = task;
        }
    }

    /** An object of the assignment; a missing key is null, an empty list, or 0. */
    record Part(Map<String, Object> keys) {
        boolean has(String key) { return keys.get(key) != null && keys.get(key) != Boolean.FALSE; }
        String text(String key) { return (String) keys.get(key); }
        long number(String key) { return keys.get(key) instanceof Long value ? value : 0; }
        Part part(String key) { return new Part(asMap(keys.get(key))); }
        List<?> list(String key) { return keys.get(key) instanceof List<?> list ? list : List.of(); }
        List<Part> parts(String key) { return list(key).stream().map(one -> new Part(asMap(one))).toList(); }

        /** The answers that a right client comes to: all where nobody knows how many questions it meets. */
        List<Part> met(String key, String countKey) {
            var all = parts(key);
            return has(countKey) ? all.subList(0, (int) Math.min(all.size(), number(countKey))) : all;
        }

        /** Whether the length of a step's body is not to be known. */
        boolean isStreamed() { return text("bodyForm").endsWith("stream") || text("bodyForm").endsWith("pair"); }

        /** The bytes of a body. */
        byte[] content() {
            var data = has("base64") ? Base64.getDecoder().decode(text("base64")) : has("text") ? text("text").getBytes(UTF_8) : new byte[0];
            if (!keys.containsKey("count") || data.length == 0) return data;
            if (number("count") > UPLOAD_LIMIT) throw new Unimplemented(0, "a body has at most " + UPLOAD_LIMIT + " bytes");
            var whole = new byte[(int) number("count")];
            for (int at = 0; at < whole.length; at++) whole[at] = data[at % data.length];
            return whole;
        }

        @SuppressWarnings("unchecked")
        private static Map<String, Object> asMap(Object value) { return value == null ? Map.of() : (Map<String, Object>) value; }
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
            var facts = Map.of("error", "timedOut", "domain", "adapter", "message", "the step had not ended at the deadline");
            for (var task : List.copyOf(open)) event("result", task, "facts", facts);
            if (IS_MANY) write("\n");
            Runtime.getRuntime().halt(0);
        }
    }

    private static void put(Object... pairs) {
        var line = new LinkedHashMap<String, Object>();
        for (int at = 0; at < pairs.length; at += 2) if (pairs[at + 1] != null) line.put((String) pairs[at], pairs[at + 1]);
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
            assignment = new Part(Part.asMap(new Json(text).value()));
        } catch (RuntimeException error) {
            leave(64, adapter.client + " adapter: the assignment can't be read: " + error.getMessage());
        }
        if (assignment.number("version") != 1 || assignment.number("deadline") <= 0 || assignment.list("steps").isEmpty()) {
            leave(64, adapter.client + " adapter: standard input has no assignment of version 1 with a deadline and steps");
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
            adapter.refuse.accept(assignment);
            adapter.run.accept(assignment, trace);
        } catch (Unimplemented error) {
            trace.event("unimplemented", error.task, "arg", error.getMessage());
        }
        timer.cancel();
    }

    /** The length of a body, and the body itself where {@code body} is all of it. */
    static void addBody(Map<String, Object> facts, byte[] body, long count) {
        facts.put("bytes", count);
        if (body.length < count) return;
        try {
            var text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            if (text.indexOf(0) < 0) facts.put("body", text);
        } catch (CharacterCodingException error) {
            // It is told in base64.
        }
        if (!facts.containsKey("body")) facts.put("bodyBase64", Base64.getEncoder().encodeToString(body));
    }
}
