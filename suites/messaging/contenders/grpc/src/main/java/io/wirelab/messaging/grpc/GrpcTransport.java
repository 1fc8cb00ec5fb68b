package io.wirelab.messaging.grpc;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.wirelab.messaging.Inbox;
import io.wirelab.messaging.Link;
import io.wirelab.messaging.Messaging;
import io.wirelab.messaging.Transport;
import io.wirelab.messaging.grpc.protocol.ExchangeGrpc;
import io.wirelab.sdk.Spec;
import io.wirelab.sdk.Status;
import java.net.InetSocketAddress;
import java.util.Map;

/** A channel, which is a connection, and one call on it for each user. */
final class GrpcTransport implements Transport {
    private final InetSocketAddress server;
    private final long limitNs;

    public static void main(String[] arguments) {
        Messaging.main(arguments, GrpcTransport::new, GrpcServer::new, null);
    }

    GrpcTransport(Spec spec) {
        server = spec.endpointAddress("server");
        limitNs = spec.limits().operationNs();
    }

    @Override
    public Map<String, String> library() {
        return GrpcFrames.library();
    }

    @Override
    public Link connect(int user, Inbox inbox) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress(server)
                .usePlaintext()
                .directExecutor()
                .maxInboundMessageSize(GrpcFrames.LARGEST)
                .build();
        GrpcLink link = new GrpcLink(channel, inbox, limitNs);
        try {
            ExchangeGrpc.newStub(channel).connect(link);
            link.awaitReady();
            return link;
        } catch (Exception failed) {
            link.abandon();
            throw failed;
        }
    }

    @Override
    public Status statusOf(Throwable thrown) {
        Status byCause = Transport.super.statusOf(thrown);
        if (byCause != Status.ERROR || !(thrown instanceof StatusRuntimeException failed)) {
            return byCause;
        }
        return switch (failed.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> Status.TIMEOUT;
            case UNAVAILABLE, CANCELLED -> Status.DISCONNECTED;
            default -> Status.ERROR;
        };
    }
}
