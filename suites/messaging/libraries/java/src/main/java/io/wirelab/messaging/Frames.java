package io.wirelab.messaging;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * Frames on a socket: length (u32, big-endian) of what follows, kind (u8), message. Buffered, header and
 * message leave in one write, and at once. Unbuffered it is as many wrote it first: a write for the
 * header and one for the message, with Nagle's algorithm on, which holds the second back until the first
 * is acknowledged, while the receiver delays that acknowledgement.
 */
public final class Frames {
    /** Comes back to its sender. */
    public static final int ECHO = 1;

    /** Goes to everybody. */
    public static final int BROADCAST = 2;

    /** In a mesh: the port at which who joins is to be found, and the answer to it. */
    public static final int JOIN = 3;

    /** Most bytes that a frame may hold; more is refused before memory is taken for it. */
    public static final int LARGEST = 16 * 1024 * 1024;

    /** Bytes of the length, behind which the kind stands. */
    public static final int LENGTH = Integer.BYTES;

    /** Bytes before the message. */
    public static final int HEADER = LENGTH + 1;

    private static final int BUFFER = 16 * 1024;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private int kind;

    /** Takes a connected socket over. */
    public Frames(Socket socket, boolean buffered) throws IOException {
        socket.setTcpNoDelay(buffered);
        this.socket = socket;
        InputStream read = socket.getInputStream();
        OutputStream written = socket.getOutputStream();
        in = new DataInputStream(buffered ? new BufferedInputStream(read, BUFFER) : read);
        out = buffered ? new BufferedOutputStream(written, BUFFER) : written;
    }

    /** Writes a frame whole, whoever else writes. */
    public synchronized void write(int kind, byte[] message) throws IOException {
        out.write(ByteBuffer.allocate(HEADER).putInt(message.length + 1).put((byte) kind).array());
        out.write(message);
        out.flush();
    }

    /** The next message; {@link #kind} tells what it is. For one thread. */
    public byte[] read() throws IOException {
        int length = in.readInt();
        if (length < 1 || length > LARGEST) {
            throw new IOException("a frame of " + length + " bytes, expected 1 to " + LARGEST);
        }
        kind = in.readUnsignedByte();
        byte[] message = new byte[length - 1];
        in.readFully(message);
        return message;
    }

    /** Waits without an end for what comes next. */
    public void forEver() throws IOException {
        socket.setSoTimeout(0);
    }

    /** Kind of the message that was read last. */
    public int kind() {
        return kind;
    }

    /** Closes the connection. */
    public void close() throws IOException {
        socket.close();
    }

    /** Closes as the kernel does it for a process that was killed with data unread. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
