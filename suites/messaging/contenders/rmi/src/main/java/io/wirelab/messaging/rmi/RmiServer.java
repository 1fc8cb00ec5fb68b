package io.wirelab.messaging.rmi;

import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.AlreadyBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A registry and the exchange in it, on one port: the system's choice, or the one it had before. */
final class RmiServer implements StampingServer {
    /** Filter of what the exchange's arguments may hold; nothing else is read from a stream. */
    private static final ObjectInputFilter ARGUMENTS = ObjectInputFilter.Config.createFilter(
            "maxarray=16777216;maxdepth=10;java.rmi.**;java.lang.reflect.Proxy;"
                    + "io.wirelab.messaging.rmi.*;!*");

    private final LoopbackSockets sockets;
    private final Registry registry;
    /** Held here: RMI itself holds what nobody has a stub of but weakly. */
    private final Remote exchange = new RoomExchange();

    RmiServer(Spec spec) throws IOException, AlreadyBoundException {
        sockets = LoopbackSockets.install(spec.limits().operationNs(), TimeUnit.MILLISECONDS.toNanos(
                spec.parameters().integerWithin("callback_timeout_ms", 1, Integer.MAX_VALUE)));
        int port = spec.listenAddress().getPort();
        registry = LocateRegistry.createRegistry(port);
        registry.bind(Exchange.NAME, UnicastRemoteObject.exportObject(exchange, port, ARGUMENTS));
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.rmi", "version", System.getProperty("java.version"));
    }

    @Override
    public String endpoint() {
        return "127.0.0.1:" + sockets.port();
    }

    @Override
    public void close() throws IOException {
        UnicastRemoteObject.unexportObject(exchange, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }
}
