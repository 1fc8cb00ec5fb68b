using System.Text.Json;
using System.Text.Json.Nodes;

namespace Codec;

/// <summary>Way in which a value goes into a checksum: every field of it.</summary>
public interface IFolding<in T>
{
    /// <summary>The fold of a value.</summary>
    uint Fold(T value);
}

/// <summary>
/// Knowledge that the suite has of a shape's native value. Shapes are structs, so that a loop of one is compiled apart
/// from those of all others.
/// </summary>
public interface IShape<N> : IFolding<N>, IFields<N>
{
    /// <summary>The native value of an instance as its file has it.</summary>
    N Read(JsonElement instance);

    /// <summary>A value as JSON, like its file's.</summary>
    JsonNode? Written(N value);
}

/// <summary>Ten primitives.</summary>
public readonly partial struct T1Shape : IShape<T1>
{
    public T1 Read(JsonElement instance) => new()
    {
        C = instance.GetProperty("c").GetSByte(),
        Uc = instance.GetProperty("uc").GetByte(),
        I16 = instance.GetProperty("i16").GetInt16(),
        U16 = instance.GetProperty("u16").GetUInt16(),
        I32 = instance.GetProperty("i32").GetInt32(),
        U32 = instance.GetProperty("u32").GetUInt32(),
        I64 = instance.GetProperty("i64").GetInt64(),
        U64 = instance.GetProperty("u64").GetUInt64(),
        F = instance.GetProperty("f").GetSingle(),
        D = instance.GetProperty("d").GetDouble(),
    };

    public JsonNode? Written(T1 value) => new JsonObject
    {
        ["c"] = value.C,
        ["uc"] = value.Uc,
        ["i16"] = value.I16,
        ["u16"] = value.U16,
        ["i32"] = value.I32,
        ["u32"] = value.U32,
        ["i64"] = value.I64,
        ["u64"] = value.U64,
        ["f"] = Neutral.Of(value.F),
        ["d"] = Neutral.Of(value.D),
    };

    public uint Fold(T1 value) =>
        (uint)value.C + 3u * value.Uc + 5u * (uint)value.I16 + 7u * value.U16 + 9u * (uint)value.I32
        + 11u * value.U32 + 13u * (uint)value.I64 + 15u * (uint)value.U64 + 17u * Codec.Fold.Of(value.F)
        + 19u * Codec.Fold.Of(value.D);
}

/// <summary>Eight strings.</summary>
public readonly partial struct T2Shape : IShape<T2>
{
    public T2 Read(JsonElement instance) => new()
    {
        S1 = instance.GetProperty("s1").GetString()!,
        S2 = instance.GetProperty("s2").GetString()!,
        S3 = instance.GetProperty("s3").GetString()!,
        S4 = instance.GetProperty("s4").GetString()!,
        S5 = instance.GetProperty("s5").GetString()!,
        S6 = instance.GetProperty("s6").GetString()!,
        S7 = instance.GetProperty("s7").GetString()!,
        S8 = instance.GetProperty("s8").GetString()!,
    };

    public JsonNode? Written(T2 value) => new JsonObject
    {
        ["s1"] = value.S1,
        ["s2"] = value.S2,
        ["s3"] = value.S3,
        ["s4"] = value.S4,
        ["s5"] = value.S5,
        ["s6"] = value.S6,
        ["s7"] = value.S7,
        ["s8"] = value.S8,
    };

    public uint Fold(T2 value) =>
        Codec.Fold.Of(value.S1) + 3u * Codec.Fold.Of(value.S2) + 5u * Codec.Fold.Of(value.S3)
        + 7u * Codec.Fold.Of(value.S4) + 9u * Codec.Fold.Of(value.S5) + 11u * Codec.Fold.Of(value.S6)
        + 13u * Codec.Fold.Of(value.S7) + 15u * Codec.Fold.Of(value.S8);
}

/// <summary>A list of integers.</summary>
public readonly partial struct T3Shape : IShape<List<int>>
{
    public List<int> Read(JsonElement instance) => Neutral.Integers(instance);

    public JsonNode? Written(List<int> value) => Neutral.Of(value, one => one);

    public uint Fold(List<int> value) => Codec.Fold.Length * (uint)value.Count + Codec.Fold.Of(value);
}

/// <summary>A list of strings.</summary>
public readonly partial struct T4Shape : IShape<List<string>>
{
    public List<string> Read(JsonElement instance) => Neutral.Strings(instance);

    public JsonNode? Written(List<string> value) => Neutral.Of(value, one => one);

    public uint Fold(List<string> value) => Codec.Fold.Length * (uint)value.Count + Codec.Fold.Of(value);
}

/// <summary>A map from string to list of integers; entries come back in the order in which they were added.</summary>
public readonly partial struct T5Shape : IShape<Dictionary<string, List<int>>>
{
    public Dictionary<string, List<int>> Read(JsonElement instance) =>
        instance.EnumerateObject().ToDictionary(entry => entry.Name, entry => Neutral.Integers(entry.Value));

    public JsonNode? Written(Dictionary<string, List<int>> value)
    {
        var written = new JsonObject();
        foreach ((string key, List<int> values) in value)
        {
            written[key] = Neutral.Of(values, one => one);
        }
        return written;
    }

    public uint Fold(Dictionary<string, List<int>> value)
    {
        uint sum = Codec.Fold.Length * (uint)value.Count;
        foreach (KeyValuePair<string, List<int>> entry in value)
        {
            sum += 3u * Codec.Fold.Of(entry.Key) + 5u * Codec.Fold.Of(entry.Value);
        }
        return sum;
    }
}

/// <summary>A thousand points.</summary>
public readonly partial struct TelemetryShape : IShape<Telemetry>
{
    public Telemetry Read(JsonElement instance) => new()
    {
        Points = instance.GetProperty("points").EnumerateArray().Select(point => new TelemetryPoint
        {
            Time = point.GetProperty("time").GetInt64(),
            Value = point.GetProperty("value").GetDouble(),
            Quality = point.GetProperty("quality").GetInt32(),
        }).ToList(),
    };

    public JsonNode? Written(Telemetry value) => new JsonObject
    {
        ["points"] = Neutral.Of(value.Points, point => new JsonObject
        {
            ["time"] = point.Time,
            ["value"] = Neutral.Of(point.Value),
            ["quality"] = point.Quality,
        }),
    };

    public uint Fold(Telemetry value)
    {
        List<TelemetryPoint> points = value.Points;
        uint sum = Codec.Fold.Length * (uint)points.Count;
        for (int i = 0; i < points.Count; i++)
        {
            TelemetryPoint point = points[i];
            sum += 3u * (uint)point.Time + 5u * Codec.Fold.Of(point.Value) + 7u * (uint)point.Quality;
        }
        return sum;
    }
}
