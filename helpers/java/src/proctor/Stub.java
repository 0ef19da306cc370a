package proctor;

import java.util.*;

/** One exchange of a test; each method gives the stub back. The words are those of all helpers (Docs/use/stubs.md). */
public final class Stub {
    private final String request;
    private final Map<String, Object> patterns = new LinkedHashMap<>(), beside = new LinkedHashMap<>();
    private final List<Map<String, Object>> replies = new ArrayList<>();
    /** FILE:LINE of the test, which failures name; empty where it is unknown. */
    private final String place;
    private Run run;

    Stub(String request, String place) {
        this.request = request;
        this.place = place;
    }

    /** Where the first frame outside this package stands. */
    static String caller() {
        var frame = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
            .walk(frames -> frames.filter(it -> it.getDeclaringClass().getPackage() != Stub.class.getPackage()).findFirst());
        return frame.filter(it -> it.getFileName() != null).map(it -> it.getFileName() + ":" + it.getLineNumber()).orElse("");
    }

    /** What the request has besides, by a key of Docs/format/requests.md: json, headers, cookies, query, form, body. */
    public Stub having(String key, Object pattern) {
        refuseChange();
        patterns.put(key, Json.checked(key, pattern));
        return this;
    }

    /** An empty reply. Of several each is sent once, in turn, and the last one stays; without any the reply is an empty 200. */
    public Stub reply(int status) { return reply(status, Map.of()); }

    /** A reply with a text as its content. */
    public Stub reply(int status, String body) { return reply(status, Map.of("body", body)); }

    /**
     * A reply with "json", which brings its Content-Type along, "body", "headers", and the other keys of Docs/format/replies.md, as
     * "effects": {@code reply(200, Map.of("json", List.of(1, 2)))}.
     */
    public Stub reply(int status, Map<String, ?> parts) {
        var whole = new LinkedHashMap<String, Object>(Map.of("status", status));
        whole.putAll(parts);
        return reply(whole);
    }

    /** The same without a status, which is 200, or what a "websocket" or a "script" says. */
    public Stub reply(Map<String, ?> parts) {
        refuseChange();
        var reply = new LinkedHashMap<String, Object>(parts);
        reply.forEach(Json::checked);
        if (parts.containsKey("json")) {
            reply.put("body", Collections.singletonMap("json", reply.remove("json")));
            var fields = new LinkedHashMap<String, Object>();
            if (parts.get("headers") instanceof Map<?, ?> given) given.forEach((name, value) -> fields.put(name.toString(), value));
            if (fields.keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) fields.put("Content-Type", "application/json");
            reply.put("headers", fields);
        }
        replies.add(reply);
        return this;
    }

    /** Exactly so many requests, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test. */
    public Stub times(int count) { return setting("times", Map.of("exactly", count)); }

    /** At least so many requests, 1 to 1,000,000. */
    public Stub atLeast(int count) { return setting("times", Map.of("at-least", count)); }

    /** The test passes without a request to the stub. */
    public Stub optional() { return setting("optional", true); }

    /** Another key of an exchange (Docs/format/requests.md), as "reads". */
    public Stub setting(String key, Object value) {
        refuseChange();
        beside.put(key, Json.checked(key, value));
        return this;
    }

    /** The requests that this stub has answered so far, in the order in which they came. */
    public List<Request> requests() {
        return run == null ? List.of() : Request.all(run).stream().filter(it -> it.stub() == this).toList();
    }

    void serve(Run run) { this.run = run; }

    private void refuseChange() {
        if (run != null) throw new IllegalStateException("a stub is whole before the first url of its test: say it earlier");
    }

    /** The exchange as a fixture has it. */
    Map<String, Object> exchange() {
        var exchange = new LinkedHashMap<String, Object>(beside);
        exchange.put("request", patterns.isEmpty() ? request : full());
        exchange.put("reply", replies.isEmpty() ? List.of(Map.of()) : replies);
        if (!place.isEmpty()) exchange.put("place", place);
        return exchange;
    }

    private Map<String, Object> full() {
        var words = request.split(" ", 2);
        var target = words[words.length - 1].split("\\?", 2);
        var full = new LinkedHashMap<String, Object>(Map.of("method", words[0], "path", target[0]));
        if (target.length > 1) full.put("query", target[1]);
        full.putAll(patterns);
        return full;
    }
}
