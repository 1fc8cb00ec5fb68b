package io.wirelab.messaging.socketnio;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.wirelab.messaging.Frames;
import io.wirelab.messaging.Message;

/** One connection at the server; every call comes on the event loop of its channel. */
final class ServingHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private final ChannelRoom room;
    private final Pressure pressure;

    ServingHandler(ChannelRoom room, Pressure pressure) {
        this.room = room;
        this.pressure = pressure;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        room.join(context.channel());
        super.channelActive(context);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (NioFrames.kind(frame) == Frames.ECHO) {
            byte[] message = NioFrames.message(frame);
            Message.stampServed(message);
            NioFrames.replace(frame, message);
            context.writeAndFlush(frame.retain(), context.voidPromise());
        } else {
            room.broadcast(frame, context.channel());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        pressure.changed(context.channel());
        super.channelWritabilityChanged(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        room.leave(context.channel());
        super.channelInactive(context);
    }

    /** A broken frame or connection ends this one connection. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        System.err.println("a connection ends: " + why);
        context.close();
    }
}
