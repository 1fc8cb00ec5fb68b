package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Incoming;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import io.wirelab.messaging.Waiting;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;

/** One user: its channel, and what takes what comes by it, on the channel's event loop. */
final class NioLink extends SimpleChannelInboundHandler<ByteBuf> implements Link {
    private final Incoming incoming;
    private final long limitMs;
    private final Waiting waiting = new Waiting();
    private Channel channel;

    NioLink(Inbox inbox, long limitMs) {
        incoming = new Incoming(inbox);
        this.limitMs = limitMs;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        byte[] message = NioFrames.message(frame);
        if (NioFrames.kind(frame) == Frames.BROADCAST) {
            incoming.delivered(message);
        } else {
            incoming.answered(message);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        waiting.wake();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        incoming.failed(new ClosedChannelException());
        waiting.wake();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        incoming.failed(why);
        context.close();
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        incoming.await(reply);
        channel.writeAndFlush(NioFrames.frame(channel.alloc(), Frames.ECHO, message))
                .addListener(written -> {
                    if (!written.isSuccess()) {
                        reply.failed(written.cause());
                    }
                });
    }

    @Override
    public void broadcast(byte[] message) throws Exception {
        waiting.until(() -> channel.isWritable() || !channel.isActive(),
                TimeUnit.MILLISECONDS.toNanos(limitMs), "the server stopped reading");
        if (!channel.isActive()) {
            throw new ClosedChannelException();
        }
        channel.writeAndFlush(NioFrames.frame(channel.alloc(), Frames.BROADCAST, message),
                channel.voidPromise());
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(limitMs);
    }

    @Override
    public void abandon() {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        close();
    }
}
