package io.wirelab.messaging;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The login for a server of the user's own, which is in the environment and recorded nowhere. */
public final class Login {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(WIRELAB_\\w+)}");

    private Login() {}

    /** The endpoint with the values of the variables that it names, percent-encoded. */
    public static String in(String endpoint) {
        return PLACEHOLDER.matcher(endpoint).replaceAll(found -> {
            String value = System.getenv(found.group(1));
            if (value == null) {
                throw new IllegalArgumentException(found.group(1) + " is not set");
            }
            String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
            return Matcher.quoteReplacement(encoded);
        });
    }
}
