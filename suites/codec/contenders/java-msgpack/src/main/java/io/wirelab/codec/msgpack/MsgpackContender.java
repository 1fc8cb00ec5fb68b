package io.wirelab.codec.msgpack;

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
import org.msgpack.core.MessagePack;

/** A packer and an unpacker written by hand for each shape. */
final class MsgpackContender extends LibraryContender {
    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new MsgpackContender());
    }

    @Override
    public Library library() {
        return Library.of("msgpack-java", MessagePack.class);
    }

    @Override
    public String format() {
        return "msgpack";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new MsgpackT1Codec();
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new MsgpackT2Codec();
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new MsgpackT3Codec();
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new MsgpackT4Codec();
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new MsgpackT5Codec();
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new MsgpackTelemetryCodec();
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new MsgpackChatCodec();
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return new MsgpackVersion(type);
    }

    @Override
    public LargeCodec large() {
        return new MsgpackLarge();
    }
}
