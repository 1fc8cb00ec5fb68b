using Codec;

namespace Cgd;

/// <summary>Ten primitives.</summary>
internal readonly struct T1Codec : INativeCodec<T1>
{
    private const int Size = 42;

    public ArraySegment<byte> Encode(T1 value)
    {
        var writer = new CgdWriter(Size);
        writer.Append(value.C);
        writer.Append(value.Uc);
        writer.Append(value.I16);
        writer.Append(value.U16);
        writer.Append(value.I32);
        writer.Append(value.U32);
        writer.Append(value.I64);
        writer.Append(value.U64);
        writer.Append(value.F);
        writer.Append(value.D);
        return writer.Bytes;
    }

    public T1 Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        return new T1
        {
            C = reader.Extract<sbyte>(),
            Uc = reader.Extract<byte>(),
            I16 = reader.Extract<short>(),
            U16 = reader.Extract<ushort>(),
            I32 = reader.Extract<int>(),
            U32 = reader.Extract<uint>(),
            I64 = reader.Extract<long>(),
            U64 = reader.Extract<ulong>(),
            F = reader.Extract<float>(),
            D = reader.Extract<double>(),
        };
    }
}

/// <summary>Eight strings.</summary>
internal readonly struct T2Codec : INativeCodec<T2>
{
    public ArraySegment<byte> Encode(T2 value)
    {
        var writer = new CgdWriter(
            CgdSize.Of(value.S1) + CgdSize.Of(value.S2) + CgdSize.Of(value.S3) + CgdSize.Of(value.S4)
            + CgdSize.Of(value.S5) + CgdSize.Of(value.S6) + CgdSize.Of(value.S7) + CgdSize.Of(value.S8));
        writer.Append(value.S1);
        writer.Append(value.S2);
        writer.Append(value.S3);
        writer.Append(value.S4);
        writer.Append(value.S5);
        writer.Append(value.S6);
        writer.Append(value.S7);
        writer.Append(value.S8);
        return writer.Bytes;
    }

    public T2 Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        return new T2
        {
            S1 = reader.ExtractString(),
            S2 = reader.ExtractString(),
            S3 = reader.ExtractString(),
            S4 = reader.ExtractString(),
            S5 = reader.ExtractString(),
            S6 = reader.ExtractString(),
            S7 = reader.ExtractString(),
            S8 = reader.ExtractString(),
        };
    }
}

/// <summary>A list of integers.</summary>
internal readonly struct T3Codec : INativeCodec<List<int>>
{
    public ArraySegment<byte> Encode(List<int> value)
    {
        var writer = new CgdWriter(CgdSize.Of(value));
        writer.Append(value);
        return writer.Bytes;
    }

    public List<int> Decode(ArraySegment<byte> bytes) => new CgdReader(bytes).ExtractIntegers();
}

/// <summary>A list of strings.</summary>
internal readonly struct T4Codec : INativeCodec<List<string>>
{
    public ArraySegment<byte> Encode(List<string> value)
    {
        var writer = new CgdWriter(CgdSize.Of(value));
        writer.Append(value);
        return writer.Bytes;
    }

    public List<string> Decode(ArraySegment<byte> bytes) => new CgdReader(bytes).ExtractStrings();
}

/// <summary>A map from string to list of integers.</summary>
internal readonly struct T5Codec : INativeCodec<Dictionary<string, List<int>>>
{
    private const int LeastEntry = CgdSize.EmptyString + CgdSize.Count;

    public ArraySegment<byte> Encode(Dictionary<string, List<int>> value)
    {
        int size = CgdSize.Count;
        foreach (KeyValuePair<string, List<int>> entry in value)
        {
            size += CgdSize.Of(entry.Key) + CgdSize.Of(entry.Value);
        }
        var writer = new CgdWriter(size);
        writer.Append(value.Count);
        foreach (KeyValuePair<string, List<int>> entry in value)
        {
            writer.Append(entry.Key);
            writer.Append(entry.Value);
        }
        return writer.Bytes;
    }

    public Dictionary<string, List<int>> Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        int count = reader.ExtractCount(LeastEntry);
        var value = new Dictionary<string, List<int>>(count);
        for (int i = 0; i < count; i++)
        {
            string key = reader.ExtractString();
            value[key] = reader.ExtractIntegers();
        }
        return value;
    }
}

/// <summary>A thousand points.</summary>
internal readonly struct TelemetryCodec : INativeCodec<Telemetry>
{
    private const int Point = sizeof(long) + sizeof(double) + sizeof(int);

    public ArraySegment<byte> Encode(Telemetry value)
    {
        var writer = new CgdWriter(CgdSize.Count + Point * value.Points.Count);
        writer.Append(value.Points.Count);
        foreach (TelemetryPoint point in value.Points)
        {
            writer.Append(point.Time);
            writer.Append(point.Value);
            writer.Append(point.Quality);
        }
        return writer.Bytes;
    }

    public Telemetry Decode(ArraySegment<byte> bytes)
    {
        var reader = new CgdReader(bytes);
        int count = reader.ExtractCount(Point);
        var points = new List<TelemetryPoint>(count);
        for (int i = 0; i < count; i++)
        {
            points.Add(new TelemetryPoint
            {
                Time = reader.Extract<long>(),
                Value = reader.Extract<double>(),
                Quality = reader.Extract<int>(),
            });
        }
        return new Telemetry { Points = points };
    }
}
