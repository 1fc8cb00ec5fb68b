package io.wirelab.messaging;

import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A second address of a server, beside the one that its spec has. A restarted server gets the port that
 * it had; its clients have to find it where it was at this one, too.
 */
public final class SecondAddress {
    private final Path remembered;
    private final String wanted;

    /** The address that the server had before it was restarted, or else the system's choice. */
    public SecondAddress(Spec spec, String name) throws IOException {
        remembered = spec.paths().scratch().resolve(name);
        boolean again = spec.listenAddress().getPort() != 0 && Files.exists(remembered);
        wanted = again ? Files.readString(remembered)
                : spec.listenAddress().getHostString() + ":0";
    }

    /** HOST:PORT to bind; port 0 lets the system choose. */
    public String wanted() {
        return wanted;
    }

    /** The server listens at {@code address} now. */
    public void taken(String address) throws IOException {
        Files.writeString(remembered, address);
    }
}
