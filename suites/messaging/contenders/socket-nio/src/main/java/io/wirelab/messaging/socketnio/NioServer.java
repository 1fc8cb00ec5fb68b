package io.wirelab.messaging.socketnio;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.wirelab.messaging.StampingServer;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Event loops, a listening socket, and a pipeline for every connection. */
final class NioServer implements StampingServer {
    private final EventLoopGroup loops;
    private final Channel listening;

    NioServer(Spec spec) throws InterruptedException {
        Fields tuning = spec.parameters();
        loops = EventLoops.start(tuning);
        Pressure pressure = new Pressure(
                tuning.integerWithin("handed_over_limit_messages", 1, Integer.MAX_VALUE));
        ChannelRoom room = new ChannelRoom(loops, pressure);
        int waiting = tuning.integerWithin("send_buffer_limit_bytes", 2, Integer.MAX_VALUE);
        listening = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG,
                        tuning.integerWithin("accept_backlog", 1, Integer.MAX_VALUE))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(waiting / 2, waiting))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        NioFrames.prepare(channel.pipeline(), tuning);
                        channel.pipeline().addLast(new ServingHandler(room, pressure));
                    }
                })
                .bind(spec.listenAddress())
                .sync()
                .channel();
    }

    @Override
    public Map<String, String> library() {
        return EventLoops.library();
    }

    @Override
    public String endpoint() {
        InetSocketAddress bound = (InetSocketAddress) listening.localAddress();
        return bound.getHostString() + ":" + bound.getPort();
    }

    @Override
    public void close() throws InterruptedException {
        listening.close().sync();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
