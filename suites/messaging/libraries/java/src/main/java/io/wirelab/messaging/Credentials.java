package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.util.Optional;

/** User and password of a broker of ours, in trials that have it ask for them. */
public record Credentials(String user, String password) {
    private static final String USER = "wirelab";

    /** Credentials that the broker knows; empty where it asks nobody. The same after a restart. */
    public static Optional<Credentials> known(Spec spec) {
        return asked(spec).isEmpty() ? Optional.empty() : Optional.of(
                new Credentials(USER, Long.toHexString(spec.seed() * 0x9E3779B97F4A7C15L)));
    }

    /** Credentials that clients say; in one fault they are not what the broker knows. */
    public static Optional<Credentials> said(Spec spec) {
        return known(spec).map(known -> areWrong(spec)
                ? new Credentials(known.user, known.password + "-no-more") : known);
    }

    /** Tells whether clients are to say a password that the broker does not know. */
    public static boolean areWrong(Spec spec) {
        return asked(spec).equals("wrong");
    }

    private static String asked(Spec spec) {
        String said = spec.parameters().text("credentials", "");
        if (!said.isEmpty() && !said.equals("right") && !said.equals("wrong")) {
            throw new IllegalArgumentException(
                    "credentials: expected right or wrong, found " + said);
        }
        return said;
    }
}
