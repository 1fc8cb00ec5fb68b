using Codec;

namespace Cgd;

/// <summary>Blobs as lists of bytes, and records that follow each other: all of them have the same size.</summary>
internal sealed class CgdLarge : ILargeCodec
{
    private const int RecordBytes = sizeof(long) + sizeof(double) + sizeof(int);

    public INativeCodec<byte[]> Blob => default(BlobCodec);

    public INativeCodec<Telemetry> Whole => default(CgdCodec<TelemetryShape, Telemetry>);

    public IRecordWriter Writer(Stream file) => new RecordWriter(file);

    public IEnumerable<TelemetryPoint> Read(Stream file)
    {
        byte[] bytes = new byte[RecordBytes];
        while (file.ReadAtLeast(bytes, RecordBytes, throwOnEndOfStream: false) is int found and > 0)
        {
            var reader = new CgdReader(new ArraySegment<byte>(bytes, 0, found));
            yield return new TelemetryPoint
            {
                Time = reader.Number<long>(),
                Value = reader.Number<double>(),
                Quality = reader.Number<int>(),
            };
        }
    }

    private sealed class RecordWriter(Stream file) : IRecordWriter
    {
        public void Write(TelemetryPoint record)
        {
            var writer = new CgdWriter(RecordBytes);
            writer.Number(record.Time);
            writer.Number(record.Value);
            writer.Number(record.Quality);
            file.Write(writer.Bytes);
        }

        public void Dispose()
        {
            // Nothing is kept back.
        }
    }

    private readonly struct BlobCodec : INativeCodec<byte[]>
    {
        public ArraySegment<byte> Encode(byte[] value)
        {
            var writer = new CgdWriter(CgdSize.OfCount + value.Length);
            writer.Octets(value);
            return writer.Bytes;
        }

        public byte[] Decode(ArraySegment<byte> bytes) => new CgdReader(bytes).Octets();
    }
}
