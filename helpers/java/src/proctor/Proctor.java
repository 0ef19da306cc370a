package proctor;

import java.util.*;
import org.junit.jupiter.api.extension.*;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The extension that {@link Scenario} brings along: it gives tests their {@link Run}, asks for the verdicts that {@link Scenario}
 * names and for that of a run, or of {@link Stubs}, that its test has not judged, and adds the timeline to whatever a test throws.
 *
 * <p>The server is the one at the variable PROCTOR_SERVER, called with PROCTOR_TOKEN. Where that is unset, the program
 * PROCTOR_BINARY, the one of an artifact, or proctor in PATH is started once, and ends with the last test, or with the process.
 */
public final class Proctor implements ParameterResolver, AfterEachCallback {
    private static final ExtensionContext.Namespace SPACE = ExtensionContext.Namespace.create(Proctor.class);

    /** The runs of one test, each by the annotation that asked for it. */
    private static final class Runs extends LinkedHashMap<Scenario, Run> implements CloseableResource {
        private static final long serialVersionUID = 1;

        @Override
        public void close() { values().forEach(run -> run.call("DELETE", "", "")); }
    }

    /** The stubs of one test, as a parameter of it or of its {@code @BeforeEach}. */
    private static final class Given implements CloseableResource {
        private final Stubs stubs;

        Given(Stubs stubs) { this.stubs = stubs; }

        @Override
        public void close() { stubs.opened().ifPresent(run -> run.call("DELETE", "", "")); }
    }

    /** What came before a test failed by itself: a suppressed exception of what it threw, without a place of its own. */
    private static final class Timeline extends Throwable {
        private static final long serialVersionUID = 1;

        Timeline(String text) { super("what came in " + text, null, false, false); }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return List.of(Run.class, Stubs.class).contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        if (context.getTestMethod().isEmpty()) {
            throw new ParameterResolutionException("a Run, or Stubs, belong to one test: take them in the test's method, or in @BeforeEach");
        }
        if (parameter.getParameter().getType() == Stubs.class) return given(context).stubs;
        var scenario = parameter.findAnnotation(Scenario.class).or(() -> nearest(context)).orElseThrow(
            () -> new ParameterResolutionException("say which scenario: @Scenario(\"plain/get\") at the method or its class"));
        return run(scenario, context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var failure = context.getExecutionException();
        // A verdict that a test without a Run asks for fails, since nothing came.
        if (failure.isEmpty()) nearest(context).filter(it -> it.verdict().length > 0).ifPresent(it -> run(it, context));
        runs(context).forEach((scenario, run) -> {
            if (failure.isEmpty()) for (var name : scenario.verdict()) run.verdict(name);
            judge(run, failure);
        });
        var given = context.getStore(SPACE).get(Given.class, Given.class);
        // Stubs that no client was led to are judged too, and fail.
        if (given != null && !given.stubs.isEmpty()) judge(failure.isEmpty() ? given.stubs.run() : given.stubs.opened().orElse(null), failure);
    }

    /** Judges what the test has not judged, and adds the timeline to what it threw by itself. */
    private static void judge(Run run, Optional<Throwable> failure) {
        if (run == null) return;
        if (failure.isEmpty()) {
            if (!run.isJudged) run.verdict("");
        } else if (!run.isRaised) {
            failure.get().addSuppressed(new Timeline(run.shownName() + ":\n" + run.timeline()));
        }
    }

    private static Optional<Scenario> nearest(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), Scenario.class)
            .or(() -> context.getParent().flatMap(Proctor::nearest));
    }

    private static Server server(ExtensionContext context) { return context.getRoot().getStore(SPACE).getOrComputeIfAbsent(Server.class); }

    private static Run run(Scenario scenario, ExtensionContext context) {
        return runs(context).computeIfAbsent(scenario, it -> new Run(server(context), it));
    }

    private static Given given(ExtensionContext context) {
        return context.getStore(SPACE).getOrComputeIfAbsent(Given.class, it -> new Given(new Stubs(server(context))), Given.class);
    }

    private static Runs runs(ExtensionContext context) { return context.getStore(SPACE).getOrComputeIfAbsent(Runs.class); }
}
