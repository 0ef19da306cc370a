package proctor;

import java.util.*;
import java.util.stream.Collectors;

/** Reads the server's JSON (RFC 8259) as maps, lists, texts, longs, doubles, booleans and null, and writes the same. */
final class Json {
    private final String text;
    private int at = 0;

    private Json(String text) { this.text = text; }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(String text) { return (Map<String, Object>) new Json(text).value(); }

    /** Any value. */
    static Object read(String text) { return new Json(text).value(); }

    /** The JSON of a value; bytes are {@code {"base64": "…"}}. Refuses a value that JSON has no form for, with its place. */
    static String text(Object value) { return text(value, ""); }

    /** The value of a key, if JSON has a form for all of it. */
    static <Value> Value checked(String key, Value value) {
        text(value, key + " ");
        return value;
    }

    /** {@code place} ends with the JSON pointer of the value. */
    private static String text(Object value, String place) {
        if (place.length() > 10_000) throw new IllegalArgumentException(place.substring(0, 100) + "… is nested too deep, or contains itself");
        if (value instanceof byte[] bytes) return text(Map.of("base64", Base64.getEncoder().encodeToString(bytes)));
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream().map(it -> text(it.getKey().toString()) + ":" + text(it.getValue(), place + "/" + it.getKey()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> elements) {
            var index = new int[1];
            return elements.stream().map(it -> text(it, place + "/" + index[0]++)).collect(Collectors.joining(",", "[", "]"));
        }
        if (value == null || value instanceof Boolean || (value instanceof Number number && Double.isFinite(number.doubleValue()))) {
            return String.valueOf(value);
        }
        if (!(value instanceof CharSequence text)) {
            throw new IllegalArgumentException(place.strip() + " is " + value + " of " + value.getClass().getName() + ", for which JSON has no "
                + "form: wanted a text, a finite number, a boolean, null, a List or a Map");
        }
        return text.chars().mapToObj(it -> it < ' ' || it == '"' || it == '\\' ? String.format("\\u%04x", it) : "" + (char) it)
            .collect(Collectors.joining("", "\"", "\""));
    }

    private Object value() {
        if (take('"')) return string();
        if (take('{')) return members();
        if (take('[')) return elements();
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) at++;
        var word = text.substring(from, at);
        if (word.equals("null")) return null;
        if (word.equals("true") || word.equals("false")) return word.equals("true");
        return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }

    private boolean take(char wanted) {
        while (" \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
        if (text.charAt(at) != wanted) return false;
        at++;
        return true;
    }

    private Map<String, Object> members() {
        var found = new LinkedHashMap<String, Object>();
        for (; !take('}'); take(',')) {
            var key = (String) value();
            take(':');
            found.put(key, value());
        }
        return found;
    }

    private List<Object> elements() {
        var found = new ArrayList<Object>();
        for (; !take(']'); take(',')) found.add(value());
        return found;
    }

    private String string() {
        var found = new StringBuilder();
        for (; text.charAt(at) != '"'; at++) {
            char one = text.charAt(at);
            if (one == '\\') one = escape(text.charAt(++at));
            found.append(one);
        }
        at++;
        return found.toString();
    }

    private char escape(char letter) {
        if (letter != 'u') return "bfnrt".indexOf(letter) < 0 ? letter : "\b\f\n\r\t".charAt("bfnrt".indexOf(letter));
        at += 4;
        return (char) Integer.parseInt(text, at - 3, at + 1, 16);
    }
}
