package io.wirelab.messaging.udp;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketAddress;
import java.util.Arrays;

/** Messages in datagrams of their own: kind (u8), message. Nothing is sent again, and nothing waits. */
final class Datagrams {
    /** Comes back to its sender. */
    static final int ECHO = 1;

    /** Goes to everybody. */
    static final int BROADCAST = 2;

    /** The sender gets from now on what is for everybody; comes back as it is. */
    static final int JOIN = 3;

    /** It no longer does. */
    static final int LEAVE = 4;

    /** The largest payload of UDP over IPv4. */
    private static final int LARGEST = 65_507;

    /**
     * Bytes of buffer that are asked of the kernel, which may allow less; what does not fit is
     * lost.
     */
    private static final int BUFFER = 4 * 1024 * 1024;

    private final DatagramSocket socket;
    private final byte[] incoming = new byte[LARGEST];
    private int kind;
    private SocketAddress sender;

    Datagrams(DatagramSocket socket) throws IOException {
        socket.setReceiveBufferSize(BUFFER);
        socket.setSendBufferSize(BUFFER);
        this.socket = socket;
    }

    /** Sends to {@code receiver}; null: to whom the socket is connected with. From any thread. */
    void send(int kind, byte[] message, SocketAddress receiver) throws IOException {
        if (message.length >= LARGEST) {
            throw new IOException(message.length + " bytes do not fit a datagram");
        }
        byte[] content = new byte[message.length + 1];
        content[0] = (byte) kind;
        System.arraycopy(message, 0, content, 1, message.length);
        DatagramPacket packet = new DatagramPacket(content, content.length);
        if (receiver != null) {
            packet.setSocketAddress(receiver);
        }
        socket.send(packet);
    }

    /** The next message; {@link #kind} and {@link #sender} tell about it. For one thread. */
    byte[] receive() throws IOException {
        DatagramPacket packet = new DatagramPacket(incoming, incoming.length);
        do {
            socket.receive(packet);
        } while (packet.getLength() < 1);
        kind = incoming[0];
        sender = packet.getSocketAddress();
        return Arrays.copyOfRange(incoming, 1, packet.getLength());
    }

    int kind() {
        return kind;
    }

    SocketAddress sender() {
        return sender;
    }

    void close() {
        socket.close();
    }
}
