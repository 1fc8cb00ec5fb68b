package io.wirelab.websocket.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.Version;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.ServingPart;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Event loops, a listening socket, and a pipeline of Netty's handlers for every connection. */
final class NettyServer implements Server {
    private static final String PATH = "/board";

    /** A handshake is a request without a body. */
    private static final int HANDSHAKE_LIMIT = 8192;

    /** Time for which a client that does not take the closing frame is waited for. */
    private static final long CLOSING_TIMEOUT_MS = 1000;

    private final String host;
    private final EventLoopGroup loops;
    private final Channel listening;

    public static void main(String[] arguments) {
        ServingPart.main(NettyServer::new);
    }

    NettyServer(Spec spec) throws InterruptedException {
        Fields tuning = spec.parameters();
        InetSocketAddress listen = spec.listenAddress();
        host = listen.getHostString();
        int threads = tuning.integerWithin("event_loops_per_processor", 1, 64)
                * Runtime.getRuntime().availableProcessors();
        loops = new MultiThreadIoEventLoopGroup(threads,
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        int waiting = tuning.integerWithin("send_buffer_limit_bytes", 1, Integer.MAX_VALUE);
        listening = new ServerBootstrap()
                .group(loops)
                .channel(serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG,
                        tuning.integerWithin("accept_backlog", 1, Integer.MAX_VALUE))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(waiting / 2, waiting))
                .childHandler(pipeline(
                        tuning.integerWithin("message_limit_bytes", 1, Integer.MAX_VALUE)))
                .bind(listen)
                .sync()
                .channel();
        if (!Epoll.isAvailable()) {
            System.err.println("Netty runs on NIO: " + Epoll.unavailabilityCause());
        }
    }

    @Override
    public Map<String, String> library() {
        String version = Version.identify(ByteBufAllocator.class.getClassLoader())
                .get("netty-codec-http").artifactVersion();
        return Map.of("name", "Netty", "version", version);
    }

    @Override
    public String endpoint() {
        return "ws://" + host + ":" + ((InetSocketAddress) listening.localAddress()).getPort()
                + PATH;
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("protocol", "json",
                "transport", Epoll.isAvailable() ? "epoll" : "nio");
    }

    @Override
    public void close() throws InterruptedException {
        listening.close().sync();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }

    private static Class<? extends ServerChannel> serverChannel() {
        return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    /** No compression: a pipeline without its handler does not agree to it. */
    private ChannelInitializer<Channel> pipeline(int messageLimit) {
        WebSocketServerProtocolConfig webSocket = WebSocketServerProtocolConfig.newBuilder()
                .websocketPath(PATH)
                .maxFramePayloadLength(messageLimit)
                .forceCloseTimeoutMillis(CLOSING_TIMEOUT_MS)
                .build();
        Boards boards = new Boards(loops);
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(
                        new HttpServerCodec(),
                        new HttpObjectAggregator(HANDSHAKE_LIMIT),
                        new WebSocketServerProtocolHandler(webSocket),
                        new WebSocketFrameAggregator(messageLimit),
                        new NettyWhiteboardHandler(boards));
            }
        };
    }
}
