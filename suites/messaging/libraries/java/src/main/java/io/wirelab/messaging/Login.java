package io.wirelab.messaging;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The login for a server of the user's own, which is in the environment and recorded nowhere. */
public final class Login {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(WIRELAB_\\w+)}");

    private static final Pattern BEFORE_ADDRESS =
            Pattern.compile("\\$\\{(WIRELAB_\\w+)}:\\$\\{(WIRELAB_\\w+)}@(.+)");

    private Login() {}

    /**
     * Address of a server, and the right to go there.
     *
     * @param server HOST:PORT
     * @param credentials none where everybody is let in
     */
    public record Place(String server, Optional<Credentials> credentials) {}

    /** The place that {@code endpoint} names, with the variables of user and password before it. */
    public static Place placeOf(String endpoint) {
        Matcher found = BEFORE_ADDRESS.matcher(endpoint);
        if (!found.matches()) {
            return new Place(endpoint, Optional.empty());
        }
        return new Place(found.group(3), Optional.of(
                new Credentials(value(found.group(1)), value(found.group(2)))));
    }

    /** The endpoint with the values of the variables that it names, percent-encoded. */
    public static String in(String endpoint) {
        return PLACEHOLDER.matcher(endpoint).replaceAll(found -> {
            String value = value(found.group(1));
            String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
            return Matcher.quoteReplacement(encoded);
        });
    }

    private static String value(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalArgumentException(variable + " is not set");
        }
        return value;
    }
}
