package io.wirelab.codec.gson;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.Strictness;
import com.google.gson.reflect.TypeToken;
import io.wirelab.codec.Library;
import io.wirelab.codec.LibraryContender;
import io.wirelab.codec.ShapeCodec;
import io.wirelab.codec.evolution.VersionCodec;
import io.wirelab.codec.shapes.Chat;
import io.wirelab.codec.shapes.T1;
import io.wirelab.codec.shapes.T2;
import io.wirelab.codec.shapes.Telemetry;
import java.util.LinkedHashMap;
import java.util.List;

/** One Gson, and a type token for each type. */
final class GsonContender extends LibraryContender {
    /** The tuning: JSON as the standard has it, and no escapes for the sake of HTML. */
    private final Gson gson = new GsonBuilder()
            .setStrictness(Strictness.STRICT)
            .disableHtmlEscaping()
            .create();

    @Override
    public Library library() {
        return Library.of("Gson", Gson.class);
    }

    @Override
    public String format() {
        return "json";
    }

    @Override
    protected ShapeCodec<T1> t1() {
        return codec(new TypeToken<T1>() {});
    }

    @Override
    protected ShapeCodec<T2> t2() {
        return codec(new TypeToken<T2>() {});
    }

    @Override
    protected ShapeCodec<List<Integer>> t3() {
        return codec(new TypeToken<List<Integer>>() {});
    }

    @Override
    protected ShapeCodec<List<String>> t4() {
        return codec(new TypeToken<List<String>>() {});
    }

    @Override
    protected ShapeCodec<LinkedHashMap<String, List<Integer>>> t5() {
        return codec(new TypeToken<LinkedHashMap<String, List<Integer>>>() {});
    }

    @Override
    protected ShapeCodec<Telemetry> telemetry() {
        return codec(new TypeToken<Telemetry>() {});
    }

    @Override
    protected ShapeCodec<Chat> chat() {
        return codec(new TypeToken<Chat>() {});
    }

    private <N> ShapeCodec<N> codec(TypeToken<N> type) {
        return new GsonCodec<>(gson, type);
    }

    @Override
    @SuppressWarnings("unchecked") // The token is that of the class.
    public VersionCodec version(Class<?> type) {
        return VersionCodec.of(new GsonCodec<>(gson, (TypeToken<Object>) TypeToken.get(type)));
    }
}
