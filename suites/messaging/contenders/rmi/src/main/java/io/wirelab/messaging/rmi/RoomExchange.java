package io.wirelab.messaging.rmi;

import io.wirelab.messaging.Message;
import java.rmi.RemoteException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Answers, and calls everybody back. Called by as many threads as there are calls. */
final class RoomExchange implements Exchange {
    private final Set<Receiver> receivers = ConcurrentHashMap.newKeySet();

    @Override
    public byte[] echo(byte[] message) {
        Message.stampServed(message);
        return message;
    }

    @Override
    public void join(Receiver receiver) {
        receivers.add(receiver);
    }

    @Override
    public void leave(Receiver receiver) {
        receivers.remove(receiver);
    }

    /** A receiver that is gone makes its stub throw: it is evicted, and the others still get theirs. */
    @Override
    public void broadcast(byte[] message) {
        for (Receiver each : receivers) {
            try {
                each.delivered(message);
            } catch (RemoteException gone) {
                if (receivers.remove(each)) {
                    System.err.println("a receiver was evicted: " + gone.getMessage());
                }
            }
        }
    }
}
