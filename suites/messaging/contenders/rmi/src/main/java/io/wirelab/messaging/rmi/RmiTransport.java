package io.wirelab.messaging.rmi;

import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;

/** A stub from the registry for each user, and a callback of its own where others send to it. */
final class RmiTransport implements Transport {
    private final String host;
    private final int port;

    public static void main(String[] arguments) {
        Messaging.main(arguments, RmiTransport::new, RmiServer::new, null);
    }

    RmiTransport(Spec spec) throws IOException {
        InetSocketAddress server = spec.endpointAddress("server");
        host = server.getHostString();
        port = server.getPort();
        long limitNs = spec.limits().operationNs();
        LoopbackSockets.install(limitNs, limitNs);
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "java.rmi", "version", System.getProperty("java.version"));
    }

    @Override
    public Link connect(int user, Inbox inbox) throws RemoteException, NotBoundException {
        Exchange exchange =
                (Exchange) LocateRegistry.getRegistry(host, port).lookup(Exchange.NAME);
        if (inbox == null) {
            return new RmiLink(exchange, null);
        }
        Receiver callback = inbox::delivered;
        RmiLink link = new RmiLink(exchange, callback);
        try {
            exchange.join((Receiver) UnicastRemoteObject.exportObject(callback, 0));
            return link;
        } catch (RemoteException failed) {
            link.abandon();
            throw failed;
        }
    }

    /** A server that was started anew does not know the stubs of the old one. */
    @Override
    public Status statusOf(Throwable thrown) {
        return thrown instanceof NoSuchObjectException
                ? Status.DISCONNECTED : Transport.super.statusOf(thrown);
    }

    /** One user; {@code callback} is null where nobody sends to it. */
    private record RmiLink(Exchange exchange, Receiver callback) implements Link {
        @Override
        public void echo(byte[] message, Reply reply) throws RemoteException {
            reply.arrived(exchange.echo(message));
        }

        @Override
        public void broadcast(byte[] message) throws RemoteException {
            exchange.broadcast(message);
        }

        @Override
        public void close() throws RemoteException {
            try {
                if (callback != null) {
                    exchange.leave(callback);
                }
            } finally {
                abandon();
            }
        }

        /** Connections are the process's, not the user's: what a user can withdraw is its callback. */
        @Override
        public void abandon() throws NoSuchObjectException {
            if (callback != null) {
                UnicastRemoteObject.unexportObject(callback, true);
            }
        }
    }
}
