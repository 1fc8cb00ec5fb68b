package io.wirelab.messaging.grpc;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.ManagedChannel;
import io.wirelab.messaging.grpc.protocol.Frame;
import java.util.Map;

/** Frames of both ends, and the library that they use for them. */
final class GrpcFrames {
    /** gRPC refuses larger ones; its own limit is 4 MiB. */
    static final int LARGEST = 16 * 1024 * 1024 + 64;

    private GrpcFrames() {}

    /** A frame around {@code message}, which nobody changes any more: it is not copied. */
    static Frame frame(Frame.Kind kind, byte[] message) {
        return Frame.newBuilder()
                .setKind(kind)
                .setMessage(UnsafeByteOperations.unsafeWrap(message))
                .build();
    }

    static Map<String, String> library() {
        return Map.of("name", "grpc-java", "version",
                ManagedChannel.class.getPackage().getImplementationVersion());
    }
}
