package proctor;

import java.util.*;

/**
 * What the server makes of a run by one case.
 *
 * @param outcome a word of Docs/judging/verdicts.md
 * @param codes those of the call judge in Docs/use/client.md
 * @param text what went wrong, the timeline and the findings, for people
 * @param data all that the server said
 */
public record Verdict(String outcome, List<String> codes, String text, Map<String, Object> data) {
    @SuppressWarnings("unchecked")
    Verdict(Map<String, Object> data) {
        this((String) data.get("outcome"), (List<String>) data.get("codes"), (String) data.get("text"), data);
    }

    boolean isFailure() { return Boolean.TRUE.equals(data.get("isFailure")); }
}
