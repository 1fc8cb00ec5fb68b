using System.Text.Json;
using System.Text.Json.Nodes;

namespace Codec;

/// <summary>A program of one version of the record.</summary>
public interface IVersion
{
    /// <summary>The bytes of a value, which comes in its neutral form.</summary>
    byte[] Write(JsonElement value);

    /// <summary>The value in the bytes, in its neutral form.</summary>
    JsonNode Read(byte[] bytes);

    /// <summary>Reads bytes, and writes again what was read.</summary>
    byte[] Again(byte[] bytes);
}

/// <summary>A program whose library writes and reads objects of the version's class.</summary>
internal sealed class NativeVersion<V>(INativeCodec<V> codec) : IVersion
{
    public byte[] Write(JsonElement value) => [.. codec.Encode(Readings.Of<V>(value))];

    public JsonNode Read(byte[] bytes) => Readings.Neutral(codec.Decode(bytes));

    public byte[] Again(byte[] bytes) => [.. codec.Encode(codec.Decode(bytes))];
}
