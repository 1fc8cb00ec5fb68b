package io.wirelab.codec.cgd;

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

/** Our own codec of the format, a codec a shape. */
final class CgdContender extends LibraryContender {
    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new CgdContender());
    }

    @Override
    public Library library() {
        return new Library("CGD format, clean-room codec", "0.1.0");
    }

    @Override
    public String format() {
        return "cgd";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new CgdT1Codec();
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new CgdT2Codec();
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new CgdT3Codec();
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new CgdT4Codec();
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new CgdT5Codec();
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new CgdTelemetryCodec();
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new CgdChatCodec();
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return new CgdVersion(type);
    }

    @Override
    public LargeCodec large() {
        return new CgdLarge();
    }
}
