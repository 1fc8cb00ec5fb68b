package io.wirelab.messaging.kafka;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a broker, and the right to go there: the login for a server of the user's own, which
 * is in the environment and recorded nowhere.
 *
 * @param server HOST:PORT
 * @param login settings that let a client in; none where everybody is
 */
record Place(String server, Map<String, String> login) {
    private static final Pattern WITH_LOGIN =
            Pattern.compile("\\$\\{(WIRELAB_\\w+)}:\\$\\{(WIRELAB_\\w+)}@(.+)");

    /** The place that {@code endpoint} names, with the variables of user and password before it. */
    static Place of(String endpoint) {
        Matcher found = WITH_LOGIN.matcher(endpoint);
        if (!found.matches()) {
            return new Place(endpoint, Map.of());
        }
        String module = "org.apache.kafka.common.security.plain.PlainLoginModule required"
                + " username=" + quoted(found.group(1)) + " password=" + quoted(found.group(2)) + ";";
        return new Place(found.group(3), Map.of(
                "security.protocol", "SASL_PLAINTEXT",
                "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", module));
    }

    private static String quoted(String variable) {
        String value = System.getenv(variable);
        if (value == null) {
            throw new IllegalArgumentException(variable + " is not set");
        }
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
