using Codec;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Proto = Codec.Proto;

namespace Protobuf;

/// <summary>The library's own message of bytes, and records with their lengths before them.</summary>
internal sealed class ProtobufLarge : ILargeCodec
{
    public INativeCodec<byte[]> Blob => new BytesCodec();

    public INativeCodec<Telemetry> Whole =>
        new ThroughMessages<FreshCodec<TelemetryMapping, Telemetry, Proto.Telemetry>, Telemetry, Proto.Telemetry>(default);

    public IRecordWriter Writer(Stream file) => new RecordWriter(new CodedOutputStream(file, leaveOpen: true));

    public IEnumerable<TelemetryPoint> Read(Stream file)
    {
        using var input = new CodedInputStream(file, leaveOpen: true);
        while (!input.IsAtEnd)
        {
            var point = new Proto.TelemetryPoint();
            input.ReadMessage(point);
            yield return new TelemetryPoint { Time = point.Time, Value = point.Value, Quality = point.Quality };
        }
    }

    private sealed class RecordWriter(CodedOutputStream output) : IRecordWriter
    {
        public void Write(TelemetryPoint record) => output.WriteMessage(
            new Proto.TelemetryPoint { Time = record.Time, Value = record.Value, Quality = record.Quality });

        public void Dispose() => output.Dispose();
    }

    private sealed class BytesCodec : INativeCodec<byte[]>
    {
        public ArraySegment<byte> Encode(byte[] value) =>
            new BytesValue { Value = ByteString.CopyFrom(value) }.ToByteArray();

        public byte[] Decode(ArraySegment<byte> bytes) => BytesValue.Parser.ParseFrom(bytes.AsSpan()).Value.ToByteArray();
    }
}
