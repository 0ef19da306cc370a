import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An object of the assignment; a missing key is null, an empty list, or 0. */
record Part(Map<String, Object> keys) {
    /** Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent. */
    static final int BODY_LIMIT = 640 << 10, UPLOAD_LIMIT = 256 << 20;

    boolean has(String key) { return keys.get(key) != null && keys.get(key) != Boolean.FALSE; }
    String text(String key) { return (String) keys.get(key); }
    long number(String key) { return keys.get(key) instanceof Long value ? value : 0; }
    Part part(String key) { return of(keys.get(key)); }
    List<?> list(String key) { return keys.get(key) instanceof List<?> list ? list : List.of(); }
    List<Part> parts(String key) { return list(key).stream().map(Part::of).toList(); }

    /** The answers that a right client comes to: all where the case does not say how many it meets. */
    List<Part> met(String key, String countKey) {
        var all = parts(key);
        return has(countKey) ? all.subList(0, (int) Math.min(all.size(), number(countKey))) : all;
    }

    /** Whether the length of a step's body is not to be known. */
    boolean isStreamed() { return text("bodyForm").endsWith("stream") || text("bodyForm").endsWith("pair"); }

    /** The bytes of a body. */
    byte[] content() {
        var text = has("text") ? text("text") : "";
        var data = has("base64") ? Base64.getDecoder().decode(text("base64")) : text.getBytes(UTF_8);
        if (!keys.containsKey("count") || data.length == 0) return data;
        if (number("count") > UPLOAD_LIMIT) {
            throw new Proctor.Unimplemented(0, "a body has at most " + UPLOAD_LIMIT + " bytes");
        }
        var whole = new byte[(int) number("count")];
        for (int at = 0; at < whole.length; at++) whole[at] = data[at % data.length];
        return whole;
    }

    @SuppressWarnings("unchecked")
    static Part of(Object value) { return new Part(value == null ? Map.of() : (Map<String, Object>) value); }

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
