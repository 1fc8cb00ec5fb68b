package io.wirelab.codec.protobuf;

import com.google.protobuf.Message;
import io.wirelab.codec.Library;
import io.wirelab.codec.LibraryContender;
import io.wirelab.codec.ShapeCodec;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.util.LinkedHashMap;
import java.util.List;

/** Generated messages, a codec a shape. */
final class ProtobufContender extends LibraryContender {
    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new ProtobufContender());
    }

    @Override
    public Library library() {
        return Library.of("Protocol Buffers", Message.class);
    }

    @Override
    public String format() {
        return "protobuf";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new ProtobufT1Codec();
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new ProtobufT2Codec();
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new ProtobufT3Codec();
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new ProtobufT4Codec();
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new ProtobufT5Codec();
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new ProtobufTelemetryCodec();
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new ProtobufChatCodec();
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return MessageVersion.of(type);
    }

    @Override
    public LargeCodec large() {
        return new ProtobufLarge();
    }
}
