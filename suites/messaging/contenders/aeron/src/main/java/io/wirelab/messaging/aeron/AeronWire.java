package io.wirelab.messaging.aeron;

import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Agreements of client and server: streams, kinds of messages, and the header of eight bytes. */
final class AeronWire {
    /** Users to server. */
    static final int REQUESTS = 1;

    /** Server to one user. */
    static final int REPLIES = 2;

    /** Server to everybody. */
    static final int NEWS = 3;

    /** Says on which port of the loopback the sender waits for answers: its header's number. */
    static final int HELLO = 1;

    /** The answer to it. */
    static final int WELCOME = 2;

    /** Comes back to its sender, with the number it was sent with. */
    static final int ECHO = 3;

    /** Goes to everybody. */
    static final int BROADCAST = 4;

    static final int HEADER = 8;

    static final Map<String, String> LIBRARY = Map.of("name", "Aeron", "version", "1.51.0");

    private AeronWire() {}

    static UnsafeBuffer header(int kind, int number) {
        UnsafeBuffer header = new UnsafeBuffer(new byte[HEADER]);
        header.putInt(0, kind);
        header.putInt(Integer.BYTES, number);
        return header;
    }

    static int kind(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset);
    }

    static int number(DirectBuffer buffer, int offset) {
        return buffer.getInt(offset + Integer.BYTES);
    }

    /** The message behind the header, as an array of its own. */
    static byte[] message(DirectBuffer buffer, int offset, int length) {
        byte[] message = new byte[length - HEADER];
        buffer.getBytes(offset + HEADER, message);
        return message;
    }
}
