package io.wirelab.kv;

import io.wirelab.sdk.Status;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeoutException;

/** Addresses, and failures of the network, which libraries wrap in their own. */
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
            throw new IllegalArgumentException("HOST:PORT expected, found " + endpoint);
        }
        return InetSocketAddress.createUnresolved(address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)));
    }

    /** The status that the causes of a failure tell; {@link Status#ERROR} where they tell none. */
    public static Status statusOf(Throwable thrown) {
        for (Throwable why = thrown; why != null; why = why.getCause()) {
            if (why instanceof SocketTimeoutException || why instanceof TimeoutException) {
                return Status.TIMEOUT;
            }
            if (why instanceof ConnectException) {
                return Status.REFUSED;
            }
            if (why instanceof EOFException || why instanceof SocketException
                    || why instanceof ClosedChannelException) {
                return Status.DISCONNECTED;
            }
        }
        return Status.ERROR;
    }
}
