package io.wirelab.messaging.udp;

import io.wirelab.messaging.Background;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Message;
import io.wirelab.messaging.PendingEcho;
import io.wirelab.messaging.Reply;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;

/** A user whose thread reads whatever comes; of echoes only the one that is waited for. */
final class DatagramLink implements Link {
    private static final byte[] NOTHING = {};

    /** Joining is asked for again after so long: the datagram or its answer may be lost. */
    private static final int PATIENCE_MS = 100;

    private final DatagramSocket socket;
    private final Datagrams datagrams;
    private final Inbox inbox;
    private final PendingEcho<Origin> pending = new PendingEcho<>();

    /** Sender and number of a message, which may be one that was given up, or of another link. */
    private record Origin(int user, long sequence) {
        static Origin of(byte[] message) {
            return new Origin(Message.user(message), Message.sequence(message));
        }
    }

    DatagramLink(DatagramSocket socket, int user, Inbox inbox, int limitMs) throws IOException {
        this.socket = socket;
        this.inbox = inbox;
        datagrams = new Datagrams(socket);
        if (inbox != null) {
            join(limitMs);
        }
        socket.setSoTimeout(0);
        Background.start("reader-" + user, 128 * 1024, this::read);
    }

    private void join(int limitMs) throws IOException {
        socket.setSoTimeout(PATIENCE_MS);
        long deadlineNs = System.nanoTime() + limitMs * 1_000_000L;
        while (System.nanoTime() - deadlineNs < 0) {
            datagrams.send(Datagrams.JOIN, NOTHING, null);
            try {
                while (true) {
                    // What others send may be here before the answer: not for this user yet.
                    datagrams.receive();
                    if (datagrams.kind() == Datagrams.JOIN) {
                        return;
                    }
                }
            } catch (SocketTimeoutException lost) {
                // Asked for again.
            }
        }
        throw new SocketTimeoutException("the server did not answer in time");
    }

    private void read() {
        try {
            while (true) {
                byte[] message = datagrams.receive();
                if (datagrams.kind() == Datagrams.BROADCAST) {
                    inbox.delivered(message);
                } else if (datagrams.kind() == Datagrams.ECHO) {
                    pending.answered(Origin.of(message), message);
                }
            }
        } catch (IOException gone) {
            pending.lost(gone);
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) throws IOException {
        pending.begin(Origin.of(message), reply, false);
        datagrams.send(Datagrams.ECHO, message, null);
    }

    @Override
    public void broadcast(byte[] message) throws IOException {
        datagrams.send(Datagrams.BROADCAST, message, null);
    }

    @Override
    public void close() throws IOException {
        try {
            datagrams.send(Datagrams.LEAVE, NOTHING, null);
        } finally {
            datagrams.close();
        }
    }

    /** Closes as a killed process does: the server goes on sending to nobody. */
    @Override
    public void abandon() {
        datagrams.close();
    }
}
