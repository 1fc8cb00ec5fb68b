package io.wirelab.codec.flatbuffers;

import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.Library;
import io.wirelab.codec.LibraryContender;
import io.wirelab.codec.ShapeCodec;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.worker.CodecWorker;
import java.util.LinkedHashMap;
import java.util.List;

/** Generated builders and views, a codec a shape. */
final class FlatbuffersContender extends LibraryContender {
    /** The tuning: what a builder has at the start, so that it does not grow for these shapes. */
    static final int SMALL_BYTES = 512;

    /** The same as {@link #SMALL_BYTES}, for the whiteboard's message. */
    static final int CHAT_BYTES = 1024;

    /** The same as {@link #SMALL_BYTES}, for a thousand points. */
    static final int TELEMETRY_BYTES = 1 << 15;

    public static void main(String[] arguments) {
        CodecWorker.main(parameters -> new FlatbuffersContender());
    }

    @Override
    public Library library() {
        return Library.of("FlatBuffers", FlatBufferBuilder.class);
    }

    @Override
    public String format() {
        return "flatbuffers";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return new FlatbuffersT1Codec();
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return new FlatbuffersT2Codec();
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return new FlatbuffersT3Codec();
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return new FlatbuffersT4Codec();
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return new FlatbuffersT5Codec();
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return new FlatbuffersTelemetryCodec();
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return new FlatbuffersChatCodec();
    }

    @Override
    public VersionCodec version(Class<?> type) {
        return TableVersion.of(type);
    }
}
