package proctor;

import java.lang.annotation.*;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The scenario of a {@link Run} that a test method, or its {@code @BeforeEach}, takes as a parameter.
 *
 * <p>It stands at the method, or at its class or the class around that one, for all parameters alike; or at a parameter, for
 * that one. Each test gets a run of its own, which is deleted when the test ends.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PARAMETER})
@ExtendWith(Proctor.class)
public @interface Scenario {
    /** The id of a scenario that the server has, such as {@code redirect/302-get-stays-get}. */
    String value() default "";

    /** In its place, the text of a scenario in YAML or JSON, of up to 1 MiB (Docs/format/file.md). */
    String yaml() default "";

    /** Cases whose verdict is asked when the test and {@code @AfterEach} have passed, as by {@link Run#verdict}. */
    String[] verdict() default {};
}
