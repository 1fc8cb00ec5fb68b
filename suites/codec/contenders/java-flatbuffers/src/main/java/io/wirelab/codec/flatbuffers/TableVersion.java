package io.wirelab.codec.flatbuffers;

import codec.evolution.Added;
import codec.evolution.AddedT;
import codec.evolution.Base;
import codec.evolution.BaseT;
import codec.evolution.Enumeration;
import codec.evolution.EnumerationT;
import codec.evolution.Removed;
import codec.evolution.RemovedT;
import codec.evolution.Renamed;
import codec.evolution.RenamedT;
import codec.evolution.Reordered;
import codec.evolution.ReorderedT;
import codec.evolution.Required;
import codec.evolution.RequiredT;
import codec.evolution.Retyped;
import codec.evolution.RetypedT;
import codec.evolution.Widened;
import codec.evolution.WidenedT;
import com.google.flatbuffers.FlatBufferBuilder;
import io.wirelab.codec.evolution.VersionCodec;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;

/**
 * One version of the record, written and read as an object of flatc's, whose fields are reached by
 * their names. Nothing verifies a buffer before, for Java has nothing that could.
 *
 * @param <O> the object
 */
record TableVersion<O>(Class<?> type, Supplier<O> empty,
        ToIntBiFunction<FlatBufferBuilder, O> pack, Function<ByteBuffer, O> unpack)
        implements VersionCodec {
    /** The version that has a class. */
    static VersionCodec of(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "Base" -> new TableVersion<>(type, BaseT::new, Base::pack,
                    bytes -> Base.getRootAsBase(bytes).unpack());
            case "Added" -> new TableVersion<>(type, AddedT::new, Added::pack,
                    bytes -> Added.getRootAsAdded(bytes).unpack());
            case "Removed" -> new TableVersion<>(type, RemovedT::new, Removed::pack,
                    bytes -> Removed.getRootAsRemoved(bytes).unpack());
            case "Reordered" -> new TableVersion<>(type, ReorderedT::new, Reordered::pack,
                    bytes -> Reordered.getRootAsReordered(bytes).unpack());
            case "Renamed" -> new TableVersion<>(type, RenamedT::new, Renamed::pack,
                    bytes -> Renamed.getRootAsRenamed(bytes).unpack());
            case "Widened" -> new TableVersion<>(type, WidenedT::new, Widened::pack,
                    bytes -> Widened.getRootAsWidened(bytes).unpack());
            case "Retyped" -> new TableVersion<>(type, RetypedT::new, Retyped::pack,
                    bytes -> Retyped.getRootAsRetyped(bytes).unpack());
            case "Enumeration" -> new TableVersion<>(type, EnumerationT::new, Enumeration::pack,
                    bytes -> Enumeration.getRootAsEnumeration(bytes).unpack());
            case "Required" -> new TableVersion<>(type, RequiredT::new, Required::pack,
                    bytes -> Required.getRootAsRequired(bytes).unpack());
            default -> throw new IllegalArgumentException(
                    "no table is called " + type.getSimpleName());
        };
    }

    @Override
    public byte[] encode(Object reading) throws ReflectiveOperationException {
        O object = empty.get();
        for (Field field : type.getFields()) {
            Object value = field.get(reading);
            boolean level = field.getType().isEnum();
            object.getClass()
                    .getMethod("set" + suffix(field), level ? int.class : field.getType())
                    .invoke(object, level ? ((Enum<?>) value).ordinal() : value);
        }
        return written(object);
    }

    @Override
    public O decode(byte[] bytes) {
        return unpack.apply(ByteBuffer.wrap(bytes));
    }

    @Override
    public Map<String, Object> neutral(Object decoded) throws ReflectiveOperationException {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (Field field : type.getFields()) {
            fields.put(field.getName(),
                    decoded.getClass().getMethod("get" + suffix(field)).invoke(decoded));
        }
        return fields;
    }

    @Override
    public byte[] again(byte[] bytes) {
        return written(decode(bytes));
    }

    private byte[] written(O object) {
        FlatBufferBuilder builder = new FlatBufferBuilder(FlatbuffersContender.SMALL_BYTES);
        builder.finish(pack.applyAsInt(builder, object));
        return builder.sizedByteArray();
    }

    /** A field's name as the names of its accessors end with it. */
    private static String suffix(Field field) {
        String name = field.getName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
