package io.wirelab.kv;

import java.net.InetSocketAddress;

/** Addresses of servers. */
public final class Network {
    private Network() {}

    /**
     * The parts of {@code HOST:PORT}, with or without a scheme before it.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static InetSocketAddress addressOf(String endpoint) {
        String address = endpoint.replaceFirst("^[a-z]+://", "");
        int colon = address.lastIndexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("endpoint: expected HOST:PORT, found " + endpoint);
        }
        return InetSocketAddress.createUnresolved(address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)));
    }
}
