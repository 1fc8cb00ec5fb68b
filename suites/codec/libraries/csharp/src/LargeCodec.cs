namespace Codec;

/// <summary>A library's calls for large messages.</summary>
public interface ILargeCodec
{
    /// <summary>Codec of an array of bytes.</summary>
    INativeCodec<byte[]> Blob { get; }

    /// <summary>Codec of many records at once, conversions and messages between included.</summary>
    INativeCodec<Telemetry> Whole { get; }

    /// <summary>Begins a file of records, one after the other.</summary>
    IRecordWriter Writer(Stream file);

    /// <summary>The records of a file, one after the other.</summary>
    IEnumerable<TelemetryPoint> Read(Stream file);
}

/// <summary>A file of records under way; it is complete once this is disposed of.</summary>
public interface IRecordWriter : IDisposable
{
    /// <summary>Adds a record.</summary>
    void Write(TelemetryPoint record);
}

/// <summary>A codec with messages, seen from its native values.</summary>
public sealed class ThroughMessages<TCodec, N, M>(TCodec codec) : INativeCodec<N>
    where TCodec : struct, IMessageCodec<N, M>
{
    /// <inheritdoc/>
    public ArraySegment<byte> Encode(N value) => codec.Encode(codec.ToMessage(value));

    /// <inheritdoc/>
    public N Decode(ArraySegment<byte> bytes) => codec.FromMessage(codec.Decode(bytes));
}
