package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.wirelab.messaging.Frames;
import io.wirelab.sdk.Fields;

/**
 * The harness's frames as Netty reads and writes them. They pass whole, length included, so that a server
 * sends on what it got without putting it together again.
 */
final class NioFrames {
    private NioFrames() {}

    /** Puts what makes frames of bytes before the handlers that {@code pipeline} will get. */
    static void prepare(ChannelPipeline pipeline, Fields tuning) {
        LengthFieldBasedFrameDecoder decoder =
                new LengthFieldBasedFrameDecoder(Frames.LARGEST, 0, Frames.LENGTH);
        decoder.setDiscardAfterReads(tuning.integerWithin("discard_after_reads", 1, 1 << 16));
        pipeline.addLast(
                new FlushConsolidationHandler(
                        tuning.integerWithin("flushes_consolidated", 1, 1 << 16), true),
                decoder);
    }

    /** A frame around a copy of {@code message}, to be released by whoever writes it. */
    static ByteBuf frame(ByteBufAllocator allocator, int kind, byte[] message) {
        return allocator.buffer(Frames.HEADER + message.length)
                .writeInt(message.length + 1)
                .writeByte(kind)
                .writeBytes(message);
    }

    static int kind(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + Frames.LENGTH);
    }

    /** A copy of the message in {@code frame}. */
    static byte[] message(ByteBuf frame) {
        return ByteBufUtil.getBytes(frame, frame.readerIndex() + Frames.HEADER,
                frame.readableBytes() - Frames.HEADER);
    }

    /** Puts {@code message} where one of its length is. */
    static void replace(ByteBuf frame, byte[] message) {
        frame.setBytes(frame.readerIndex() + Frames.HEADER, message);
    }
}
