using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Codec;
using Wirelab;

CodecWorker.Run(parameters => new JsonContender(parameters));

/// <summary>System.Text.Json on arrays of bytes, with what is known of types found in one of its two ways.</summary>
internal sealed class JsonContender(Fields parameters) : UniformContender
{
    private readonly JsonSerializerOptions _options = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        TypeInfoResolver = parameters.Flag("generated", false)
            ? new Generated()
            : new DefaultJsonTypeInfoResolver(),
        Encoder = parameters.Flag("relaxed", false) ? JavaScriptEncoder.UnsafeRelaxedJsonEscaping : null,
    };

    public override (string Name, string Version) Library =>
        ("System.Text.Json", VersionOf(typeof(JsonSerializer)));

    public override string Format => "json";

    public override ILargeCodec Large => new JsonLarge(
        CodecOf<byte[]>(), CodecOf<Telemetry>(), (JsonTypeInfo<TelemetryPoint>)_options.GetTypeInfo(typeof(TelemetryPoint)));

    protected override Subject Of<TShape, N>(string suite, string step) =>
        Native<JsonCodec<N>, TShape, N>(suite, step, CodecOf<N>());

    protected override INativeCodec<V> OfVersion<V>() => CodecOf<V>();

    private JsonCodec<N> CodecOf<N>() => new((JsonTypeInfo<N>)_options.GetTypeInfo(typeof(N)));
}

/// <summary>A type with all that the serializer knows of it.</summary>
internal readonly struct JsonCodec<N>(JsonTypeInfo<N> type) : INativeCodec<N>
{
    public ArraySegment<byte> Encode(N value) => JsonSerializer.SerializeToUtf8Bytes(value, type);

    public N Decode(ArraySegment<byte> bytes) =>
        JsonSerializer.Deserialize(bytes, type) ?? throw new JsonException("null where a value is expected");
}

/// <summary>JSON has no bytes: the serializer makes text in base64 of them. Records are JSON Lines.</summary>
internal sealed record JsonLarge(
    INativeCodec<byte[]> Blob, INativeCodec<Telemetry> Whole, JsonTypeInfo<TelemetryPoint> Record) : ILargeCodec
{
    public IRecordWriter Writer(Stream file) => new RecordWriter(file, Record);

    public IEnumerable<TelemetryPoint> Read(Stream file)
    {
        using var lines = new StreamReader(file);
        while (lines.ReadLine() is string line)
        {
            yield return JsonSerializer.Deserialize(line, Record) ?? throw new JsonException("null where a record is expected");
        }
    }

    private sealed class RecordWriter(Stream file, JsonTypeInfo<TelemetryPoint> type) : IRecordWriter
    {
        public void Write(TelemetryPoint record)
        {
            JsonSerializer.Serialize(file, record, type);
            file.WriteByte((byte)'\n');
        }

        public void Dispose()
        {
            // Nothing is kept back.
        }
    }
}

/// <summary>Code that the compiler generates of the types.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(T1))]
[JsonSerializable(typeof(T2))]
[JsonSerializable(typeof(List<int>))]
[JsonSerializable(typeof(List<string>))]
[JsonSerializable(typeof(Dictionary<string, List<int>>))]
[JsonSerializable(typeof(Telemetry))]
[JsonSerializable(typeof(Chat))]
internal sealed partial class Generated : JsonSerializerContext;
