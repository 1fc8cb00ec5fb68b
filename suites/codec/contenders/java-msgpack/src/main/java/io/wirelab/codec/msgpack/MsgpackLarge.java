package io.wirelab.codec.msgpack;

import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** Bytes are bytes; records follow each other, for each says where it ends. */
final class MsgpackLarge implements LargeCodec {
    @Override
    public Whole<byte[]> blob() {
        return new Whole<>(MsgpackLarge::pack, MsgpackLarge::unpack);
    }

    @Override
    public Whole<Telemetry> records() {
        return Whole.of(new MsgpackTelemetryCodec());
    }

    @Override
    public RecordWriter writer(OutputStream file) {
        MessagePacker packer = Packing.packer(file);
        return new RecordWriter() {
            @Override
            public void write(TelemetryPoint record) throws IOException {
                MsgpackTelemetryCodec.pack(packer, record);
            }

            @Override
            public void flush() throws IOException {
                packer.flush();
            }
        };
    }

    @Override
    public RecordReader reader(InputStream file) {
        MessageUnpacker unpacker = Packing.unpacker(file);
        return () -> unpacker.hasNext() ? MsgpackTelemetryCodec.unpackPoint(unpacker) : null;
    }

    private static byte[] pack(byte[] blob) throws IOException {
        MessageBufferPacker packer = Packing.packer();
        packer.packBinaryHeader(blob.length);
        packer.writePayload(blob);
        return packer.toByteArray();
    }

    private static byte[] unpack(byte[] bytes) throws IOException {
        MessageUnpacker unpacker = Packing.unpacker(bytes);
        return unpacker.readPayload(unpacker.unpackBinaryHeader());
    }
}
