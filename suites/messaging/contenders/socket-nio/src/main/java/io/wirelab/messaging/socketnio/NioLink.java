package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Reply;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One user: its channel, and what takes what comes by it, on the channel's event loop. */
final class NioLink extends SimpleChannelInboundHandler<ByteBuf> implements Link {
    private final Inbox inbox;
    private final long limitMs;
    private Channel channel;
    private volatile Reply awaited;

    NioLink(Inbox inbox, long limitMs) {
        this.inbox = inbox;
        this.limitMs = limitMs;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        byte[] message = NioFrames.message(frame);
        if (NioFrames.kind(frame) == NioFrames.BROADCAST) {
            inbox.delivered(message);
        } else if (awaited != null) {
            awaited.arrived(message);
        }
    }

    @Override
    public synchronized void channelWritabilityChanged(ChannelHandlerContext context) {
        notifyAll();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(new ClosedChannelException());
        synchronized (this) {
            notifyAll();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        fail(why);
        context.close();
    }

    private void fail(Throwable why) {
        Reply waiting = awaited;
        if (waiting != null) {
            waiting.failed(why);
        }
    }

    @Override
    public void echo(byte[] message, Reply reply) {
        awaited = reply;
        channel.writeAndFlush(NioFrames.frame(channel.alloc(), NioFrames.ECHO, message))
                .addListener(written -> {
                    if (!written.isSuccess()) {
                        reply.failed(written.cause());
                    }
                });
    }

    @Override
    public void broadcast(byte[] message) throws Exception {
        awaitRoom();
        channel.writeAndFlush(NioFrames.frame(channel.alloc(), NioFrames.BROADCAST, message),
                channel.voidPromise());
    }

    /**
     * Waits until the server takes more; who does not wait fills the heap with what it has not
     * taken.
     */
    private synchronized void awaitRoom() throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMs);
        while (!channel.isWritable() && channel.isActive()) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            if (leftMs <= 0) {
                throw new TimeoutException("the server stopped reading");
            }
            wait(leftMs);
        }
        if (!channel.isActive()) {
            throw new ClosedChannelException();
        }
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
