package io.wirelab.messaging.socketnio;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A connection for each user, all of them on the same few event loops. */
final class NioTransport implements Transport {
    private final InetSocketAddress server;
    private final Fields tuning;
    private final long limitMs;
    private final EventLoopGroup loops;

    public static void main(String[] arguments) {
        Messaging.main(arguments, NioTransport::new, NioServer::new, null);
    }

    NioTransport(Spec spec) {
        server = spec.endpointAddress("server");
        tuning = spec.parameters();
        limitMs = spec.limits().operationMs();
        loops = EventLoops.start(tuning);
    }

    @Override
    public Map<String, String> library() {
        return EventLoops.library();
    }

    @Override
    public Link connect(int user, Inbox inbox) throws InterruptedException {
        NioLink link = new NioLink(inbox, limitMs);
        new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(limitMs))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        NioFrames.prepare(channel.pipeline(), tuning);
                        channel.pipeline().addLast(link);
                    }
                })
                .connect(server)
                .sync();
        return link;
    }

    @Override
    public Status statusOf(Throwable thrown) {
        return thrown instanceof ConnectTimeoutException
                ? Status.TIMEOUT : Transport.super.statusOf(thrown);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(limitMs);
    }
}
