package io.wirelab.websocket.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.Optional;

/** One connection to the whiteboard; every call comes on the event loop of its channel. */
final class NettyWhiteboardHandler extends SimpleChannelInboundHandler<WebSocketFrame> {
    private final FrameEncoder encoder = new FrameEncoder();
    private final Boards boards;
    private String board;

    NettyWhiteboardHandler(Boards boards) {
        this.boards = boards;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, WebSocketFrame frame)
            throws Exception {
        if (frame instanceof TextWebSocketFrame text) {
            byte[] content = ByteBufUtil.getBytes(text.content());
            Optional<BoardMessage> message = BoardMessage.read(content);
            if (message.isPresent()) {
                obey(context, message.get(), text);
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        leave(context);
        super.channelInactive(context);
    }

    /** Broken frames and broken connections end this one connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        context.close();
    }

    private void obey(ChannelHandlerContext context, BoardMessage message, TextWebSocketFrame text)
            throws Exception {
        switch (message.type()) {
            case "join" -> join(context, message);
            case "draw" -> draw(context, message.board(), text);
            default -> { }
        }
    }

    private void draw(ChannelHandlerContext context, String board, TextWebSocketFrame text)
            throws Exception {
        ByteBuf frame = encoder.bytes(context, text);
        try {
            boards.broadcast(board, frame, context.channel().eventLoop());
        } finally {
            frame.release();
        }
    }

    private void join(ChannelHandlerContext context, BoardMessage join) {
        leave(context);
        board = join.board();
        boards.join(board, context.channel());
        context.writeAndFlush(new TextWebSocketFrame(join.joined()));
    }

    private void leave(ChannelHandlerContext context) {
        if (board != null) {
            boards.leave(board, context.channel());
            board = null;
        }
    }
}
