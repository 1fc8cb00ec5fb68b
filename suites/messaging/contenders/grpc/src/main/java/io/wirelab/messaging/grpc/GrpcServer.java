package io.wirelab.messaging.grpc;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.wirelab.messaging.Room;
import io.wirelab.messaging.StampingServer;
import io.wirelab.messaging.grpc.protocol.ExchangeGrpc;
import io.wirelab.messaging.grpc.protocol.Frame;
import io.wirelab.sdk.Spec;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The service, on its library's event loops: nothing in it blocks, so no other threads are needed. */
final class GrpcServer implements StampingServer {
    private final io.grpc.Server server;

    GrpcServer(Spec spec) throws IOException {
        server = NettyServerBuilder.forAddress(spec.listenAddress())
                .withOption(ChannelOption.SO_BACKLOG, spec.parameters()
                        .integerWithin("accept_backlog", 1, Integer.MAX_VALUE))
                .directExecutor()
                .maxInboundMessageSize(GrpcFrames.LARGEST)
                .addService(new Exchange())
                .build()
                .start();
    }

    private static final class Exchange extends ExchangeGrpc.ExchangeImplBase {
        private final Room<GrpcMember> room = new Room<>();

        @Override
        public StreamObserver<Frame> connect(StreamObserver<Frame> replies) {
            return new GrpcMember((ServerCallStreamObserver<Frame>) replies, room);
        }
    }

    @Override
    public Map<String, String> library() {
        return GrpcFrames.library();
    }

    @Override
    public String endpoint() {
        return "127.0.0.1:" + server.getPort();
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow().awaitTermination(2, TimeUnit.SECONDS);
    }
}
