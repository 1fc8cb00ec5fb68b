package io.wirelab.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.wirelab.codec.large.LargeCodec;
import io.wirelab.codec.large.RecordReader;
import io.wirelab.codec.large.RecordWriter;
import io.wirelab.codec.large.Whole;
import io.wirelab.codec.shapes.Telemetry;
import io.wirelab.codec.shapes.TelemetryPoint;
import java.io.InputStream;
import java.io.OutputStream;

/** Bytes are an array of Java; records follow each other, for their class says where one ends. */
record KryoLarge(Kryo kryo, Whole<byte[]> blob, Whole<Telemetry> records) implements LargeCodec {
    @Override
    public RecordWriter writer(OutputStream file) {
        Output output = new Output(file);
        return new RecordWriter() {
            @Override
            public void write(TelemetryPoint record) {
                kryo.writeObject(output, record);
            }

            @Override
            public void flush() {
                output.flush();
            }
        };
    }

    @Override
    public RecordReader reader(InputStream file) {
        Input input = new Input(file);
        return () -> input.end() ? null : kryo.readObject(input, TelemetryPoint.class);
    }
}
