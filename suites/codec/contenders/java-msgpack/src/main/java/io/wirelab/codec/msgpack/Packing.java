package io.wirelab.codec.msgpack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.ValueType;

/** Parts that the shapes have in common, and the tuning. */
final class Packing {
    /**
     * A packer makes buffers of this size: of the default of 8 KiB most messages of the suite would
     * leave nearly all unused, at the price of clearing it in every iteration.
     */
    private static final MessagePack.PackerConfig PACKERS =
            new MessagePack.PackerConfig().withBufferSize(1024);

    /**
     * By default a string that is not UTF-8 is repaired in silence. The decoder that reports it
     * has a buffer for strings that come in parts, which here none does.
     */
    private static final MessagePack.UnpackerConfig UNPACKERS = new MessagePack.UnpackerConfig()
            .withActionOnMalformedString(CodingErrorAction.REPORT)
            .withActionOnUnmappableString(CodingErrorAction.REPORT)
            .withStringDecoderBufferSize(64);

    private Packing() {}

    static MessageBufferPacker packer() {
        return PACKERS.newBufferPacker();
    }

    /** Files have packers and unpackers with the buffers of the library's own choice. */
    static MessagePacker packer(OutputStream file) {
        return MessagePack.newDefaultPacker(file);
    }

    static MessageUnpacker unpacker(InputStream file) {
        return MessagePack.newDefaultUnpacker(file);
    }

    static MessageUnpacker unpacker(byte[] bytes) {
        return UNPACKERS.newUnpacker(bytes);
    }

    static void packIntegers(MessagePacker packer, List<Integer> values) throws IOException {
        packer.packArrayHeader(values.size());
        for (int i = 0; i < values.size(); i++) {
            packer.packInt(values.get(i));
        }
    }

    static void packStrings(MessagePacker packer, List<String> values) throws IOException {
        packer.packArrayHeader(values.size());
        for (int i = 0; i < values.size(); i++) {
            packer.packString(values.get(i));
        }
    }

    static List<Integer> unpackIntegers(MessageUnpacker unpacker) throws IOException {
        int size = unpacker.unpackArrayHeader();
        List<Integer> values = list(size);
        for (int i = 0; i < size; i++) {
            values.add(unpacker.unpackInt());
        }
        return values;
    }

    static List<String> unpackStrings(MessageUnpacker unpacker) throws IOException {
        int size = unpacker.unpackArrayHeader();
        List<String> values = list(size);
        for (int i = 0; i < size; i++) {
            values.add(unpacker.unpackString());
        }
        return values;
    }

    /** A number that the writer may have packed as an integer, because it is one. */
    static double unpackNumber(MessageUnpacker unpacker) throws IOException {
        return unpacker.getNextFormat().getValueType() == ValueType.INTEGER
                ? unpacker.unpackLong() : unpacker.unpackDouble();
    }

    /** A list for {@code size} elements, of which the header may say more than there are. */
    static <T> List<T> list(int size) {
        return new ArrayList<>(Math.min(size, 1024));
    }
}
