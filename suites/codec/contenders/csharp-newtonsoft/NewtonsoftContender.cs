using System.Text;
using Codec;
using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

CodecWorker.Run(_ => new NewtonsoftContender());

/// <summary>One serializer, on streams over arrays of bytes.</summary>
internal sealed class NewtonsoftContender : UniformContender
{
    private static readonly JsonSerializer Serializer = Made(checksRest: true);

    public override (string Name, string Version) Library =>
        ("Newtonsoft.Json", VersionOf(typeof(JsonSerializer)));

    public override string Format => "json";

    public override ILargeCodec Large => new NewtonsoftLarge(Serializer, Made(checksRest: false));

    protected override Subject Of<TShape, N>(string suite, string step) =>
        Native<NewtonsoftCodec<N>, TShape, N>(suite, step, new NewtonsoftCodec<N>(Serializer));

    protected override INativeCodec<V> OfVersion<V>() => new NewtonsoftCodec<V>(Serializer);

    private static JsonSerializer Made(bool checksRest) => JsonSerializer.Create(new JsonSerializerSettings
    {
        ContractResolver = new DefaultContractResolver { NamingStrategy = new CamelCaseNamingStrategy() },
        CheckAdditionalContent = checksRest,
    });
}

/// <summary>A type that the serializer has found the members of.</summary>
internal readonly struct NewtonsoftCodec<N>(JsonSerializer serializer) : INativeCodec<N>
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public ArraySegment<byte> Encode(N value)
    {
        var stream = new MemoryStream();
        using (var text = new StreamWriter(stream, Utf8, leaveOpen: true))
        using (var writer = new JsonTextWriter(text))
        {
            serializer.Serialize(writer, value, typeof(N));
        }
        return new ArraySegment<byte>(stream.GetBuffer(), 0, (int)stream.Length);
    }

    public N Decode(ArraySegment<byte> bytes)
    {
        using var stream = new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false);
        using var text = new StreamReader(stream, Utf8);
        using var reader = new JsonTextReader(text);
        return serializer.Deserialize<N>(reader)
            ?? throw new JsonSerializationException("null where a value is expected");
    }
}

/// <summary>JSON has no bytes: the serializer makes text in base64 of them. Records are JSON Lines.</summary>
internal sealed class NewtonsoftLarge(JsonSerializer whole, JsonSerializer serializer) : ILargeCodec
{
    public INativeCodec<byte[]> Blob => new NewtonsoftCodec<byte[]>(whole);

    public INativeCodec<Telemetry> Whole => new NewtonsoftCodec<Telemetry>(whole);

    public IRecordWriter Writer(Stream file) => new RecordWriter(file, serializer);

    public IEnumerable<TelemetryPoint> Read(Stream file)
    {
        using var text = new StreamReader(file);
        using var reader = new JsonTextReader(text) { SupportMultipleContent = true };
        while (reader.Read())
        {
            yield return serializer.Deserialize<TelemetryPoint>(reader)
                ?? throw new JsonSerializationException("null where a record is expected");
        }
    }

    private sealed class RecordWriter : IRecordWriter
    {
        private readonly JsonSerializer _serializer;
        private readonly StreamWriter _text;
        private readonly JsonTextWriter _writer;

        public RecordWriter(Stream file, JsonSerializer serializer)
        {
            _serializer = serializer;
            _text = new StreamWriter(file, leaveOpen: true) { NewLine = "\n" };
            _writer = new JsonTextWriter(_text);
        }

        public void Write(TelemetryPoint record)
        {
            _serializer.Serialize(_writer, record, typeof(TelemetryPoint));
            _text.WriteLine();
        }

        public void Dispose()
        {
            ((IDisposable)_writer).Dispose();
            _text.Dispose();
        }
    }
}
