package io.wirelab.websocket.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import java.util.ArrayList;
import java.util.List;

/**
 * Netty's encoder, asked for the bytes of a frame. A server masks nothing, so they are the same
 * for every member; the encoder in a member's pipeline lets bytes pass as they are.
 */
final class FrameEncoder extends WebSocket13FrameEncoder {
    FrameEncoder() {
        super(false);
    }

    /** The bytes of {@code frame}, to be released by the caller. */
    ByteBuf bytes(ChannelHandlerContext context, TextWebSocketFrame frame) throws Exception {
        List<Object> parts = new ArrayList<>(2);
        encode(context, frame, parts);
        return Unpooled.wrappedBuffer(parts.toArray(ByteBuf[]::new));
    }
}
