package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.wirelab.sdk.Fields;

/**
 * Frames as those of {@code socket}: length (u32, big-endian) of what follows, kind (u8), message. They
 * pass whole, length included, so that a server sends on what it got without putting it together again.
 */
final class NioFrames {
    /** Comes back to its sender. */
    static final int ECHO = 1;

    /** Goes to everybody. */
    static final int BROADCAST = 2;

    /** Most bytes that a frame may hold; the decoder refuses more before it takes memory for it. */
    private static final int LARGEST = 16 * 1024 * 1024;

    private static final int LENGTH = 4;
    private static final int HEADER = LENGTH + 1;

    private NioFrames() {}

    /** Puts what makes frames of bytes before the handlers that {@code pipeline} will get. */
    static void prepare(ChannelPipeline pipeline, Fields tuning) {
        LengthFieldBasedFrameDecoder decoder = new LengthFieldBasedFrameDecoder(LARGEST, 0, LENGTH);
        decoder.setDiscardAfterReads(tuning.integerWithin("discard_after_reads", 1, 1 << 16));
        pipeline.addLast(
                new FlushConsolidationHandler(
                        tuning.integerWithin("flushes_consolidated", 1, 1 << 16), true),
                decoder);
    }

    /** A frame around a copy of {@code message}, to be released by whoever writes it. */
    static ByteBuf frame(ByteBufAllocator allocator, int kind, byte[] message) {
        return allocator.buffer(HEADER + message.length)
                .writeInt(message.length + 1)
                .writeByte(kind)
                .writeBytes(message);
    }

    static int kind(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + LENGTH);
    }

    /** A copy of the message in {@code frame}. */
    static byte[] message(ByteBuf frame) {
        return ByteBufUtil.getBytes(frame, frame.readerIndex() + HEADER,
                frame.readableBytes() - HEADER);
    }

    /** Puts {@code message} where one of its length is. */
    static void replace(ByteBuf frame, byte[] message) {
        frame.setBytes(frame.readerIndex() + HEADER, message);
    }
}
