package io.wirelab.codec.msgpack;

import io.wirelab.codec.evolution.Readings;
import io.wirelab.codec.evolution.VersionCodec;
import java.io.IOException;
import java.lang.reflect.Field;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageUnpacker;

/**
 * One version of the record: a map with the names of the fields, as the shapes have it. A name that
 * the version does not know is skipped; a level is its name.
 */
record MsgpackVersion(Class<?> type) implements VersionCodec {
    @Override
    public byte[] encode(Object reading) throws IOException, IllegalAccessException {
        MessageBufferPacker packer = Packing.packer();
        packer.packMapHeader(type.getFields().length);
        for (Field field : type.getFields()) {
            packer.packString(field.getName());
            pack(packer, field.get(reading));
        }
        return packer.toByteArray();
    }

    @Override
    public Object decode(byte[] bytes) throws IOException, ReflectiveOperationException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        Object reading = type.getConstructor().newInstance();
        for (int left = unpacker.unpackMapHeader(); left > 0; left--) {
            Field field = named(unpacker.unpackString());
            if (field == null) {
                unpacker.skipValue();
            } else {
                field.set(reading, unpack(unpacker, field));
            }
        }
        return reading;
    }

    private Field named(String name) {
        for (Field field : type.getFields()) {
            if (field.getName().equals(name)) {
                return field;
            }
        }
        return null;
    }

    private static void pack(MessageBufferPacker packer, Object value) throws IOException {
        if (value == null) {
            packer.packNil();
        } else if (value instanceof Enum<?> level) {
            packer.packString(level.name());
        } else if (value instanceof Integer number) {
            packer.packInt(number);
        } else if (value instanceof Long number) {
            packer.packLong(number);
        } else {
            packer.packString((String) value);
        }
    }

    private static Object unpack(MessageUnpacker unpacker, Field field)
            throws IOException, ReflectiveOperationException {
        Class<?> of = field.getType();
        if (of.isEnum()) {
            return of.getMethod("valueOf", String.class).invoke(null, unpacker.unpackString());
        }
        if (of == int.class) {
            return unpacker.unpackInt();
        }
        if (of == long.class) {
            return unpacker.unpackLong();
        }
        boolean absent = Readings.optional(field) && unpacker.tryUnpackNil();
        return absent ? null : unpacker.unpackString();
    }
}
